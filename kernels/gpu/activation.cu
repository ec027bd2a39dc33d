// The element-wise functions beside ReLU and their gradients, one pass over memory each. Where the
// derivative can be told from the result, the backward pass reads that, else the input.
#include "kernels/gpu/element.cuh"
#include "kernels/gpu/kernels.h"

namespace rightsize::gpu {
namespace {

__device__ float logistic(float x) {
  return 1.0F / (1.0F + expf(-x));
}

// Each has value(x) and slope(v), where v is the result if `from_output`, else x; `alpha` where the
// function has a parameter.
struct Relu6 {
  static constexpr bool from_output = true;
  __device__ float value(float x) const {
    const float positive = positive_part(x);
    return positive > 6 ? 6 : positive;
  }
  __device__ float slope(float y) const { return y > 0 && y < 6 ? 1 : 0; }
};

struct Sigmoid {
  static constexpr bool from_output = true;
  __device__ float value(float x) const { return logistic(x); }
  __device__ float slope(float y) const { return y * (1 - y); }
};

struct Tanh {
  static constexpr bool from_output = true;
  __device__ float value(float x) const { return tanhf(x); }
  __device__ float slope(float y) const { return 1 - y * y; }
};

// x Phi(x), with Phi the normal distribution and phi its density.
struct Gelu {
  static constexpr bool from_output = false;
  static __device__ float distribution(float x) { return 0.5F * erfcf(-x * 0.70710678F); }
  __device__ float value(float x) const { return x * distribution(x); }
  __device__ float slope(float x) const {
    return distribution(x) + x * 0.39894228F * expf(-0.5F * x * x);
  }
};

// Phi(x) is nearly (1 + tanh u) / 2 with u = sqrt(2 / pi) (x + 0.044715 x^3).
struct GeluTanh {
  static constexpr bool from_output = false;
  static constexpr float cubic = 0.044715F;
  static constexpr float factor = 0.79788456F;
  static __device__ float bend(float x) { return tanhf(factor * (x + cubic * x * x * x)); }
  __device__ float value(float x) const { return 0.5F * x * (1 + bend(x)); }
  __device__ float slope(float x) const {
    const float t = bend(x);
    return 0.5F * (1 + t) + 0.5F * x * (1 - t * t) * factor * (1 + 3 * cubic * x * x);
  }
};

struct Silu {
  static constexpr bool from_output = false;
  __device__ float value(float x) const { return x * logistic(x); }
  __device__ float slope(float x) const {
    const float s = logistic(x);
    return s * (1 + x * (1 - s));
  }
};

struct HardSigmoid {
  static constexpr bool from_output = true;
  __device__ float value(float x) const { return fminf(fmaxf(x / 6 + 0.5F, 0.0F), 1.0F); }
  __device__ float slope(float y) const { return y > 0 && y < 1 ? 1.0F / 6 : 0; }
};

struct HardSwish {
  static constexpr bool from_output = false;
  __device__ float value(float x) const { return x * HardSigmoid{}.value(x); }
  __device__ float slope(float x) const {
    return x <= -3 ? 0.0F : x >= 3 ? 1.0F : x / 3 + 0.5F;
  }
};

struct LeakyRelu {
  static constexpr bool from_output = false;
  float alpha;
  __device__ float value(float x) const { return x > 0 ? x : alpha * x; }
  __device__ float slope(float x) const { return x > 0 ? 1 : alpha; }
};

struct Elu {
  static constexpr bool from_output = false;
  float alpha;
  __device__ float value(float x) const { return x > 0 ? x : alpha * expm1f(x); }
  __device__ float slope(float x) const { return x > 0 ? 1 : alpha * expf(x); }
};

struct SquaredRelu {
  static constexpr bool from_output = false;
  __device__ float value(float x) const { return fmaxf(x, 0.0F) * fmaxf(x, 0.0F); }
  __device__ float slope(float x) const { return 2 * fmaxf(x, 0.0F); }
};

// Calls action with the function.
template <typename Action>
void dispatch_function(Activation function, float alpha, Action action) {
  switch (function) {
    case Activation::relu6:
      return action(Relu6{});
    case Activation::sigmoid:
      return action(Sigmoid{});
    case Activation::tanh:
      return action(Tanh{});
    case Activation::gelu:
      return action(Gelu{});
    case Activation::gelu_tanh:
      return action(GeluTanh{});
    case Activation::silu:
      return action(Silu{});
    case Activation::hard_sigmoid:
      return action(HardSigmoid{});
    case Activation::hard_swish:
      return action(HardSwish{});
    case Activation::leaky_relu:
      return action(LeakyRelu{alpha});
    case Activation::elu:
      return action(Elu{alpha});
    case Activation::squared_relu:
      return action(SquaredRelu{});
  }
}

template <typename Function, typename T>
struct Apply {
  const T* x;
  T* y;
  Function function;

  template <int N>
  __device__ void run(std::int64_t at) const {
    auto values = load<N>(x + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      values.values[k] = from_float<T>(function.value(to_float(values.values[k])));
    }
    store<N>(y + at, values);
  }
};

template <typename Function, typename T>
struct ApplyBackward {
  const T* kept;
  const T* dy;
  T* dx;
  Function function;

  template <int N>
  __device__ void run(std::int64_t at) const {
    const auto known = load<N>(kept + at);
    auto gradient = load<N>(dy + at);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const float slope = function.slope(to_float(known.values[k]));
      gradient.values[k] = from_float<T>(slope * to_float(gradient.values[k]));
    }
    store<N>(dx + at, gradient);
  }
};

}  // namespace

bool told_from_output(Activation function) {
  bool result = false;
  dispatch_function(function, 1, [&](auto f) { result = decltype(f)::from_output; });
  return result;
}

void launch_activation(Activation function,
                       float alpha,
                       const void* x,
                       void* y,
                       ElementType type,
                       std::int64_t count,
                       cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    dispatch_function(function, alpha, [&](auto f) {
      run_for_each<T>(
          count, stream, Apply<decltype(f), T>{static_cast<const T*>(x), static_cast<T*>(y), f});
    });
  });
}

void launch_activation_backward(Activation function,
                                float alpha,
                                const void* kept,
                                const void* dy,
                                void* dx,
                                ElementType type,
                                std::int64_t count,
                                cudaStream_t stream) {
  dispatch(type, [&](auto element) {
    using T = decltype(element);
    dispatch_function(function, alpha, [&](auto f) {
      run_for_each<T>(
          count,
          stream,
          ApplyBackward<decltype(f), T>{
              static_cast<const T*>(kept), static_cast<const T*>(dy), static_cast<T*>(dx), f});
    });
  });
}

}  // namespace rightsize::gpu
