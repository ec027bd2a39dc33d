#include "figures/cpu_calibration.h"

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/network.h"
#include "models/calibration_table.h"
#include "models/cpu_anchor.h"
#include "models/least_squares.h"
#include "models/model.h"

namespace rightsize {
namespace {

constexpr double noise = 0.15;            // of ln(rate): spread of frameworks around any law
constexpr double prior_sd = 0.7;          // of the constants' logarithms around the start
constexpr double shortest_step_s = 1e-4;  // below it the program's own turns count

using Constant = double CpuComputeLaw::*;

constexpr std::array published_constants{&CpuComputeLaw::efficiency,
                                         &CpuComputeLaw::bytes_per_s,
                                         &CpuComputeLaw::contention,
                                         &CpuComputeLaw::layer_s};
constexpr std::array measured_constants{&CpuComputeLaw::efficiency,
                                        &CpuComputeLaw::sequence_share,
                                        &CpuComputeLaw::lstm_share,
                                        &CpuComputeLaw::bytes_per_s,
                                        &CpuComputeLaw::weight_share,
                                        &CpuComputeLaw::layer_s,
                                        &CpuComputeLaw::position_share};

std::span<const Constant> fitted(CpuConstants constants) {
  return constants == CpuConstants::of_published ? std::span<const Constant>(published_constants)
                                                 : std::span<const Constant>(measured_constants);
}

Eigen::VectorXd logs_of(const CpuComputeLaw& law, std::span<const Constant> constants) {
  Eigen::VectorXd values(static_cast<Eigen::Index>(constants.size()));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    values[i] = std::log(law.*constants[static_cast<std::size_t>(i)]);
  }
  return values;
}

CpuComputeLaw law_of(const Eigen::VectorXd& logs,
                     const CpuComputeLaw& start,
                     std::span<const Constant> constants) {
  CpuComputeLaw law = start;
  for (Eigen::Index i = 0; i < logs.size(); ++i) {
    law.*constants[static_cast<std::size_t>(i)] = std::exp(logs[i]);
  }
  return law;
}

}  // namespace

std::vector<CpuRate> parse_cpu_rates(std::string_view csv, const CpuSpeeds& speeds) {
  std::map<std::string, std::optional<Network>> networks;
  std::vector<CpuRate> rates;
  for (const auto& row : parse_table(csv, "calibration/cpu_rates.csv")) {
    const auto& name = row.text("network");
    auto& network = networks[name];
    try {
      network = network ? network : make_network(name);
    } catch (const std::runtime_error&) {  // not built in
      continue;
    }
    const auto phase = parse_phase(row.text("phase"));
    const auto family_model = speeds.model_of(row.text("cpu"));
    const auto cpu = cpu_kind_of(family_model.empty() ? row.text("cpu") : family_model);
    if (!phase || !cpu) {
      throw ModelError(fmt::format("calibration/cpu_rates.csv:{}: unknown phase or cpu", row.line));
    }
    rates.push_back({name,
                     *phase,
                     static_cast<int>(row.number("batch")),
                     row.number("vcpus"),
                     *cpu,
                     row.number("items_per_s"),
                     cpu_work(*network, *phase)});
  }
  return rates;
}

std::vector<CpuRate> measured_cpu_rates(std::span<const Record> records) {
  std::vector<CpuRate> rates;
  for (const auto& record : records) {
    const auto& work = record.workload;
    const bool alone = work.engine == EngineKind::cpu && work.data == DataFormat::synthetic &&
                       work.ranks <= 1 && record.limits.cpus == 0 && record.limits.isa.empty();
    const auto cpu = machine_cpu_kind(record.machine, "");
    const double step_s = work.batch / record.throughput.median;
    if (alone && cpu && is_usable(record) && work.precision == Precision::fp32 &&
        step_s > shortest_step_s) {
      rates.push_back({work.network,
                       work.phase,
                       work.batch,
                       static_cast<double>(record.machine.cpus),
                       *cpu,
                       record.throughput.median,
                       cpu_work(make_network(work.network, work.sequence), work.phase)});
    }
  }
  return rates;
}

double predicted_cpu_rate(const CpuComputeLaw& law, const CpuRate& rate) {
  return rate.batch / cpu_step_seconds(law, rate.work, rate.cpu, rate.vcpus, rate.batch);
}

CpuComputeLaw fit_cpu_compute(std::span<const CpuRate> rates,
                              const CpuComputeLaw& start,
                              CpuConstants constants) {
  const auto asked = fitted(constants);
  const auto count = static_cast<Eigen::Index>(rates.size());
  const Eigen::VectorXd from = logs_of(start, asked);
  const auto residuals = [&](const Eigen::VectorXd& logs, Eigen::VectorXd& out) {
    const auto law = law_of(logs, start, asked);
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto& rate = rates[static_cast<std::size_t>(i)];
      out[i] = std::log(predicted_cpu_rate(law, rate) / rate.items_per_s) / noise;
    }
    for (Eigen::Index i = 0; i < logs.size(); ++i) {
      out[count + i] = (logs[i] - from[i]) / prior_sd;
    }
  };
  const auto found = minimise(residuals, from, count + from.size(), count);
  return law_of(found.parameters, start, asked);
}

std::vector<CpuRateCheck> leave_one_network_out(std::span<const CpuRate> rates,
                                                const CpuComputeLaw& start,
                                                CpuConstants constants) {
  std::set<std::string> names;
  for (const auto& rate : rates) {
    names.insert(rate.network);
  }
  std::vector<CpuRateCheck> checks;
  for (const auto& name : names) {
    std::vector<CpuRate> others;
    for (const auto& rate : rates) {
      if (rate.network != name) {
        others.push_back(rate);
      }
    }
    const auto law = fit_cpu_compute(others, start, constants);
    for (const auto& rate : rates) {
      if (rate.network == name) {
        checks.push_back({&rate, predicted_cpu_rate(law, rate)});
      }
    }
  }
  return checks;
}

}  // namespace rightsize
