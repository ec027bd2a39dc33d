// One direction of one convolution: its descriptor and the algorithm that was chosen for it.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/gpu/convolution_direction.h"
#include "kernels/gpu/device.h"

namespace rightsize::gpu {

// Rows and columns of zeros that go on either side of an image.
struct SymmetricPadding {
  std::int64_t h = 0;
  std::int64_t w = 0;
};

template <typename Direction>
class Pass {
 public:
  Pass(const Device& device, const ConvolutionShape& shape) : device_(device), shape_(shape) {}

  void describe(const Layer& layer, const SymmetricPadding& padding) {
    const auto as_int = [](std::int64_t value) { return static_cast<int>(value); };
    check(cudnnSetConvolution2dDescriptor(descriptor_.get(),
                                          as_int(padding.h),
                                          as_int(padding.w),
                                          as_int(layer.stride_h),
                                          as_int(layer.stride_w),
                                          as_int(layer.dilation_h),
                                          as_int(layer.dilation_w),
                                          CUDNN_CROSS_CORRELATION,
                                          CUDNN_DATA_FLOAT));
    check(cudnnSetConvolutionGroupCount(descriptor_.get(), as_int(layer.groups)));
    check(cudnnSetConvolutionMathType(descriptor_.get(), device_.math()));
  }

  // Takes cuDNN's own guess and returns the workspace that lets all candidates be tried later.
  // Throws GpuError (unsupported) naming `layer` when there is no algorithm.
  [[nodiscard]] std::size_t guess(const std::string& layer) {
    cudnnStatus_t status{};
    const auto results = ask<Result>(
        [&](int capacity, int* count, Result* out) {
          return Direction::guess(call(), capacity, count, out);
        },
        status);
    const auto choice = fastest(results, most_workspace, device_.precision());
    if (!choice) {
      throw GpuError(
          abi::Status::unsupported,
          fmt::format("cuDNN has no {} algorithm for layer {} in NHWC at this precision ({}); try "
                      "another precision",
                      Direction::name,
                      layer,
                      cudnnGetErrorString(status)));
    }
    use(*choice);
    return largest_workspace(results, device_.precision());
  }

  // Tries them on the buffers; where that fails the guess stays in place.
  void tune(const ConvolutionBuffers& buffers) {
    cudnnStatus_t status{};
    const auto results = ask<Result>(
        [&](int capacity, int* count, Result* out) {
          return Direction::find(call(), buffers, capacity, count, out);
        },
        status);
    if (const auto choice = fastest(results, buffers.workspace_bytes, device_.precision())) {
      use(*choice);
    }
  }

  void run(const ConvolutionBuffers& buffers) const {
    check(Direction::run(call(), buffers, choice_));
  }

  [[nodiscard]] cudnnConvolutionDescriptor_t descriptor() const { return descriptor_.get(); }
  [[nodiscard]] const typename Direction::Chosen& choice() const { return choice_; }

 private:
  using Result = typename Direction::Result;

  [[nodiscard]] ConvolutionCall call() const {
    return {device_.cudnn(), shape_, descriptor_.get()};
  }

  void use(const typename Direction::Chosen& chosen) {
    choice_ = chosen;
    check(cudnnSetConvolutionMathType(descriptor_.get(), chosen.math));
  }

  const Device& device_;
  const ConvolutionShape& shape_;
  ConvolutionDescriptor descriptor_;
  typename Direction::Chosen choice_;
};

}  // namespace rightsize::gpu
