// Naive truth for the layers of detectors and segmenters, in double. Values are in logical order
// (n, c, h, w), as CpuEngine::output() gives them.
#pragma once

#include <cstdint>
#include <vector>

#include "support/reference_sequence.h"

namespace rightsize::test {

// Windows side by side, one for each position of the input.
inline Values transposed_convolution(const Layer& layer,
                                     std::int64_t items,
                                     const FeatureShape& in,
                                     const Values& x,
                                     const Values& weights,
                                     const Values& bias) {
  Values y(static_cast<std::size_t>(items * layer.out.elements()));
  const FeatureShape filter{in.c, layer.kernel_h, layer.kernel_w};
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    double sum = bias.empty() ? 0 : static_cast<double>(bias[static_cast<std::size_t>(c)]);
    for (std::int64_t k = 0; k < in.c; ++k) {
      const auto from = at(in, n, k, h / layer.kernel_h, w / layer.kernel_w);
      const auto by = at(filter, c, k, h % layer.kernel_h, w % layer.kernel_w);
      sum += static_cast<double>(x[from]) * static_cast<double>(weights[by]);
    }
    y[at(layer.out, n, c, h, w)] = static_cast<float>(sum);
  });
  return y;
}

// Where the middle of position `to` lies between those of a row `times` shorter.
inline double place_of(std::int64_t to, std::int64_t times, std::int64_t length) {
  const double place = (static_cast<double>(to) + 0.5) / static_cast<double>(times) - 0.5;
  return std::clamp(place, 0.0, static_cast<double>(length - 1));
}

inline Values interpolate(const Layer& layer, std::int64_t items, const Values& x) {
  const FeatureShape in{layer.out.c, layer.out.h / layer.kernel_h, layer.out.w / layer.kernel_w};
  Values y(static_cast<std::size_t>(items * layer.out.elements()));
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    const double down = place_of(h, layer.kernel_h, in.h);
    const double right = place_of(w, layer.kernel_w, in.w);
    double sum = 0;
    for (std::int64_t i = 0; i < in.h; ++i) {
      for (std::int64_t j = 0; j < in.w; ++j) {
        const double share = std::max(0.0, 1 - std::abs(down - static_cast<double>(i))) *
                             std::max(0.0, 1 - std::abs(right - static_cast<double>(j)));
        sum += share * static_cast<double>(x[at(in, n, c, i, j)]);
      }
    }
    y[at(layer.out, n, c, h, w)] = static_cast<float>(sum);
  });
  return y;
}

inline Sequence expected_bin(const Layer& layer, std::int64_t items, const Sequence& x) {
  Sequence y(items, layer.out.positions(), layer.out.c);
  for_each(layer.out, items, [&](auto n, auto c, auto t, auto) {
    if (c >= layer.groups) {
      y(n, t, c) = static_cast<float>(x(n, t, c + layer.groups * (layer.bins - 1)));
      return;
    }
    double sum = 0;
    double moment = 0;
    for (std::int64_t b = 0; b < layer.bins; ++b) {
      const double power = std::exp(x(n, t, c * layer.bins + b));
      sum += power;
      moment += power * static_cast<double>(b);
    }
    y(n, t, c) = static_cast<float>(moment / sum);
  });
  return y;
}

namespace detected {

inline double binary(double z, bool wanted) {
  return std::log(1 + std::exp(wanted ? -z : z));
}

inline double scores_cost(
    const Layer& layer, const Sequence& x, std::int64_t n, std::int64_t t, std::int32_t label) {
  const auto first = layer.box_features;
  const bool any_first = layer.scoring == Scoring::objectness;
  double cost = 0;
  if (layer.scoring == Scoring::softmax) {
    double sum = 0;
    for (std::int64_t c = first; c < layer.out.c; ++c) {
      sum += std::exp(x(n, t, c));
    }
    return std::log(sum) - x(n, t, first + label);
  }
  for (std::int64_t c = first; c < layer.out.c; ++c) {
    const auto score = c - first;
    if (any_first && score == 0) {
      cost += binary(x(n, t, c), label > 0);
    } else if (!any_first || label > 0) {
      cost += binary(x(n, t, c), score + (any_first ? 0 : 1) == label);
    }
  }
  return cost;
}

}  // namespace detected

// `target`: items x box features x positions.
inline double detection_loss(const Layer& layer,
                             std::int64_t items,
                             const Sequence& x,
                             const Values& target,
                             const std::vector<std::int32_t>& labels) {
  const FeatureShape boxes{layer.box_features, layer.out.positions(), 1};
  double sum = 0;
  std::int64_t objects = 0;
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t t = 0; t < layer.out.positions(); ++t) {
      const auto label = labels[static_cast<std::size_t>(n * layer.out.positions() + t)];
      sum += label < 0 ? 0 : detected::scores_cost(layer, x, n, t, label);
      objects += label > 0 ? 1 : 0;
      for (std::int64_t c = 0; label > 0 && c < layer.box_features; ++c) {
        const double d = std::abs(x(n, t, c) - static_cast<double>(target[at(boxes, n, c, t, 0)]));
        sum += d < 1 ? d * d / 2 : d - 0.5;
      }
    }
  }
  return sum / static_cast<double>(std::max<std::int64_t>(objects, 1));
}

}  // namespace rightsize::test
