#include "kernels/cpu/optimizer.h"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/simd.h"

namespace rightsize::cpu {
namespace {

struct AdamFactors {
  float beta1, beta2;
  float rate;           // rate / (1 - beta1^t)
  float root;           // 1 / sqrt(1 - beta2^t)
  float epsilon;        //
  float kept_of_value;  // 1 - rate * decay
};

RIGHTSIZE_SIMD_CLONES void adam_span(float* value,
                                     float* mean,
                                     float* square,
                                     const float* gradient,
                                     std::int64_t count,
                                     const AdamFactors& f) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float g = gradient[i];
    mean[i] = f.beta1 * mean[i] + (1.0F - f.beta1) * g;
    square[i] = f.beta2 * square[i] + (1.0F - f.beta2) * g * g;
    value[i] = f.kept_of_value * value[i] -
               f.rate * mean[i] / (__builtin_sqrtf(square[i]) * f.root + f.epsilon);
  }
}

// Counts are physical: padding holds zeros and stays zero.
std::int64_t floats_of(const Tensor& tensor) {
  return static_cast<std::int64_t>(tensor.desc().get_size() / sizeof(float));
}

}  // namespace

// Threads do not wait for each other between the parameters.
void sgd(std::span<const Parameter> parameters, const UpdateOptions& options) {
#pragma omp parallel
  for (const auto& parameter : parameters) {
    float* const value = parameter.value.data();
    float* const velocity = parameter.momentum.data();
    const float* const gradient = parameter.gradient.data();
    const float decay = parameter.decays ? options.decay : 0.0F;
    const auto count = floats_of(parameter.value);
#pragma omp for simd schedule(static) nowait
    for (std::int64_t i = 0; i < count; ++i) {
      velocity[i] = options.momentum * velocity[i] + gradient[i] + decay * value[i];
      value[i] -= options.rate * velocity[i];
    }
  }
}

void adam(std::span<const Parameter> parameters, const UpdateOptions& options, std::uint64_t t) {
  constexpr std::int64_t piece = 4096;  // floats handed to a thread at a time
  const auto steps = static_cast<double>(t);
  const double mean_weight = 1 - std::pow(static_cast<double>(options.beta1), steps);
  const double square_weight = 1 - std::pow(static_cast<double>(options.beta2), steps);
  AdamFactors factors{options.beta1,
                      options.beta2,
                      static_cast<float>(static_cast<double>(options.rate) / mean_weight),
                      static_cast<float>(1 / std::sqrt(square_weight)),
                      options.epsilon,
                      1.0F};
#pragma omp parallel firstprivate(factors)
  for (const auto& parameter : parameters) {
    factors.kept_of_value = parameter.decays ? 1.0F - options.rate * options.decay : 1.0F;
    const auto count = floats_of(parameter.value);
#pragma omp for schedule(static) nowait
    for (std::int64_t i = 0; i < count; i += piece) {
      adam_span(parameter.value.data() + i,
                parameter.momentum.data() + i,
                parameter.second_moment.data() + i,
                parameter.gradient.data() + i,
                std::min(piece, count - i),
                factors);
    }
  }
}

}  // namespace rightsize::cpu
