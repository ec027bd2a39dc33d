#include "figures/sharded_figures.h"

#include <cmath>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/calibration_table.h"
#include "models/laws/sharded_exchange.h"
#include "models/model.h"

namespace rightsize {
namespace {

using Recompute = ShardedFigure::Recompute;

Adapters adapters_of(const TableRow& row, std::string_view name) {
  if (!row.fields.contains("adapter")) {
    return {};
  }
  const auto& text = row.text("adapter");
  const auto adapters = parse_adapters(text);
  if (!adapters) {
    throw ModelError(
        fmt::format("{}:{}: adapter = {}: expected {}", name, row.line, text, adapter_grammar));
  }
  return *adapters;
}

Recompute recompute_of(const TableRow& row, std::string_view name) {
  const auto& word = row.text("recompute");
  if (word == "none") {
    return Recompute::none;
  }
  if (word == "blocks") {
    return Recompute::blocks;
  }
  if (word == "selective") {
    return Recompute::selective;
  }
  throw ModelError(fmt::format(
      "{}:{}: recompute = {}: expected none, blocks or selective", name, row.line, word));
}

double step_seconds(const ShardedFigure& figure,
                    const Network& network,
                    const GpuSpec& gpu,
                    bool recompute,
                    double alone_s) {
  const ExchangeLaw law;
  const auto words = parse_interconnect(figure.interconnect).value_or(InterconnectWords{});
  const Cluster cluster{figure.gpus_per_node(),
                        figure.nodes,
                        interconnect_of(words, gpu, figure.gpus_per_node(), figure.nodes)};
  const int narrow = bytes_per_element(Precision::bf16);
  if (figure.sharded) {
    return sharded_step_seconds(
        law, cluster, sharded_blocks(network, Precision::bf16), recompute, alone_s);
  }
  const auto buckets = gradient_buckets(network, narrow, law.bucket_bytes);
  return synchronous_step_seconds(law, cluster, {Exchange::nccl}, buckets, alone_s);
}

}  // namespace

std::vector<ShardedFigure> parse_sharded_figures(std::string_view csv, std::string_view name) {
  std::vector<ShardedFigure> figures;
  for (const auto& row : parse_table(csv, name)) {
    figures.push_back({row.text("network"),
                       static_cast<int>(row.number("sequence")),
                       static_cast<int>(row.number("batch")),
                       row.text("gpu"),
                       static_cast<int>(row.number("gpus")),
                       static_cast<int>(row.number("nodes")),
                       row.text("interconnect"),
                       row.text("exchange") == "sharded",
                       recompute_of(row, name),
                       Tuning{adapters_of(row, name), {.masters = row.text("states") == "fp32"}},
                       row.number("tokens_per_s_per_gpu"),
                       row.number("memory_gib"),
                       row.text("framework"),
                       row.text("source")});
  }
  return figures;
}

ShardedCheck check_sharded(const ShardedFigure& figure,
                           const GpuRates& rates,
                           std::string_view framework,
                           const std::string& folder) {
  const bool file = figure.network.ends_with(".json");
  const auto name = file ? folder + "/" + figure.network : figure.network;
  const auto network = tuned(make_network(name, figure.sequence), figure.tuning);
  const GpuSpec* gpu = rates.find(figure.gpu);
  const bool recompute = figure.recompute == Recompute::blocks;
  const auto rate = rates.rate({.network = name,
                                .phase = Phase::train,
                                .precision = Precision::bf16,
                                .gpu = figure.gpu,
                                .batch = figure.batch,
                                .sequence = figure.sequence,
                                .framework = framework,
                                .recompute = recompute,
                                .tuning = figure.tuning,
                                .shards = figure.gpus,
                                .gathers = figure.sharded});
  if (gpu == nullptr || !rate) {
    throw ModelError(fmt::format("{} on {}: not known", figure.network, figure.gpu));
  }
  const double tokens = static_cast<double>(figure.batch) * figure.sequence;
  const double alone_s = figure.batch / rate->items_per_s;
  const double step_s = step_seconds(figure, network, *gpu, recompute, alone_s);
  const ExchangeLaw law;
  ShardedCheck check;
  check.tokens_per_s_per_gpu = tokens / step_s;
  check.one_gpu_tokens_per_s = tokens / alone_s;
  check.log_sd = std::hypot(rate->log_sd, law.scaling_log_sd(rate->language, figure.nodes));
  check.regime = rate->regime;
  if (figure.tokens_per_s_per_gpu > 0) {
    const double error = std::log(check.tokens_per_s_per_gpu / figure.tokens_per_s_per_gpu);
    check.inside = std::abs(error) < 1.645 * check.log_sd;
  }
  const auto need = [&](bool again) {
    const MemoryWay way{figure.sharded ? figure.gpus : 0, again};
    return gpu_memory_need(network, Phase::train, Precision::bf16, figure.batch, way);
  };
  check.most = need(recompute);
  check.least = need(figure.recompute != Recompute::none);
  return check;
}

}  // namespace rightsize
