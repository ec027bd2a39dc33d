#include <vector>

#include <fmt/format.h>

#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"
#include "kernels/networks/transformer_block.h"

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

// What the words of a prompt become by attending to one another, by the step's time and their mean.
int refined(NetworkBuilder& net, int blocks, int prompt) {
  const int mean = net.global_average_pool("prompt_mean", prompt);
  const int time = net.add("prompt_time",
                           {embedded_time(net, "prompt_steps", shape.width),
                            embedded(net, "prompt_mean", mean, shape.width)});
  const JointShape plain{.width = shape.width, .heads = shape.heads};
  const FeedForward mlp{.width = 4 * shape.width, .activation = Activation::silu};
  int x = net.linear("prompt", prompt, shape.width, true);
  for (int i = 1; i <= blocks; ++i) {
    const auto name = fmt::format("refining{}", i);
    net.begin_block();
    Modulation by(net, name, time, shape.width, 2);
    const auto heads = project_heads(net, name, net.layer_norm(name + "_norm1", x), plain);
    const int seen =
        net.attention_to(name + "_attention", heads.queries, heads.keys_values, shape.heads);
    x = by.gated_sum("_1", net.linear(name + "_out", seen, shape.width, true), 0, x);
    x = by.gated_sum("_2", feed_forward(net, name, net.layer_norm(name + "_norm2", x), mlp), 1, x);
    net.end_block();
  }
  return x;
}

}  // namespace

int flux(NetworkBuilder& net, const FluxShape& flux, int latents, int prompt, int prompt_end) {
  constexpr std::int64_t patch = 2;
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
  const int words_in = flux.refining_blocks > 0 ? refined(net, flux.refining_blocks, prompt)
                                                : net.linear("prompt", prompt, shape.width, true);
  Streams streams{words_in, net.to_sequence("picture", x)};
  for (int i = 1; i <= flux.joint_blocks; ++i) {
    net.begin_block();
    streams = joint_block(net, fmt::format("joint{}", i), streams, time, shape);
    net.end_block();
  }
  const auto words = net.shape(streams.prompt).h;
  const auto pixels = net.shape(streams.picture).h;
  x = net.join_positions("sequence", {streams.prompt, streams.picture});
  for (int i = 1; i <= flux.single_blocks; ++i) {
    net.begin_block();
    x = single_block(net, fmt::format("single{}", i), x, time);
    net.end_block();
  }
  x = net.take_positions("picture_alone", x, words, pixels);
  x = patches_out(net, x, time, patch * patch * in.c);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
