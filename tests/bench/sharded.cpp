// How far the laws are from published training of large transformers, of all parameters shared by
// GPUs, of adapters alone and of copies that GPUs share (models/calibration/sharded.csv,
// adapters.csv, parallel.csv): rate on one node, scaling beyond it, memory, and whether what ran is
// said to fit. Prints Markdown; `bench_sharded rows` every row.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "models/calibration_files.h"
#include "models/laws/exchange.h"
#include "figures/parallel_figures.h"
#include "figures/sharded_figures.h"

using namespace rightsize;

namespace {

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1) + 0.5)];
}

struct Errors {
  std::vector<double> logs;
  int inside = 0;

  void print(const std::string& name) const {
    std::vector<double> sizes;
    for (const double log : logs) {
      sizes.push_back(std::abs(std::expm1(log)));
    }
    fmt::print("| {} | {} | {:+.1f}% | {:.1f}% | {:.1f}% | {:.0f}% |\n",
               name,
               logs.size(),
               100 * std::expm1(quantile(logs, 0.5)),
               100 * quantile(sizes, 0.5),
               100 * quantile(sizes, 0.9),
               100.0 * inside / static_cast<double>(logs.size()));
  }
};

const char* word(ShardedFigure::Recompute recompute) {
  return recompute == ShardedFigure::Recompute::none     ? "none"
         : recompute == ShardedFigure::Recompute::blocks ? "blocks"
                                                         : "selective";
}

using Group = std::tuple<std::string, int, std::string, int, std::string, Adapters>;

std::vector<ShardedFigure> figures_of(const std::string& table) {
  return parse_sharded_figures(test::calibration_text(table), "calibration/" + table);
}

// The same training on other numbers of GPUs.
Group group_of(const ShardedFigure& figure) {
  return {figure.network,
          figure.sequence,
          figure.gpu,
          static_cast<int>(figure.recompute),
          figure.framework,
          figure.tuning.adapters};
}

// What is trained, and where it is no adapter, what is run again.
std::string kind_of(const ShardedFigure& figure) {
  return figure.tuning.adapters.any()
             ? figure.tuning.adapters.narrow ? "base in 4 bits" : "base in 16 bits"
             : std::string("recompute ") + word(figure.recompute);
}

