// Naive truth for the layers: loops over definitions, in double. Slow and meant to be read.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/layer.h"

namespace rightsize::test {

using Values = std::vector<float>;

inline std::size_t at(
    const FeatureShape& shape, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  return static_cast<std::size_t>(((n * shape.c + c) * shape.h + h) * shape.w + w);
}

inline bool inside(const FeatureShape& shape, std::int64_t h, std::int64_t w) {
  return h >= 0 && h < shape.h && w >= 0 && w < shape.w;
}

// Calls visit(n, c, h, w) for every element of `items` outputs of this shape.
template <typename Visit>
void for_each(const FeatureShape& shape, std::int64_t items, Visit visit) {
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t c = 0; c < shape.c; ++c) {
      for (std::int64_t h = 0; h < shape.h; ++h) {
        for (std::int64_t w = 0; w < shape.w; ++w) {
          visit(n, c, h, w);
        }
      }
    }
  }
}

// Calls visit(h, w, i, j) for the input positions under the window whose output is (h, w).
template <typename Visit>
void for_window(const Layer& layer, std::int64_t h, std::int64_t w, Visit visit) {
  for (std::int64_t i = 0; i < layer.kernel_h; ++i) {
    for (std::int64_t j = 0; j < layer.kernel_w; ++j) {
      visit(h * layer.stride_h - layer.pad_h + i * layer.dilation_h,
            w * layer.stride_w - layer.pad_w + j * layer.dilation_w,
            i,
            j);
    }
  }
}

inline Values convolution(const Layer& layer,
                          const FeatureShape& in,
                          std::int64_t items,
                          const Values& x,
                          const Values& weights,
                          const Values& bias) {
  Values y(static_cast<std::size_t>(items * layer.out.elements()));
  const auto per_group = in.c / layer.groups;
  const FeatureShape filter{per_group, layer.kernel_h, layer.kernel_w};
  for_each(layer.out, items, [&](auto n, auto k, auto h, auto w) {
    const auto first = k / (layer.out.c / layer.groups) * per_group;
    double sum = bias.empty() ? 0 : bias[static_cast<std::size_t>(k)];
    for (std::int64_t c = 0; c < per_group; ++c) {
      for_window(layer, h, w, [&](auto y_in, auto x_in, auto i, auto j) {
        if (inside(in, y_in, x_in)) {
          sum += static_cast<double>(x[at(in, n, first + c, y_in, x_in)]) *
                 static_cast<double>(weights[at(filter, k, c, i, j)]);
        }
      });
    }
    y[at(layer.out, n, k, h, w)] = static_cast<float>(sum);
  });
  return y;
}

inline Values fully_connected(const Layer& layer,
                              const FeatureShape& in,
                              std::int64_t items,
                              const Values& x,
                              const Values& weights,
                              const Values& bias) {
  Values y;
  const auto features = in.elements();
  for (std::int64_t n = 0; n < items; ++n) {
    for (std::int64_t k = 0; k < layer.out.c; ++k) {
      double sum = bias[static_cast<std::size_t>(k)];
      for (std::int64_t i = 0; i < features; ++i) {
        sum += static_cast<double>(x[static_cast<std::size_t>(n * features + i)]) *
               static_cast<double>(weights[static_cast<std::size_t>(k * features + i)]);
      }
      y.push_back(static_cast<float>(sum));
    }
  }
  return y;
}

inline Values max_pool(const Layer& layer,
                       const FeatureShape& in,
                       std::int64_t items,
                       const Values& x) {
  Values y(static_cast<std::size_t>(items * layer.out.elements()));
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    float best = std::numeric_limits<float>::lowest();
    for_window(layer, h, w, [&](auto y_in, auto x_in, auto, auto) {
      if (inside(in, y_in, x_in)) {
        best = std::max(best, x[at(in, n, c, y_in, x_in)]);
      }
    });
    y[at(layer.out, n, c, h, w)] = best;
  });
  return y;
}

// Where padding counts as zeros the divisor is always the window's area.
inline Values average_pool(const Layer& layer,
                           const FeatureShape& in,
                           std::int64_t items,
                           const Values& x) {
  Values y(static_cast<std::size_t>(items * layer.out.elements()));
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    double sum = 0;
    int inner = 0;
    for_window(layer, h, w, [&](auto y_in, auto x_in, auto, auto) {
      if (inside(in, y_in, x_in)) {
        sum += static_cast<double>(x[at(in, n, c, y_in, x_in)]);
        ++inner;
      }
    });
    const auto area = static_cast<double>(layer.kernel_h * layer.kernel_w);
    y[at(layer.out, n, c, h, w)] = static_cast<float>(sum / (layer.count_padding ? area : inner));
  });
  return y;
}

