#include "figures/parallel_figures.h"

#include <cmath>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/calibration_table.h"
#include "models/model.h"

namespace rightsize {

std::vector<ParallelFigure> parse_parallel_figures(std::string_view csv) {
  std::vector<ParallelFigure> figures;
  for (const auto& row : parse_table(csv, "calibration/parallel.csv")) {
    const auto whole = [&](const char* field) { return static_cast<int>(row.number(field)); };
    const auto& recompute = row.text("recompute");
    if (recompute != "none" && recompute != "blocks") {
      throw ModelError(
          fmt::format("calibration/parallel.csv:{}: recompute = {}: expected none or blocks",
                      row.line,
                      recompute));
    }
    figures.push_back({row.text("network"),
                       whole("sequence"),
                       row.text("gpu"),
                       whole("gpus"),
                       whole("nodes"),
                       row.text("interconnect"),
                       {.tensor = whole("tensor"),
                        .pipeline = whole("pipeline"),
                        .micro_batch = whole("micro_batch"),
                        .chunks = whole("chunks")},
                       whole("global_batch"),
                       recompute == "blocks",
                       row.number("step_s"),
                       row.number("memory_gib"),
                       row.text("framework"),
                       row.text("source")});
  }
  return figures;
}

namespace {

// Any batch that fills the pipeline: what a GPU holds does not grow beyond. Software of before
// sequence parallelism keeps blocks' inputs whole on each GPU that shares them.
GpuMemoryNeed memory_of(const ParallelFigure& figure,
                        const Network& network,
                        const ModelShape& shape) {
  auto need = gpu_memory_need(network,
                              Phase::train,
                              Precision::bf16,
                              figure.way.micro_batch * figure.way.pipeline,
                              {figure.copies(), figure.recompute, figure.way});
  const double inputs = shape.blocks * shape.passed_elements * figure.way.micro_batch *
                        bytes_per_element(Precision::bf16);
  need.activations_bytes += inputs * (1 - 1.0 / figure.way.tensor);
  return need;
}

}  // namespace

ParallelCheck check_parallel(const ParallelFigure& figure,
                             const GpuRates& rates,
                             std::string_view framework,
                             const std::string& folder) {
  const bool file = figure.network.ends_with(".json");
  const auto name = file ? folder + "/" + figure.network : figure.network;
  const auto network = make_network(name, figure.sequence);
  const GpuSpec* gpu = rates.find(figure.gpu);
  const int micro_batches = figure.global_batch / figure.copies() / figure.way.micro_batch;
  const auto rate = rates.rate({.network = name,
                                .phase = Phase::train,
                                .precision = Precision::bf16,
                                .gpu = figure.gpu,
                                .batch = figure.way.micro_batch,
                                .sequence = figure.sequence,
                                .framework = framework,
                                .recompute = figure.recompute,
                                .tensor = figure.way.tensor,
                                .shards = figure.copies(),
                                .portions = micro_batches});
  if (gpu == nullptr || !rate) {
    throw ModelError(fmt::format("{} on {}: not known", figure.network, figure.gpu));
  }
  const ExchangeLaw law;
  const int gpus_per_node = figure.gpus / figure.nodes;
  const auto words = parse_interconnect(figure.interconnect).value_or(InterconnectWords{});
  const Cluster cluster{
      gpus_per_node, figure.nodes, interconnect_of(words, *gpu, gpus_per_node, figure.nodes)};
  const auto shape = model_shape(network);
  ParallelCheck check;
  check.micro_s = figure.way.micro_batch / rate->items_per_s;
  check.step_s = model_parallel_step_seconds(law,
                                             cluster,
                                             figure.way,
                                             shape,
                                             micro_batches,
                                             bytes_per_element(Precision::bf16),
                                             figure.recompute,
                                             check.micro_s);
  check.log_sd = std::hypot(rate->log_sd, law.scaling_log_sd(rate->language, figure.nodes));
  check.inside = std::abs(std::log(check.step_s / figure.step_s)) < 1.645 * check.log_sd;
  check.memory = memory_of(figure, network, shape);
  return check;
}

}  // namespace rightsize
