#include "kernels/networks/diffusion/autoencoder.h"

#include <array>

#include <fmt/format.h>

namespace rightsize::diffusion {
namespace {

// Every position attends to every one, by one head.
int image_attention(NetworkBuilder& net, const std::string& name, int from) {
  const auto in = net.shape(from);
  int x = net.to_sequence(name + "_sequence", net.group_norm(name + "_norm", from, norm_groups));
  const int queries = net.linear(name + "_q", x, in.c, true);
  const int keys_values = net.linear(name + "_kv", x, 2 * in.c, true);
  x = net.attention_to(name + "_attention", queries, keys_values, 1);
  x = net.to_image(name + "_image", net.linear(name + "_out", x, in.c, true), in.h, in.w);
  return net.add(name + "_sum", {x, from});
}

}  // namespace

int norm_silu(NetworkBuilder& net, const std::string& name, int from) {
  return net.activation(
      name + "_silu", net.group_norm(name + "_norm", from, norm_groups), Activation::silu);
}

int residual_block(
    NetworkBuilder& net, const std::string& name, int from, std::int64_t channels, int time) {
  int x = norm_silu(net, name + "_1", from);
  x = net.convolution(name + "_conv1", x, channels, same_3x3, true);
  if (time >= 0) {
    const int silu = net.activation(name + "_time_silu", time, Activation::silu);
    x = net.shift(name + "_timed", x, net.linear(name + "_time", silu, channels, true));
  }
  x = norm_silu(net, name + "_2", x);
  x = net.convolution(name + "_conv2", x, channels, same_3x3, true);
  const int shortcut = net.shape(from).c == channels
                           ? from
                           : net.convolution(name + "_shortcut", from, channels, {}, true);
  return net.add(name + "_sum", {x, shortcut});
}

int upsampled(NetworkBuilder& net, const std::string& name, int from) {
  const int larger = net.upsample(name + "_larger", from, 2);
  return net.convolution(name + "_conv", larger, net.shape(from).c, same_3x3, true);
}

int decode_latents(NetworkBuilder& net, int latents, bool quantised) {
  constexpr std::array<std::int64_t, 4> channels{512, 512, 256, 128};
  constexpr int blocks = 3;
  int x = quantised ? net.convolution("vae_quantised", latents, net.shape(latents).c, {}, true)
                    : latents;
  x = net.convolution("vae_in", x, channels.front(), same_3x3, true);
  x = residual_block(net, "vae_mid1", x, channels.front());
  x = image_attention(net, "vae_mid", x);
  x = residual_block(net, "vae_mid2", x, channels.front());
  for (std::size_t level = 0; level < channels.size(); ++level) {
    for (int i = 1; i <= blocks; ++i) {
      x = residual_block(net, fmt::format("vae_up{}_{}", level, i), x, channels.at(level));
    }
    x = level + 1 < channels.size() ? upsampled(net, fmt::format("vae_up{}", level), x) : x;
  }
  return net.convolution("vae_out", norm_silu(net, "vae_last", x), 3, same_3x3, true);
}

}  // namespace rightsize::diffusion
