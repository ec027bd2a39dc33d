// How far the laws of exchange and of networks on CPUs are from published figures: the error of
// scaling efficiency by publisher and GPU, and of CPU throughput with the network left out. Prints
// Markdown; models/VALIDATION.md holds its output. `bench_scaling rows` prints every row.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "figures/cpu_calibration.h"
#include "figures/scaling_figures.h"
#include "models/calibration_files.h"
#include "models/measured_records.h"

using namespace rightsize;

namespace {

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Errors {
  std::vector<double> sizes;
  int inside = 0;

  void add(double size, bool is_inside) {
    sizes.push_back(size);
    inside += is_inside ? 1 : 0;
  }
};

// Figures that something else than exchange decides stand apart: MXNet's AlexNet on 16 K80 waits
// for its loader; Gavel's machines with several GPUs are slower than as many machines of one GPU
// each over 10 Gb/s Ethernet.
std::string group_of(const ScalingFigure& figure) {
  if (figure.source.find("gavel") != std::string::npos) {
    return figure.source +
           (figure.nodes > 1 ? ": one GPU a machine" : ": one machine (bound by its host)");
  }
  const bool loader = figure.network == "alexnet" && figure.framework.find("MXNet") == 0;
  return figure.source + (loader ? ": AlexNet (bound by its loader)" : "");
}

void print_scaling(bool every_row) {
  const auto rates = shipped_gpu_rates();
  std::map<std::string, Errors> groups;
  Errors all;
  for (const auto& figure : parse_scaling_figures(test::calibration_text("scaling.csv"))) {
    const GpuSpec* gpu = rates.find(figure.gpu);
    const auto check = gpu == nullptr ? std::nullopt : check_scaling(figure, *gpu);
    if (!check) {
      continue;
    }
    const double error = std::abs(check->predicted - check->published);
    if (every_row) {
      fmt::print("{:12} {:5} b{:<5} {:9} {:3} GPUs {:2} nodes {:24} {:.2f} ~{:.2f} {:7} {}\n",
                 figure.network,
                 to_string(figure.precision),
                 figure.batch,
                 figure.gpu,
                 figure.gpus,
                 figure.nodes,
                 figure.interconnect,
                 check->published,
                 check->predicted,
                 to_string(check->exchange),
                 figure.framework);
    }
    const auto group = group_of(figure);
    groups[group].add(error, check->inside);
    if (group.find("bound by") == std::string::npos) {
      all.add(error, check->inside);
    }
  }
  groups["**all that exchange decides**"] = all;
  fmt::print(
      "| source | figures | median error | P90 error | inside 90% interval |\n"
      "|---|--:|--:|--:|--:|\n");
  for (const auto& [name, errors] : groups) {
    fmt::print("| {} | {} | {:.1f} points | {:.1f} points | {:.0f}% |\n",
               name,
               errors.sizes.size(),
               100 * quantile(errors.sizes, 0.5),
               100 * quantile(errors.sizes, 0.9),
               100.0 * errors.inside / static_cast<double>(errors.sizes.size()));
  }
}

struct CpuFit {
  std::vector<CpuRate> rates;  // of one phase
  CpuComputeLaw shipped;
  CpuConstants constants;
};

CpuFit published_fit(Phase phase) {
  auto rates = parse_cpu_rates(test::calibration_text("cpu_rates.csv"), shipped_cpu_speeds());
  std::erase_if(rates, [&](const CpuRate& rate) { return rate.phase != phase; });
  return {std::move(rates), cpu_compute_law(Stack::era, phase), CpuConstants::of_published};
}

CpuFit measured_fit(Phase phase) {
  auto records = test::measured_records("networks_zen4.jsonl");
  for (auto& record : test::measured_records("precision_zen4.jsonl")) {
    records.push_back(std::move(record));
  }
  auto rates = measured_cpu_rates(records);
  std::erase_if(rates, [&](const CpuRate& rate) { return rate.phase != phase; });
  return {std::move(rates), cpu_compute_law(Stack::current, phase), CpuConstants::of_measured};
}

void print_row(const CpuRateCheck& check, double error) {
  fmt::print("{:12} {:5} b{:<3} {:2} vCPU {:40} {:8.1f} ~{:8.1f} {:+.0f}%\n",
             check.rate->network,
             to_string(check.rate->phase),
             check.rate->batch,
             check.rate->vcpus,
             check.rate->cpu.name,
             check.rate->items_per_s,
             check.predicted,
             100 * std::expm1(error));
}

void print_cpu(Phase phase, const CpuFit& fit, bool every_row) {
  const bool published = fit.constants == CpuConstants::of_published;
  const auto start = published ? CpuComputeLaw{} : fit.shipped;
  std::map<std::string, Errors> groups;
  for (const auto& check : leave_one_network_out(fit.rates, start, fit.constants)) {
    const double error = std::log(check.predicted / check.rate->items_per_s);
    if (every_row) {
      print_row(check, error);
    }
    for (const auto& name : {check.rate->network, std::string("**all**")}) {
      groups[name].add(std::abs(std::expm1(error)), std::abs(error) < 1.645 * fit.shipped.log_sd);
    }
  }
  fmt::print(
      "| {}: network left out | figures | median error | P90 error | inside 90% interval |\n"
      "|---|--:|--:|--:|--:|\n",
      to_string(phase));
  for (const auto& [name, errors] : groups) {
    fmt::print("| {} | {} | {:.0f}% | {:.0f}% | {:.0f}% |\n",
               name,
               errors.sizes.size(),
               100 * quantile(errors.sizes, 0.5),
               100 * quantile(errors.sizes, 0.9),
               100.0 * errors.inside / static_cast<double>(errors.sizes.size()));
  }
  const auto fitted = fit_cpu_compute(fit.rates, start, fit.constants);
  fmt::print(
      "\nFitted to all: efficiency {:.3f}, {:.2f} GB/s a core, contention {:.4f} a core, "
      "{:.0f} us a layer.\n\n",
      fitted.efficiency,
      fitted.bytes_per_s / 1e9,
      fitted.contention,
      fitted.layer_s * 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const bool every_row = argc > 1 && std::string(argv[1]) == "rows";
  fmt::print(
      "\n## Several GPUs: scaling efficiency against published figures\n\n"
      "The rate of one GPU is the publisher's; the law says what exchange leaves of it.\n\n");
  print_scaling(every_row);
  fmt::print("\n## Networks on CPUs: leave-one-network-out over the published figures\n\n");
  print_cpu(Phase::infer, published_fit(Phase::infer), every_row);
  print_cpu(Phase::train, published_fit(Phase::train), every_row);
  fmt::print(
      "\n## Networks on CPUs: leave-one-network-out over this engine's steps on a Zen 4\n\n"
      "`networks_zen4.jsonl` and `precision_zen4.jsonl`, in FP32.\n\n");
  print_cpu(Phase::infer, measured_fit(Phase::infer), every_row);
  print_cpu(Phase::train, measured_fit(Phase::train), every_row);
}