void print_rates(const GpuRates& rates, const std::string& table, bool named, bool every_row) {
  std::map<std::string, Errors> groups;
  Errors scaling;
  struct Base {
    int gpus = 0;
    double published = 0;
    double predicted = 0;
  };
  std::map<Group, Base> bases;
  auto figures = figures_of(table);
  std::erase_if(figures, [](const auto& figure) { return figure.tokens_per_s_per_gpu <= 0; });
  std::stable_sort(
      figures.begin(), figures.end(), [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";
  for (const auto& figure : figures) {
    const auto check =
        check_sharded(figure, rates, named ? figure.framework : std::string(), folder);
    const double log = std::log(check.tokens_per_s_per_gpu / figure.tokens_per_s_per_gpu);
    const auto source = figure.source.substr(0, figure.source.find(' '));
    const std::string nodes = figure.nodes > 1 ? "several nodes" : "one node";
    for (const auto& name : {source + ", " + figure.gpu + ", " + nodes,
                             kind_of(figure),
                             "**all, " + nodes + "**",
                             std::string("**all**")}) {
      groups[name].logs.push_back(log);
      groups[name].inside += check.inside ? 1 : 0;
    }
    auto [base, first] = bases.try_emplace(
        group_of(figure),
        Base{figure.gpus, figure.tokens_per_s_per_gpu, check.tokens_per_s_per_gpu});
    if (!first && figure.gpus > base->second.gpus) {
      const double published = figure.tokens_per_s_per_gpu / base->second.published;
      const double predicted = check.tokens_per_s_per_gpu / base->second.predicted;
      scaling.logs.push_back(std::log(predicted / published));
      scaling.inside += std::abs(scaling.logs.back()) < 1.645 * ExchangeLaw{}.cluster_log_sd;
    }
    if (every_row) {
      fmt::print(
          "{:26} s{:<6} b{:<4} {:9} {:5} {:9} {} {:8.0f} ~{:8.0f} alone {:8.0f} sd {:.2f} {} {}\n",
          figure.network,
          figure.sequence,
          figure.batch,
          figure.gpu,
          figure.gpus,
          word(figure.recompute),
          to_string(figure.tuning.adapters),
          figure.tokens_per_s_per_gpu,
          check.tokens_per_s_per_gpu,
          check.one_gpu_tokens_per_s,
          check.log_sd,
          check.inside ? "in " : "OUT",
          to_string(check.regime));
    }
  }
  fmt::print(
      "\n| tokens/s a GPU, framework {} | figures | median of errors | median size | P90 | inside "
      "90% interval |\n|---|--:|--:|--:|--:|--:|\n",
      named ? "named" : "not named");
  for (const auto& [name, errors] : groups) {
    errors.print(name);
  }
  if (!scaling.logs.empty()) {
    scaling.print("against fewer GPUs");
  }
}

void print_memory(const GpuRates& rates, const std::string& table, bool every_row) {
  std::map<std::string, Errors> stated;
  int ran = 0;
  int refused = 0;
  int between = 0;
  int selective = 0;
  const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";
  for (const auto& figure : figures_of(table)) {
    if (!figure.sharded) {
      continue;
    }
    const auto check = check_sharded(figure, rates, "PyTorch", folder);
    auto gpu = *rates.find(figure.gpu);
    gpu.memory_gb =
        figure.source.starts_with("pytorch/") && figure.gpu == "H100" ? 96 : gpu.memory_gb;
    ++ran;
    const bool no = judge_memory(check.least, gpu) == MemoryVerdict::too_small;
    refused += no ? 1 : 0;
    const double most = check.most.total() / 0x1p30;
    const double least = check.least.total() / 0x1p30;
    if (figure.memory_gib > 0 && figure.recompute != ShardedFigure::Recompute::selective) {
      const auto source = figure.source.substr(0, figure.source.find(' '));
      for (const auto& name : {source + ", " + kind_of(figure), std::string("**all**")}) {
        stated[name].logs.push_back(std::log(most / figure.memory_gib));
        stated[name].inside += std::abs(stated[name].logs.back()) < 0.1;
      }
    } else if (figure.memory_gib > 0) {
      ++selective;
      between += figure.memory_gib > least && figure.memory_gib < most ? 1 : 0;
    }
    if (every_row && (figure.memory_gib > 0 || no)) {
      fmt::print(
          "{:26} s{:<6} b{:<3} {:9} {:4} {:9} {} {:6.1f} ~{:6.1f} .. {:6.1f} GiB (parameters "
          "{:.1f}) {}\n",
          figure.network,
          figure.sequence,
          figure.batch,
          figure.gpu,
          figure.gpus,
          word(figure.recompute),
          to_string(figure.tuning.adapters),
          figure.memory_gib,
          least,
          most,
          check.most.parameters_bytes / 0x1p30,
          no ? "REFUSED" : "");
    }
  }
  fmt::print(
      "\nRan, and is said not to fit: {} of {}.\nSelective recomputation between none and "
      "all blocks: {} of {}.\n\n| memory a GPU | figures | median of errors | median size "
      "| P90 | within 10% |\n|---|--:|--:|--:|--:|--:|\n",
      refused,
      ran,
      between,
      selective);
  for (const auto& [name, errors] : stated) {
    errors.print(name);
  }
}

void print_parallel(const GpuRates& rates, std::string_view framework, bool every_row) {
  std::map<std::string, Errors> times;
  std::map<std::string, Errors> memory;
  const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";
  for (const auto& figure : parse_parallel_figures(test::calibration_text("parallel.csv"))) {
    const auto check = check_parallel(figure, rates, framework, folder);
    const double gib = check.memory.total() / 0x1p30;
    for (const auto& name : {fmt::format("tensor {}", figure.way.tensor),
                             fmt::format("pipeline {:2}", figure.way.pipeline),
                             std::string("**all**")}) {
      times[name].logs.push_back(std::log(check.step_s / figure.step_s));
      times[name].inside += check.inside ? 1 : 0;
      if (figure.memory_gib > 0) {
        memory[name].logs.push_back(std::log(gib / figure.memory_gib));
        memory[name].inside += std::abs(memory[name].logs.back()) < 0.1;
      }
    }
    if (every_row) {
      fmt::print(
          "{:34} t{} p{:<2} b{} of {}: {:6.1f} s ~{:6.1f} ({:.3f} a micro-batch) {:4.0f} GiB "
          "~{:5.1f}\n",
          figure.network,
          figure.way.tensor,
          figure.way.pipeline,
          figure.way.micro_batch,
          figure.global_batch,
          figure.step_s,
          check.step_s,
          check.micro_s,
          figure.memory_gib,
          gib);
    }
  }
  fmt::print(
      "\n| seconds a step, framework {} | figures | median of errors | median size | P90 | "
      "inside 90% interval |\n|---|--:|--:|--:|--:|--:|\n",
      framework.empty() ? "not named" : framework);
  for (const auto& [name, errors] : times) {
    errors.print(name);
  }
  fmt::print(
      "\n| memory a GPU | figures | median of errors | median size | P90 | within 10% "
      "|\n|---|--:|--:|--:|--:|--:|\n");
  for (const auto& [name, errors] : memory) {
    errors.print(name);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool every_row = argc > 1 && std::string(argv[1]) == "rows";
  const auto rates = test::shipped_rates();
  for (const auto* table : {"sharded.csv", "adapters.csv"}) {
    fmt::print("\n## {}\n", table);
    print_rates(rates, table, true, every_row);
    print_rates(rates, table, false, false);
    print_memory(rates, table, every_row);
  }
  fmt::print("\n## parallel.csv\n");
  print_parallel(rates, "PyTorch", every_row);
}
