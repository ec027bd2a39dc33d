#include "kernels/networks/transformer_block.h"

#include <fmt/format.h>

#include "kernels/network_error.h"

namespace rightsize {
namespace {

int function(NetworkBuilder& net,
             const std::string& name,
             int from,
             std::optional<Activation> activation) {
  return activation ? net.activation(name + "_activation", from, *activation)
                    : net.relu(name + "_relu", from);
}

}  // namespace

void require_context(const std::string& name, std::int64_t sequence, std::int64_t context) {
  if (sequence > context) {
    throw NetworkError(
        fmt::format("network {}: a sequence of {} tokens; it was trained for {}, use at most that",
                    name,
                    sequence,
                    context));
  }
}

int self_attention(NetworkBuilder& net,
                   const std::string& name,
                   int from,
                   const AttentionShape& shape,
                   bool biases) {
  const auto features = net.shape(from).c;
  const auto packed = (shape.heads + 2 * shape.kv_heads) * shape.head_dim;
  int x = net.linear(name + "_qkv", from, packed, biases);
  x = net.attention(name + "_attention", x, shape);
  return net.linear(name + "_projection", x, features, biases);
}

int feed_forward(NetworkBuilder& net,
                 const std::string& name,
                 int from,
                 const FeedForward& options) {
  const auto features = net.shape(from).c;
  int x = net.linear(name + "_up", from, options.width, options.biases);
  x = function(net, name, x, options.activation);
  return net.linear(name + "_down", x, features, options.biases);
}

// Where the function is SiLU, one layer has it and the product.
int gated_feed_forward(NetworkBuilder& net,
                       const std::string& name,
                       int from,
                       const FeedForward& options) {
  const auto features = net.shape(from).c;
  int x = 0;
  if (options.activation == Activation::silu) {
    x = net.linear(name + "_gate_up", from, 2 * options.width, options.biases);
    x = net.gated_silu(name + "_gated", x);
  } else {
    x = net.linear(name + "_gate", from, options.width, options.biases);
    x = function(net, name, x, options.activation);
    const int up = net.linear(name + "_up", from, options.width, options.biases);
    x = net.multiply(name + "_gated", x, up);
  }
  return net.linear(name + "_down", x, features, options.biases);
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
