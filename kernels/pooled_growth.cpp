#include "kernels/pooled_growth.h"

#include <cmath>

#include "kernels/normal_distribution.h"

namespace rightsize {
namespace {

constexpr double of_neighbours = 2.0 / 3.0;

// E[max(0, y)^2] = integral of 2 t P(y > t) over t > 0, of a maximum y around `centre` of n values
// that deviate by `spread`.
double mean_square_of_max(std::int64_t n, double centre, double spread) {
  constexpr double step = 0.02;
  double sum = 0;
  for (double t = step / 2; t < 8; t += step) {
    sum += 2 * t * (1 - std::pow(normal_cdf((t - centre) / spread), static_cast<double>(n))) * step;
  }
  return sum;
}

bool starts_afresh(LayerKind kind) {
  switch (kind) {
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::relu:
    case LayerKind::dropout:
    case LayerKind::local_response_norm:  // divides by about one
    case LayerKind::take_channels:
    case LayerKind::shuffle_channels:
    case LayerKind::concat:  // whose branches are alike: the first stands for them
      return false;
    case LayerKind::input:
    case LayerKind::convolution:
    case LayerKind::fully_connected:
    case LayerKind::batch_norm:
    case LayerKind::global_average_pool:
    case LayerKind::add:
    case LayerKind::activation:
    case LayerKind::multiply:
    case LayerKind::to_sequence:
    case LayerKind::to_image:
    case LayerKind::take_position:
    case LayerKind::class_token:
    case LayerKind::embedding:
    case LayerKind::one_hot:
    case LayerKind::position_embedding:
    case LayerKind::linear:
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
    case LayerKind::attention:
    case LayerKind::gated_silu:
    case LayerKind::experts:
    case LayerKind::linear_recurrence:
    case LayerKind::lstm:
    case LayerKind::given:
    case LayerKind::group_norm:
    case LayerKind::upsample:
    case LayerKind::gated_gelu:
    case LayerKind::join_positions:
    case LayerKind::take_positions:
    case LayerKind::transposed_convolution:
    case LayerKind::expected_bin:
    case LayerKind::log_counts:
    case LayerKind::embedding_bags:
    case LayerKind::pairwise_dots:
    case LayerKind::detection_loss:
    case LayerKind::squared_error:
    case LayerKind::softmax_loss:
      return true;
  }
  return true;
}

}  // namespace

double pooled_growth(std::int64_t n, double correlation) {
  if (n <= 1) {
    return 1;
  }
  // What all share, then what each has alone.
  const double shared = std::sqrt(correlation);
  const double spread = std::sqrt(1 - correlation);
  constexpr double step = 0.1;
  double sum = 0;
  for (double z = -5 + step / 2; z < 5; z += step) {
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    sum += density * mean_square_of_max(n, shared * z, spread) * step;
  }
  return sum / 0.5;  // E[max(0, x)^2] of one
}

double pooled_growth(const Network& network, const Layer& layer) {
  double growth = 1;
  const auto* at = &layer;
  while (!at->inputs.empty()) {
    at = &network.layers[static_cast<std::size_t>(at->inputs.front())];
    if (starts_afresh(at->kind)) {
      break;
    }
    if (at->kind == LayerKind::max_pool) {
      growth *= pooled_growth(at->kernel_h * at->kernel_w, of_neighbours);
    }
  }
  return growth;
}

}  // namespace rightsize
