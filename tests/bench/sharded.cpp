// How far the laws are from published training of large transformers whose GPUs share the
// parameters (models/calibration/sharded.csv): rate on one node, scaling beyond it, memory, and
// whether what ran is said to fit. Prints Markdown; `bench_sharded rows` every row.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "models/calibration_files.h"
#include "models/laws/exchange.h"
#include "models/sharded_figures.h"

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

using Group = std::tuple<std::string, int, std::string, int, std::string>;

// The same training on other numbers of GPUs.
Group group_of(const ShardedFigure& figure) {
  return {figure.network,
          figure.sequence,
          figure.gpu,
          static_cast<int>(figure.recompute),
          figure.framework};
}

void print_rates(const GpuRates& rates, std::string_view framework, bool every_row) {
  std::map<std::string, Errors> groups;
  Errors scaling;
  struct Base {
    int gpus = 0;
    double published = 0;
    double predicted = 0;
  };
  std::map<Group, Base> bases;
  auto figures = parse_sharded_figures(test::calibration_text("sharded.csv"));
  std::erase_if(figures, [](const auto& figure) { return figure.tokens_per_s_per_gpu <= 0; });
  std::stable_sort(
      figures.begin(), figures.end(), [](const auto& a, const auto& b) { return a.gpus < b.gpus; });
  const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";
  for (const auto& figure : figures) {
    const auto check = check_sharded(figure, rates, framework, folder);
    const double log = std::log(check.tokens_per_s_per_gpu / figure.tokens_per_s_per_gpu);
    const auto source = figure.source.substr(0, figure.source.find(' '));
    const std::string nodes = figure.nodes > 1 ? "several nodes" : "one node";
    for (const auto& name : {source + ", " + figure.gpu + ", " + nodes,
                             std::string("recompute ") + word(figure.recompute),
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
          "{:26} s{:<6} b{:<4} {:9} {:5} {:9} {:8.0f} ~{:8.0f} alone {:8.0f} sd {:.2f} {} {}\n",
          figure.network,
          figure.sequence,
          figure.batch,
          figure.gpu,
          figure.gpus,
          word(figure.recompute),
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
      framework.empty() ? "not named" : framework);
  for (const auto& [name, errors] : groups) {
    errors.print(name);
  }
  scaling.print("against fewer GPUs");
}

void print_memory(const GpuRates& rates, bool every_row) {
  Errors stated;
  int ran = 0;
  int refused = 0;
  int between = 0;
  int selective = 0;
  const std::string folder = std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration";
  for (const auto& figure : parse_sharded_figures(test::calibration_text("sharded.csv"))) {
    if (!figure.sharded || !figure.wide_states) {
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
      stated.logs.push_back(std::log(most / figure.memory_gib));
      stated.inside += std::abs(stated.logs.back()) < 0.1;
    } else if (figure.memory_gib > 0) {
      ++selective;
      between += figure.memory_gib > least && figure.memory_gib < most ? 1 : 0;
    }
    if (every_row && (figure.memory_gib > 0 || no)) {
      fmt::print(
          "{:26} s{:<6} b{:<3} {:9} {:4} {:9} {:6.1f} ~{:6.1f} .. {:6.1f} GiB (parameters {:.1f}) "
          "{}\n",
          figure.network,
          figure.sequence,
          figure.batch,
          figure.gpu,
          figure.gpus,
          word(figure.recompute),
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
  stated.print("stated, none or blocks");
}

}  // namespace

int main(int argc, char** argv) {
  const bool every_row = argc > 1 && std::string(argv[1]) == "rows";
  const auto rates = test::shipped_rates();
  print_rates(rates, "PyTorch", every_row);
  print_rates(rates, "", false);
  print_memory(rates, every_row);
}
