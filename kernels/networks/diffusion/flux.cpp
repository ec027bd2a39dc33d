#include <vector>

#include <fmt/format.h>

#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"

namespace rightsize::diffusion {
namespace {

constexpr JointShape shape{.width = 3072, .heads = 24, .head_norms = true};

// Attention and the feed-forward part beside it, over prompt and picture as one sequence.
int single_block(NetworkBuilder& net, const std::string& name, int from, int time) {
  constexpr int vectors = 3;
  Modulation by(net, name, time, shape.width, vectors);
  const int normed = by.norm("_1", from, 0);
  int fed = net.linear(name + "_up", normed, 4 * shape.width, true);
  fed = net.activation(name + "_activation", fed, Activation::gelu_tanh);
  const auto heads = project_heads(net, name, normed, shape);
  const int attended =
      net.attention_to(name + "_attention", heads.queries, heads.keys_values, shape.heads);
  const int both = net.concat(name + "_both", {attended, fed});
  return by.gated_sum("_1", net.linear(name + "_out", both, shape.width, true), 2, from);
}

}  // namespace

int flux(NetworkBuilder& net, const FluxShape& flux, int latents, int prompt, int prompt_end) {
  constexpr std::int64_t patch = 2;
  constexpr int joint_blocks = 19;
  constexpr int single_blocks = 38;
  const auto in = net.shape(latents);
  std::vector<int> conditions{embedded_time(net, "steps", shape.width),
                              embedded(net, "prompt_end", prompt_end, shape.width)};
  if (flux.guided) {
    conditions.push_back(embedded_time(net, "guidance", shape.width));
  }
  const int time = net.add("time", std::move(conditions));
  // The same numbers as a linear layer over patches.
  int x =
      net.convolution("patches", latents, shape.width, {.kernel = patch, .stride = patch}, true);
  Streams streams{net.linear("prompt", prompt, shape.width, true), net.to_sequence("picture", x)};
  for (int i = 1; i <= joint_blocks; ++i) {
    net.begin_block();
    streams = joint_block(net, fmt::format("joint{}", i), streams, time, shape);
    net.end_block();
  }
  const auto words = net.shape(streams.prompt).h;
  const auto pixels = net.shape(streams.picture).h;
  x = net.join_positions("sequence", {streams.prompt, streams.picture});
  for (int i = 1; i <= single_blocks; ++i) {
    net.begin_block();
    x = single_block(net, fmt::format("single{}", i), x, time);
    net.end_block();
  }
  x = net.take_positions("picture_alone", x, words, pixels);
  x = patches_out(net, x, time, patch * patch * in.c);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
