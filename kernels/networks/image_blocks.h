// The blocks that networks for images share; each returns the index of its last layer.
#pragma once

#include <optional>
#include <string>

#include "kernels/networks/builder.h"

namespace rightsize {

// What follows a norm; without one ReLU, which is a layer of its own kind.
using Nonlinearity = std::optional<Activation>;

[[nodiscard]] int nonlinear(NetworkBuilder& net,
                            const std::string& name,
                            int from,
                            Nonlinearity function);

// A convolution without biases and its batch norm.
[[nodiscard]] int convolution_norm(NetworkBuilder& net,
                                   const std::string& name,
                                   int from,
                                   std::int64_t channels,
                                   Window window,
                                   float epsilon = 1e-5F);

// The same and ReLU, as the residual networks have it.
[[nodiscard]] int convolution_norm_relu(NetworkBuilder& net,
                                        const std::string& name,
                                        int from,
                                        std::int64_t channels,
                                        Window window);

// The norm and what follows it.
[[nodiscard]] int convolution_norm_active(NetworkBuilder& net,
                                          const std::string& name,
                                          int from,
                                          std::int64_t channels,
                                          Window window,
                                          Nonlinearity function,
                                          float epsilon);

// Squeeze and excitation: Hu et al., CVPR 2018. Each channel is weighed by a gate that sees the
// means of all of them through two biased 1x1 convolutions.
struct Excitation {
  std::int64_t squeezed = 0;  // channels between the two; 0: there is none
  Nonlinearity between = std::nullopt;
  Activation gate = Activation::sigmoid;
};

[[nodiscard]] int squeeze_and_excite(NetworkBuilder& net,
                                     const std::string& name,
                                     int from,
                                     const Excitation& excitation);

// Sandler et al., "MobileNetV2", CVPR 2018: widened, each channel filtered by itself, excited, and
// narrowed again without a function; the input is added where shapes agree.
struct InvertedResidual {
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  std::int64_t wide = 0;  // channels of the filter; those of the input: nothing is widened
  std::int64_t channels = 0;
  Nonlinearity function = std::nullopt;
  Excitation excitation = {};
  float epsilon = 1e-3F;
};

[[nodiscard]] int inverted_residual(NetworkBuilder& net,
                                    const std::string& name,
                                    int from,
                                    const InvertedResidual& block);

// The multiple of 8 next to `channels`, at least 8 and no tenth below it: how the MobileNets and
// EfficientNets round what a multiplier or a quotient makes.
[[nodiscard]] std::int64_t rounded_channels(double channels);

}  // namespace rightsize
