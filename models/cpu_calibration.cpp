#include "models/cpu_calibration.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/network.h"
#include "models/calibration_table.h"
#include "models/least_squares.h"
#include "models/model.h"

namespace rightsize {
namespace {

constexpr double noise = 0.15;    // of ln(rate): spread of frameworks around any law
constexpr double prior_sd = 0.7;  // of the constants' logarithms around the start
constexpr Eigen::Index constants = 4;

Eigen::VectorXd logs_of(const CpuComputeLaw& law) {
  Eigen::VectorXd values(constants);
  values << std::log(law.efficiency), std::log(law.bytes_per_s), std::log(law.contention),
      std::log(law.layer_s);
  return values;
}

CpuComputeLaw law_of(const Eigen::VectorXd& logs, const CpuComputeLaw& start) {
  CpuComputeLaw law = start;
  law.efficiency = std::exp(logs[0]);
  law.bytes_per_s = std::exp(logs[1]);
  law.contention = std::exp(logs[2]);
  law.layer_s = std::exp(logs[3]);
  return law;
}

}  // namespace

std::vector<PublishedCpuRate> parse_cpu_rates(std::string_view csv, const CpuSpeeds& speeds) {
  std::map<std::string, std::optional<Network>> networks;
  std::vector<PublishedCpuRate> rates;
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

double predicted_cpu_rate(const CpuComputeLaw& law, const PublishedCpuRate& rate) {
  return rate.batch / cpu_step_seconds(law, rate.work, rate.cpu, rate.vcpus, rate.batch);
}

CpuComputeLaw fit_cpu_compute(std::span<const PublishedCpuRate> rates, const CpuComputeLaw& start) {
  const auto count = static_cast<Eigen::Index>(rates.size());
  const Eigen::VectorXd from = logs_of(start);
  const auto residuals = [&](const Eigen::VectorXd& logs, Eigen::VectorXd& out) {
    const auto law = law_of(logs, start);
    for (Eigen::Index i = 0; i < count; ++i) {
      const auto& rate = rates[static_cast<std::size_t>(i)];
      out[i] = std::log(predicted_cpu_rate(law, rate) / rate.items_per_s) / noise;
    }
    for (Eigen::Index i = 0; i < constants; ++i) {
      out[count + i] = (logs[i] - from[i]) / prior_sd;
    }
  };
  return law_of(minimise(residuals, from, count + constants, count).parameters, start);
}

std::vector<CpuRateCheck> leave_one_network_out(std::span<const PublishedCpuRate> rates) {
  std::set<std::string> names;
  for (const auto& rate : rates) {
    names.insert(rate.network);
  }
  std::vector<CpuRateCheck> checks;
  for (const auto& name : names) {
    std::vector<PublishedCpuRate> others;
    for (const auto& rate : rates) {
      if (rate.network != name) {
        others.push_back(rate);
      }
    }
    const auto law = fit_cpu_compute(others);
    for (const auto& rate : rates) {
      if (rate.network == name) {
        checks.push_back({&rate, predicted_cpu_rate(law, rate)});
      }
    }
  }
  return checks;
}

}  // namespace rightsize
