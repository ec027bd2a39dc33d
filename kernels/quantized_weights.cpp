#include "kernels/quantized_weights.h"

#include <algorithm>

#include "kernels/alive_elements.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr double bits_per_byte = 8;

bool is_matrix(const Layer& layer) {
  return layer.kind == LayerKind::linear || layer.kind == LayerKind::convolution;
}

}  // namespace

bool widens_weights(const Network& network) {
  return std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
    return layer.weight_bits > 0;
  });
}

double bytes_of_weight(std::int64_t bits) {
  constexpr double scale_bits = 32;
  constexpr double group = 64;
  const auto own = static_cast<double>(bits);
  return (own < bits_per_byte ? own + scale_bits / group : own) / bits_per_byte;
}

std::vector<double> kept_bytes_per_parameter(const Network& network, Precision precision) {
  std::vector<double> bytes(network.layers.size(), bytes_per_element(precision));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (network.layers[i].weight_bits > 0) {
      bytes[i] = bytes_of_weight(network.layers[i].weight_bits);
    }
  }
  if (precision == Precision::fp8 && is_denoiser(network)) {
    const auto end = first_of_decoder(network);
    for (auto i = first_of_denoiser(network); i < end; ++i) {
      bytes[i] = is_matrix(network.layers[i]) ? 1 : bytes[i];
    }
  }
  return bytes;
}

double largest_widened_bytes(const Network& network, Precision precision) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].weight_bits > 0) {
      most = std::max(most, layer_work(network, i).parameters);
    }
  }
  return static_cast<double>(most) * bytes_per_element(precision);
}

}  // namespace rightsize
