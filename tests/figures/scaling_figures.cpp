#include "figures/scaling_figures.h"

#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/work.h"
#include "models/calibration_table.h"
#include "models/model.h"

namespace rightsize {

std::vector<ScalingFigure> parse_scaling_figures(std::string_view csv) {
  std::vector<ScalingFigure> figures;
  for (const auto& row : parse_table(csv, "calibration/scaling.csv")) {
    const auto precision = parse_precision(row.text("precision"));
    if (!precision) {
      throw ModelError(fmt::format("calibration/scaling.csv:{}: unknown precision", row.line));
    }
    figures.push_back({row.text("network"),
                       *precision,
                       static_cast<int>(row.number("batch")),
                       static_cast<int>(row.number("sequence")),
                       row.text("gpu"),
                       static_cast<int>(row.number("gpus")),
                       static_cast<int>(row.number("nodes")),
                       row.text("interconnect"),
                       row.number("one_gpu_rate"),
                       row.number("rate"),
                       row.text("unit"),
                       row.text("framework"),
                       row.text("source")});
  }
  return figures;
}

std::optional<ScalingCheck> check_scaling(const ScalingFigure& figure, const GpuSpec& gpu) {
  const ExchangeLaw law;
  std::optional<Network> network;
  try {
    network = make_network(figure.network, figure.sequence);
  } catch (const std::runtime_error&) {  // not built in
    return std::nullopt;
  }
  const int per_node = figure.gpus / figure.nodes;
  const auto words = parse_interconnect(figure.interconnect).value_or(InterconnectWords{});
  const Cluster cluster{
      per_node, figure.nodes, interconnect_of(words, gpu, per_node, figure.nodes)};
  const auto buckets =
      gradient_buckets(*network, bytes_per_element(figure.precision), law.bucket_bytes);
  const double step_s =
      figure.unit == "steps/s" ? 1 / figure.one_gpu_rate : figure.batch / figure.one_gpu_rate;
  ScalingCheck check;
  check.exchange = best_exchange(law, cluster, buckets, step_s);
  const bool server = figure.framework.find("dist") != std::string::npos;
  const double together_s =
      synchronous_step_seconds(law, cluster, {check.exchange, server}, buckets, step_s);
  check.published = figure.rate / (figure.gpus * figure.one_gpu_rate);
  check.predicted = step_s / together_s;
  const double sd = law.scaling_log_sd(false, figure.nodes);
  check.inside = std::abs(std::log(check.predicted / check.published)) < 1.645 * sd;
  return check;
}

}  // namespace rightsize
