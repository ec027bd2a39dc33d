// FLUX.2 (Black Forest Labs, 2025), as diffusers' Flux2Transformer2DModel has it: without biases,
// with gated feed-forward parts, and with one set of scales, shifts and gates for all blocks of a
// kind. Matrices of the step's time have biases here, 0.4 M parameters of 32 billion.
#include <fmt/format.h>

#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"

namespace rightsize::diffusion {
namespace {

constexpr std::int64_t width = 6144;
constexpr std::int64_t heads = 48;
constexpr std::int64_t fed = 3 * width;

struct Attending {
  int queries = 0;
  int keys_values = 0;
};

Attending attending(NetworkBuilder& net, const std::string& name, int made) {
  const int q =
      net.head_norm(name + "_q", net.take_channels(name + "_q_part", made, 0, width), heads);
  const int k =
      net.head_norm(name + "_k", net.take_channels(name + "_k_part", made, width, width), heads);
  const int v = net.take_channels(name + "_v", made, 2 * width, width);
  return {q, net.concat(name + "_kv", {k, v})};
}

// Attention and a gated feed-forward part beside it, over prompt and picture as one sequence.
int single_block(NetworkBuilder& net, const std::string& name, int from, Modulation& by) {
  const int normed = by.norm(name, from, 0);
  const int made = net.linear(name + "_qkv_up", normed, 3 * width + 2 * fed, false);
  const auto parts = attending(net, name, made);
  const int attended =
      net.attention_to(name + "_attention", parts.queries, parts.keys_values, heads);
  const int up = net.take_channels(name + "_up", made, 3 * width, 2 * fed);
  const int both = net.concat(name + "_both", {attended, net.gated_silu(name + "_gated", up)});
  return by.gated_sum(name, net.linear(name + "_out", both, width, false), 2, from);
}

int finished(NetworkBuilder& net, const std::string& name, int attended, int from, Modulation& by) {
  int x = by.gated_sum(name + "_1", net.linear(name + "_out", attended, width, false), 2, from);
  int y = net.linear(name + "_up", by.norm(name + "_2", x, 3), 2 * fed, false);
  y = net.linear(name + "_down", net.gated_silu(name + "_gated", y), width, false);
  return by.gated_sum(name + "_2", y, 5, x);
}

Streams joint(NetworkBuilder& net,
              const std::string& name,
              const Streams& in,
              Modulation& of_prompt,
              Modulation& of_picture) {
  const auto part = [&](const std::string& own, int x, Modulation& by) {
    return attending(
        net, own, net.linear(own + "_qkv", by.norm(own + "_1", x, 0), 3 * width, false));
  };
  const auto prompt = part(name + "_prompt", in.prompt, of_prompt);
  const auto picture = part(name + "_picture", in.picture, of_picture);
  const int both =
      net.attention_to(name + "_attention",
                       net.join_positions(name + "_q", {prompt.queries, picture.queries}),
                       net.join_positions(name + "_kv", {prompt.keys_values, picture.keys_values}),
                       heads);
  const auto words = net.shape(in.prompt).h;
  const auto pixels = net.shape(in.picture).h;
  return {finished(net,
                   name + "_prompt",
                   net.take_positions(name + "_of_prompt", both, 0, words),
                   in.prompt,
                   of_prompt),
          finished(net,
                   name + "_picture",
                   net.take_positions(name + "_of_picture", both, words, pixels),
                   in.picture,
                   of_picture)};
}

}  // namespace

int flux2(NetworkBuilder& net, int latents, int prompt) {
  constexpr std::int64_t patch = 2;
  constexpr int joint_blocks = 8;
  constexpr int single_blocks = 48;
  const auto in = net.shape(latents);
  const int time =
      net.add("time", {embedded_time(net, "steps", width), embedded_time(net, "guidance", width)});
  int x = net.convolution("patches", latents, width, {.kernel = patch, .stride = patch}, false);
  Streams streams{net.linear("prompt", prompt, width, false), net.to_sequence("picture", x)};
  Modulation of_prompt(net, "prompt_time", time, width, 6);
  Modulation of_picture(net, "picture_time", time, width, 6);
  Modulation of_both(net, "single_time", time, width, 3);
  for (int i = 1; i <= joint_blocks; ++i) {
    streams = joint(net, fmt::format("_joint{}", i), streams, of_prompt, of_picture);
  }
  const auto words = net.shape(streams.prompt).h;
  const auto pixels = net.shape(streams.picture).h;
  x = net.join_positions("sequence", {streams.prompt, streams.picture});
  for (int i = 1; i <= single_blocks; ++i) {
    x = single_block(net, fmt::format("_single{}", i), x, of_both);
  }
  x = net.take_positions("picture_alone", x, words, pixels);
  x = patches_out(net, x, time, patch * patch * in.c);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
