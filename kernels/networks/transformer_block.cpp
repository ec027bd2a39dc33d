#include "kernels/networks/transformer_block.h"

namespace rightsize {

int self_attention(NetworkBuilder& net,
                   const std::string& name,
                   int from,
                   const AttentionShape& shape) {
  const auto features = net.shape(from).c;
  const auto packed = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
  int x = net.linear(name + "_qkv", from, packed, true);
  x = net.attention(name + "_attention", x, shape);
  return net.linear(name + "_projection", x, features, true);
}

int feed_forward(NetworkBuilder& net,
                 const std::string& name,
                 int from,
                 const FeedForward& options) {
  const auto features = net.shape(from).c;
  int x = net.linear(name + "_up", from, options.width, true);
  x = net.activation(name + "_activation", x, options.activation);
  return net.linear(name + "_down", x, features, true);
}

int pre_norm_block(NetworkBuilder& net,
                   const std::string& name,
                   int from,
                   const AttentionShape& attention,
                   const FeedForward& options,
                   float epsilon) {
  int x = net.layer_norm(name + "_norm1", from, epsilon);
  x = net.add(name + "_sum1", {self_attention(net, name, x, attention), from});
  const int y = net.layer_norm(name + "_norm2", x, epsilon);
  return net.add(name + "_sum2", {feed_forward(net, name, y, options), x});
}

}  // namespace rightsize
