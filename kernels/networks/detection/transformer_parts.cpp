#include "kernels/networks/detection/transformer_parts.h"

namespace rightsize::detection {

int attended_norm(NetworkBuilder& net, const std::string& name, int from) {
  const auto width = net.shape(from).c;
  const AttentionShape shape{
      .heads = detector_heads, .kv_heads = detector_heads, .head_dim = width / detector_heads};
  const int x = net.add(name + "_sum", {from, self_attention(net, name, from, shape)});
  return net.layer_norm(name + "_norm", x);
}

int fed_norm(NetworkBuilder& net, const std::string& name, int from, const FeedForward& part) {
  const int x = net.add(name + "_sum", {from, feed_forward(net, name, from, part)});
  return net.layer_norm(name + "_norm", x);
}

int perceptron(NetworkBuilder& net,
               const std::string& name,
               int from,
               std::int64_t hidden,
               std::int64_t features,
               int layers) {
  int x = from;
  for (int i = 1; i < layers; ++i) {
    const auto own = name + "_" + std::to_string(i);
    x = net.relu(own + "_relu", net.linear(own, x, hidden, true));
  }
  return net.linear(name, x, features, true);
}

}  // namespace rightsize::detection