// With running statistics, as at inference.
inline Values batch_norm(const Layer& layer,
                         std::int64_t items,
                         const Values& x,
                         const Values& scale,
                         const Values& shift,
                         const Values& mean,
                         const Values& variance) {
  Values y(x.size());
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    const auto k = static_cast<std::size_t>(c);
    const double deviation = std::sqrt(static_cast<double>(variance[k] + layer.epsilon));
    const auto i = at(layer.out, n, c, h, w);
    y[i] = static_cast<float>(static_cast<double>(scale[k]) * static_cast<double>(x[i] - mean[k]) /
                                  deviation +
                              static_cast<double>(shift[k]));
  });
  return y;
}

inline double activate(Activation function, double x, double alpha) {
  switch (function) {
    case Activation::relu6:
      return std::min(std::max(x, 0.0), 6.0);
    case Activation::sigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::tanh:
      return std::tanh(x);
    case Activation::gelu:
      return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::gelu_tanh:
      return x / 2 *
             (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * std::pow(x, 3))));
    case Activation::silu:
      return x / (1 + std::exp(-x));
    case Activation::hard_sigmoid:
      return std::clamp(x / 6 + 0.5, 0.0, 1.0);
    case Activation::hard_swish:
      return x * std::clamp(x + 3, 0.0, 6.0) / 6;
    case Activation::leaky_relu:
      return x >= 0 ? x : alpha * x;
    case Activation::elu:
      return x >= 0 ? x : alpha * std::expm1(x);
    case Activation::squared_relu:
      return std::pow(std::max(x, 0.0), 2);
  }
  return 0;
}

inline Values activation(Activation function, const Values& x, double alpha = 1) {
  Values y;
  for (const float value : x) {
    y.push_back(static_cast<float>(activate(function, static_cast<double>(value), alpha)));
  }
  return y;
}

// `b` has the shape of the product or one value per channel.
inline Values multiply(const Layer& layer, std::int64_t items, const Values& a, const Values& b) {
  Values y(a.size());
  const bool gate = b.size() < a.size();
  for_each(layer.out, items, [&](auto n, auto c, auto h, auto w) {
    const auto i = at(layer.out, n, c, h, w);
    y[i] = a[i] * b[gate ? static_cast<std::size_t>(n * layer.out.c + c) : i];
  });
  return y;
}

// Channels of `a`, then those of `b`.
inline Values concat(std::int64_t items, const Values& a, const Values& b) {
  Values y;
  const auto part = [&](const Values& x, std::int64_t n) {
    const auto size = static_cast<std::ptrdiff_t>(x.size()) / items;
    y.insert(y.end(), x.begin() + n * size, x.begin() + (n + 1) * size);
  };
  for (std::int64_t n = 0; n < items; ++n) {
    part(a, n);
    part(b, n);
  }
  return y;
}

// Infinite where the sizes differ.
inline float largest_difference(const Values& a, const Values& b) {
  if (a.size() != b.size()) {
    return std::numeric_limits<float>::infinity();
  }
  float largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i] - b[i]));
  }
  return largest;
}

inline Values local_response_norm(const Layer& layer, std::int64_t items, const Values& x) {
  Values y(x.size());
  const auto& shape = layer.out;
  for_each(shape, items, [&](auto n, auto c, auto h, auto w) {
    double squares = 0;
    const auto half = layer.lrn_size / 2;
    for (auto k = std::max<std::int64_t>(c - half, 0); k <= std::min(c + half, shape.c - 1); ++k) {
      squares += std::pow(static_cast<double>(x[at(shape, n, k, h, w)]), 2);
    }
    const double scale =
        static_cast<double>(layer.lrn_k) +
        static_cast<double>(layer.lrn_alpha) / static_cast<double>(layer.lrn_size) * squares;
    y[at(shape, n, c, h, w)] =
        static_cast<float>(static_cast<double>(x[at(shape, n, c, h, w)]) *
                           std::pow(scale, -static_cast<double>(layer.lrn_beta)));
  });
  return y;
}

}  // namespace rightsize::test
