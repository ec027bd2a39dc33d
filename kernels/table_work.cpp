#include "kernels/table_work.h"

#include <algorithm>

#include "kernels/work.h"

namespace rightsize {
namespace {

double as_double(std::int64_t value) {
  return static_cast<double>(value);
}

}  // namespace

void add_bags(const Layer& layer, LayerWork& work) {
  constexpr double sgd_flops = 2;      // rate times gradient, subtracted
  constexpr double adagrad_flops = 7;  // squared, added up, root, epsilon, divided, and that
  const double looked_up = as_double(layer.looked_up() * layer.row_elements());
  const double update = layer.table_update == TableUpdate::sgd       ? sgd_flops
                        : layer.table_update == TableUpdate::adagrad ? adagrad_flops
                                                                     : 1;
  work.parameters = static_cast<std::uint64_t>(layer.table_rows() * layer.row_elements());
  work.forward_flops = looked_up - as_double(layer.out.c);
  work.backward_flops = update * looked_up;
}

void add_pairwise_dots(const FeatureShape& in, LayerWork& work) {
  const auto vectors = static_cast<std::int64_t>(work.input_elements) / in.elements();
  const auto pairs = vectors * (vectors - 1) / 2;
  work.forward_flops = 2 * as_double(pairs * in.elements());
  work.backward_flops = 2 * work.forward_flops + as_double(in.elements());
}

bool has_row_tables(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.updates_rows();
  });
}

bool looks_up_tables(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.kind == LayerKind::embedding_bags;
  });
}

std::uint64_t row_table_parameters(const Network& network) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += network.layers[i].updates_rows() ? layer_work(network, i).parameters : 0;
  }
  return sum;
}

std::uint64_t row_table_elements(const Network& network) {
  std::uint64_t sum = 0;
  for (const auto& layer : network.layers) {
    sum += layer.updates_rows() ? static_cast<std::uint64_t>(layer.out.elements()) : 0;
  }
  return sum;
}

std::uint64_t row_table_bytes(const Network& network, Phase phase, Precision precision) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    if (layer.updates_rows()) {
      const bool sums = phase == Phase::train && layer.table_update == TableUpdate::adagrad;
      const auto each = has_backward(phase)
                            ? sizeof(float) * (sums ? 2 : 1)
                            : static_cast<std::size_t>(bytes_per_element(precision));
      sum += layer_work(network, i).parameters * each;
    }
  }
  return sum;
}

}  // namespace rightsize
