// The tower that sees, as OpenAI's and OpenCLIP's code (CLIP), Big Vision's (SigLIP) and
// facebookresearch/dinov2 shape it; timm's vision_transformer.py has them all.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/networks/transformer_block.h"
#include "kernels/networks/vision/vision_encoder.h"

namespace rightsize {
namespace {

int fed(NetworkBuilder& net, const std::string& name, const VisionShape& shape, int from) {
  const FeedForward part{.width = shape.feed_forward, .activation = shape.activation};
  return shape.gated ? gated_feed_forward(net, name, from, part)
                     : feed_forward(net, name, from, part);
}

int block(NetworkBuilder& net, const std::string& name, const VisionShape& shape, int from) {
  constexpr double any_base = 100;  // angles are of both sides of an image, which is no other work
  const AttentionShape attention{.heads = shape.heads,
                                 .kv_heads = shape.heads,
                                 .head_dim = shape.width / shape.heads,
                                 .rotary_base = shape.rotary ? any_base : 0};
  int x = net.layer_norm(name + "_norm1", from, shape.epsilon);
  x = net.add(name + "_sum1", {self_attention(net, name, x, attention), from});
  const int y = net.layer_norm(name + "_norm2", x, shape.epsilon);
  return net.add(name + "_sum2", {fed(net, name, shape, y), x});
}

// The sequence of patches, with a position in front where that becomes the vector. Where an image
// is larger than those it was trained on, positions are stretched to a table as long.
int patches(NetworkBuilder& net, const VisionShape& shape) {
  const Window window{.kernel = shape.patch, .stride = shape.patch};
  int x = net.convolution("patches", net.input(), shape.width, window, shape.patch_biases);
  x = net.to_sequence("sequence", x);
  const std::int64_t side = shape.trained_size / shape.patch;
  auto rows = side * side;
  if (shape.head != VisionHead::attended) {
    x = net.class_token("class", x);
    ++rows;
  }
  for (int i = 1; i <= shape.registers; ++i) {
    x = net.class_token(fmt::format("register{}", i), x);
  }
  if (shape.rotary) {
    return x;
  }
  return net.position_embedding("positions", x, std::max(rows, net.shape(x).positions()));
}

// The query is a parameter: the learned position in front of any other.
int attended(NetworkBuilder& net, const VisionShape& shape, int from) {
  int x = net.class_token("probe_row", net.take_position("first", from, 0));
  x = net.take_position("probe", x, 0);
  x = net.linear("probe_query", x, shape.width, true);
  const int keys_values = net.linear("probe_keys_values", from, 2 * shape.width, true);
  x = net.attention_to("probe_attention", x, keys_values, shape.heads);
  x = net.linear("probe_projection", x, shape.width, true);
  const int y = net.layer_norm("probe_norm", x, shape.epsilon);
  return net.add("probe_sum", {fed(net, "probe", shape, y), x});
}

int vector_of(NetworkBuilder& net, const VisionShape& shape, int from) {
  if (shape.head == VisionHead::attended) {
    return attended(net, shape, net.layer_norm("norm", from, shape.epsilon));
  }
  // The norm goes position by position, so that the first alone is as good (OpenAI's order).
  const int x = net.layer_norm("norm", net.take_position("class_out", from, 0), shape.epsilon);
  return shape.head == VisionHead::projected ? net.linear("projection", x, shape.embedding, false)
                                             : x;
}

std::vector<std::string> notes_of(const VisionShape& shape) {
  std::vector<std::string> notes{
      "it ends in the vector of an image; in training the loss over a minibatch's pairs, or of a "
      "head on it, counts as a softmax over the vector, as little work"};
  if (shape.scales_branches) {
    notes.emplace_back(
        "its layer scale, one learned factor for each channel of a branch, is left out (less than "
        "0.2 % of the parameters)");
  }
  return notes;
}

}  // namespace

Network make_vision_encoder(const std::string& name,
                            const std::string& title,
                            const VisionShape& shape,
                            int size) {
  NetworkBuilder net(name, title, {3, size, size}, static_cast<int>(shape.embedding));
  int x = patches(net, shape);
  x = shape.norm_in_front ? net.layer_norm("norm_in_front", x, shape.epsilon) : x;
  for (int i = 1; i <= shape.depth; ++i) {
    x = block(net, fmt::format("block{}", i), shape, x);
  }
  auto network = net.finish(vector_of(net, shape, x), Optimizer::adam);
  network.notes = notes_of(shape);
  return network;
}

}  // namespace rightsize
