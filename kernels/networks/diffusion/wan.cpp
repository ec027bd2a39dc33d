// Wan (Wan Team, "Wan: Open and Advanced Large-Scale Video Generative Models", 2025), as diffusers'
// WanTransformer3DModel has it: frames of latents, one below the other here, whose patches attend
// to all others and to the prompt. What a block adds to the step's scales, shifts and gates has no
// layer (0.01 % of the parameters).
#include <fmt/format.h>

#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::diffusion {
namespace {

// Norms are of all heads' features together.
int attended(
    NetworkBuilder& net, const std::string& name, int from, int read, const WanShape& shape) {
  const auto width = net.shape(from).c;
  const int q = net.rms_norm(name + "_q_norm", net.linear(name + "_q", from, width, true));
  const int k = net.rms_norm(name + "_k_norm", net.linear(name + "_k", read, width, true));
  const int v = net.linear(name + "_v", read, width, true);
  const int x =
      net.attention_to(name + "_attention", q, net.concat(name + "_kv", {k, v}), shape.heads);
  return net.linear(name + "_out", x, width, true);
}

int block(NetworkBuilder& net,
          const std::string& name,
          int from,
          int prompt,
          Modulation& by,
          const WanShape& shape) {
  const int normed = by.norm(name + "_1", from, 0);
  int x = by.gated_sum(name + "_1", attended(net, name + "_self", normed, normed, shape), 2, from);
  const int read = net.layer_norm(name + "_norm", x);
  x = net.add(name + "_sum", {x, attended(net, name + "_prompt", read, prompt, shape)});
  const FeedForward part{.width = shape.feed_forward, .activation = Activation::gelu_tanh};
  const int fed = feed_forward(net, name, by.norm(name + "_2", x, 3), part);
  return by.gated_sum(name + "_2", fed, 5, x);
}

}  // namespace

int wan(NetworkBuilder& net, const WanShape& shape, int latents, int prompt) {
  const auto patch = shape.patch;
  constexpr std::int64_t head_features = 128;
  const auto width = head_features * shape.heads;
  const auto in = net.shape(latents);
  const int time = embedded_time(net, "steps", width);
  int x = net.convolution("patches", latents, width, {.kernel = patch, .stride = patch}, true);
  x = net.to_sequence("video", x);
  int words = net.linear("prompt_1", prompt, width, true);
  words = net.activation("prompt_gelu", words, Activation::gelu_tanh);
  words = net.linear("prompt_2", words, width, true);
  Modulation by(net, "time_of", time, width, 6);
  for (int i = 1; i <= shape.blocks; ++i) {
    x = block(net, fmt::format("_block{}", i), x, words, by, shape);
  }
  x = net.shift("last_shifted", net.plain_layer_norm("last_norm", x), time);
  x = net.linear("last_patches", x, patch * patch * in.c, true);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
