// Naive truth for the layers of models that make pictures, in double. Values are in logical order
// (n, c, h, w), as CpuEngine::output() gives them.
#pragma once

#include <numbers>

#include "support/reference_sequence.h"

namespace rightsize::test {

inline Values group_norm(const Layer& layer,
                         std::int64_t items,
                         const Values& x,
                         const Values& scale,
                         const Values& shift) {
  const auto& shape = layer.out;
  const auto members = shape.c / layer.groups;
  const auto count = static_cast<double>(members * shape.positions());
  std::vector<double> mean(static_cast<std::size_t>(items * layer.groups), 0);
  auto square = mean;
  const auto group = [&](auto n, auto c) {
    return static_cast<std::size_t>(n * layer.groups + c / members);
  };
  for_each(shape, items, [&](auto n, auto c, auto h, auto w) {
    mean[group(n, c)] += static_cast<double>(x[at(shape, n, c, h, w)]) / count;
  });
  for_each(shape, items, [&](auto n, auto c, auto h, auto w) {
    const double distance = static_cast<double>(x[at(shape, n, c, h, w)]) - mean[group(n, c)];
    square[group(n, c)] += distance * distance / count;
  });
  Values y(x.size());
  for_each(shape, items, [&](auto n, auto c, auto h, auto w) {
    const auto i = at(shape, n, c, h, w);
    const auto of_channel = static_cast<std::size_t>(c);
    const double normal = (static_cast<double>(x[i]) - mean[group(n, c)]) /
                          std::sqrt(square[group(n, c)] + static_cast<double>(layer.epsilon));
    y[i] = static_cast<float>(normal * static_cast<double>(scale[of_channel]) +
                              static_cast<double>(shift[of_channel]));
  });
  return y;
}

inline Values upsample(const Layer& layer, std::int64_t items, const Values& x) {
  const FeatureShape in{layer.out.c, layer.out.h / layer.kernel_h, layer.out.w / layer.kernel_w};
  Values y(static_cast<std::size_t>(items * layer.out.elements()));
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    y[at(layer.out, n, c, h, w)] = x[at(in, n, c, h / layer.kernel_h, w / layer.kernel_w)];
  });
  return y;
}

// One number for each channel, {c, 1, 1}, added to or multiplied with every position.
inline Values per_channel(const Layer& layer,
                          std::int64_t items,
                          const Values& x,
                          const Values& vector) {
  Values y(x.size());
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    const auto i = at(layer.out, n, c, h, w);
    const float number = vector[static_cast<std::size_t>(n * layer.out.c + c)];
    y[i] = layer.kind == LayerKind::multiply ? x[i] * number : x[i] + number;
  });
  return y;
}

inline Sequence gated_gelu(const Layer& layer, std::int64_t items, const Sequence& x) {
  Sequence y(items, layer.out.positions(), layer.out.c);
  for_each(layer.out, items, [&](auto n, auto c, auto t, auto) {
    const double gate = x(n, t, layer.out.c + c);
    y(n, t, c) =
        static_cast<float>(x(n, t, c) * gate * 0.5 * std::erfc(-gate / std::numbers::sqrt2));
  });
  return y;
}

// Keys and values side by side in a sequence of their own.
inline Sequence attention_to(const Layer& layer,
                             std::int64_t items,
                             const Sequence& queries,
                             const Sequence& pairs) {
  const auto d = layer.head_dim;
  Sequence y(items, layer.out.positions(), layer.out.c);
  for_each({layer.heads, layer.out.positions(), 1}, items, [&](auto n, auto h, auto t, auto) {
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t s = 0; s < layer.keys; ++s) {
      double score = 0;
      for (std::int64_t c = 0; c < d; ++c) {
        score += queries(n, t, h * d + c) * pairs(n, s, h * d + c);
      }
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(d))));
      sum += weights.back();
    }
    for (std::int64_t c = 0; c < d; ++c) {
      double mixed = 0;
      for (std::int64_t s = 0; s < layer.keys; ++s) {
        mixed +=
            weights[static_cast<std::size_t>(s)] / sum * pairs(n, s, (layer.heads + h) * d + c);
      }
      y(n, t, h * d + c) = static_cast<float>(mixed);
    }
  });
  return y;
}

// RMS normalisation of each head's features, by a scale that heads share.
inline Sequence head_norm(const Layer& layer,
                          std::int64_t items,
                          const Sequence& x,
                          const Values& scale) {
  const auto d = layer.out.c / layer.heads;
  Sequence y(items, layer.out.positions(), layer.out.c);
  for_each(layer.out, items, [&](auto n, auto c, auto t, auto) {
    double squares = 0;
    for (std::int64_t i = 0; i < d; ++i) {
      squares += std::pow(x(n, t, c / d * d + i), 2) / static_cast<double>(d);
    }
    y(n, t, c) =
        static_cast<float>(x(n, t, c) / std::sqrt(squares + static_cast<double>(layer.epsilon)) *
                           static_cast<double>(scale[static_cast<std::size_t>(c % d)]));
  });
  return y;
}

// Patches, row by row, of side x side positions; of each the channels of a position together.
inline Values unpatch(const Layer& layer, std::int64_t items, const Sequence& x) {
  const auto& out = layer.out;
  const auto side =
      std::lround(std::sqrt(static_cast<double>(x.shape().c) / static_cast<double>(out.c)));
  Values y(static_cast<std::size_t>(items * out.elements()));
  for_each(out, items, [&](auto n, auto c, auto h, auto w) {
    const auto patch = h / side * (out.w / side) + w / side;
    const auto feature = (h % side * side + w % side) * out.c + c;
    y[at(out, n, c, h, w)] = static_cast<float>(x(n, patch, feature));
  });
  return y;
}

inline double mean_squared_error(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
  }
  return sum / static_cast<double>(a.size());
}

}  // namespace rightsize::test
