// Naive truth for the layers of sequences, in double. Sequences are FeatureShape {c, T, 1}; values
// are in logical order (n, c, t), as CpuEngine::output() gives them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/layer.h"
#include "support/reference.h"

namespace rightsize::test {

// A sequence in logical order, read and written by (item, position, feature).
class Sequence {
 public:
  Sequence(std::int64_t items, std::int64_t positions, std::int64_t features)
      : values(static_cast<std::size_t>(items * positions * features)),
        shape_{features, positions, 1} {}
  Sequence(std::int64_t items, const FeatureShape& shape, Values logical)
      : values(std::move(logical)), shape_(shape) {
    values.resize(static_cast<std::size_t>(items * shape.elements()));
  }

  float& operator()(std::int64_t n, std::int64_t t, std::int64_t c) {
    return values[at(shape_, n, c, t, 0)];
  }
  double operator()(std::int64_t n, std::int64_t t, std::int64_t c) const {
    return static_cast<double>(values[at(shape_, n, c, t, 0)]);
  }
  [[nodiscard]] const FeatureShape& shape() const { return shape_; }

  Values values;

 private:
  FeatureShape shape_;
};

inline Sequence linear(const Layer& layer,
                       std::int64_t items,
                       const Sequence& x,
                       const Values& weights,
                       const Values& bias) {
  const auto in = x.shape();
  Sequence y(items, in.positions(), layer.out.c);
  for_each(layer.out, items, [&](auto n, auto k, auto t, auto) {
    double sum = bias.empty() ? 0 : static_cast<double>(bias[static_cast<std::size_t>(k)]);
    for (std::int64_t c = 0; c < in.c; ++c) {
      sum += x(n, t, c) * static_cast<double>(weights[static_cast<std::size_t>(k * in.c + c)]);
    }
    y(n, t, k) = static_cast<float>(sum);
  });
  return y;
}

// Layer normalisation where `shift` is given, RMS normalisation where it is empty.
inline Sequence row_norm(const Layer& layer,
                         std::int64_t items,
                         const Sequence& x,
                         const Values& scale,
                         const Values& shift) {
  const auto width = layer.out.c;
  Sequence y(items, layer.out.positions(), width);
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t t = 0; t < layer.out.positions(); ++t) {
      double mean = 0;
      double squares = 0;
      for (std::int64_t c = 0; c < width && !shift.empty(); ++c) {
        mean += x(n, t, c) / static_cast<double>(width);
      }
      for (std::int64_t c = 0; c < width; ++c) {
        squares += std::pow(x(n, t, c) - mean, 2) / static_cast<double>(width);
      }
      for (std::int64_t c = 0; c < width; ++c) {
        const auto i = static_cast<std::size_t>(c);
        const double normal =
            (x(n, t, c) - mean) / std::sqrt(squares + static_cast<double>(layer.epsilon));
        const double moved = shift.empty() ? 0 : static_cast<double>(shift[i]);
        y(n, t, c) = static_cast<float>(normal * static_cast<double>(scale[i]) + moved);
      }
    }
  }
  return y;
}

// Feature c of head `first` at position t, turned by the rotary embedding if the layer has one.
inline double turned(const Layer& layer,
                     const Sequence& x,
                     std::int64_t n,
                     std::int64_t t,
                     std::int64_t first,
                     std::int64_t c) {
  const auto half = layer.head_dim / 2;
  if (layer.rotary_base <= 0) {
    return x(n, t, first + c);
  }
  const double angle = static_cast<double>(t) * std::pow(layer.rotary_base,
                                                         -2.0 * static_cast<double>(c % half) /
                                                             static_cast<double>(layer.head_dim));
  const double other = c < half ? -x(n, t, first + c + half) : x(n, t, first + c - half);
  return x(n, t, first + c) * std::cos(angle) + other * std::sin(angle);
}

inline Sequence attention(const Layer& layer, std::int64_t items, const Sequence& x) {
  const auto length = layer.out.positions();
  const auto d = layer.head_dim;
  Sequence y(items, length, layer.out.c);
  for_each({layer.heads, length, 1}, items, [&](auto n, auto h, auto t, auto) {
    const auto kv = h / (layer.heads / layer.kv_heads);
    const auto key = (layer.heads + kv) * d;
    const auto value = (layer.heads + layer.kv_heads + kv) * d;
    const auto half = layer.window / 2;
    const auto end = layer.causal       ? t + 1
                     : layer.window > 0 ? std::min(t + half + 1, length)
                                        : length;
    const auto before = layer.causal ? layer.window - 1 : half;
    const auto begin = layer.window > 0 && t > before ? t - before : 0;
    std::vector<double> weights;
    double sum = 0;
    for (std::int64_t s = begin; s < end; ++s) {
      double score = 0;
      for (std::int64_t c = 0; c < d; ++c) {
        score += turned(layer, x, n, t, h * d, c) * turned(layer, x, n, s, key, c);
      }
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(d))));
      sum += weights.back();
    }
    for (std::int64_t c = 0; c < d; ++c) {
      double mixed = 0;
      for (std::int64_t s = begin; s < end; ++s) {
        mixed += weights[static_cast<std::size_t>(s - begin)] / sum * x(n, s, value + c);
      }
      y(n, t, h * d + c) = static_cast<float>(mixed);
    }
  });
  return y;
}

inline Sequence gated_silu(const Layer& layer, std::int64_t items, const Sequence& x) {
  Sequence y(items, layer.out.positions(), layer.out.c);
  for_each(layer.out, items, [&](auto n, auto c, auto t, auto) {
    const double gate = x(n, t, c);
    y(n, t, c) = static_cast<float>(gate / (1 + std::exp(-gate)) * x(n, t, layer.out.c + c));
  });
  return y;
}

}  // namespace rightsize::test
