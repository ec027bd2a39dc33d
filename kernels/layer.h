// One layer of a network, with the shapes a performance model and an engine both need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rightsize {

// Channels x height x width of one item; a flat vector of n features is {n, 1, 1}.
struct FeatureShape {
  std::int64_t c = 0;
  std::int64_t h = 1;
  std::int64_t w = 1;

  [[nodiscard]] std::int64_t elements() const { return c * h * w; }
  bool operator==(const FeatureShape&) const = default;
};

enum class LayerKind {
  input,
  convolution,      // kernel, stride, padding, groups, bias
  fully_connected,  // flattens its input; bias
  batch_norm,       // scale and shift per channel
  relu,
  max_pool,
  average_pool,
  global_average_pool,  // out is {c, 1, 1}
  local_response_norm,  // across channels, AlexNet's
  dropout,
  add,           // element-wise sum of all inputs
  softmax_loss,  // softmax + cross-entropy against the label; out is the class scores
};

// `inputs` are indices of earlier layers in Network::layers, so the list is in topological order.
struct Layer {
  std::string name;
  LayerKind kind = LayerKind::input;
  std::vector<int> inputs;
  FeatureShape out;

  // convolution and pooling windows
  std::int64_t kernel_h = 0;
  std::int64_t kernel_w = 0;
  std::int64_t stride_h = 1;
  std::int64_t stride_w = 1;
  std::int64_t pad_h = 0;
  std::int64_t pad_w = 0;
  std::int64_t groups = 1;
  bool bias = false;

  // local_response_norm: out = in / (k + alpha / size * sum over `size` channels of in^2)^beta
  std::int64_t lrn_size = 5;
  float lrn_alpha = 1e-4F;
  float lrn_beta = 0.75F;
  float lrn_k = 1.0F;

  float dropout_rate = 0.5F;
};

}  // namespace rightsize
