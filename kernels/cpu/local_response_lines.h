// Normalisation by neighbouring channels, as kernels of our own: oneDNN has fast ones for windows
// of five channels, and of others a reference that took five sixths of a step of the CIFAR ConvNet.
#pragma once

#include <cstdint>

namespace rightsize::cpu {

// Images as `rows` of `channels` values side by side (NHWC).
struct ResponseNorm {
  std::int64_t rows = 0;
  std::int64_t channels = 0;
  std::int64_t size =
      5;                // channels of a window; of an even one the half behind is the longer (ONNX)
  float alpha = 1e-4F;  // of a window's mean square
  float beta = 0.75F;
  float k = 1;

  [[nodiscard]] std::int64_t before() const { return (size - 1) / 2; }
  [[nodiscard]] std::int64_t after() const { return size / 2; }
};

// y = x s^-beta with s = k + alpha / size * (sum of x^2 over the window); s is kept for the
// backward pass.
void normalise_responses(const ResponseNorm& norm, const float* x, float* s, float* y);

// dx = dy s^-beta - 2 alpha beta / size * x * (sum of dy x s^(-beta-1) over the windows that x is
// in); `terms` has room for an image.
void response_gradients(const ResponseNorm& norm,
                        const float* x,
                        const float* s,
                        const float* dy,
                        float* terms,
                        float* dx);

}  // namespace rightsize::cpu
