// One stream of picture and prompt, after two blocks of each alone. Norms stand before and behind
// attention and the feed-forward part; scales and gates, without shifts, are made of few features
// of the step's time.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "kernels/networks/diffusion/transformers.h"
#include "kernels/networks/transformer_block.h"

namespace rightsize::diffusion {
namespace {

constexpr std::int64_t width = 3840;
constexpr std::int64_t heads = 30;
constexpr std::int64_t fed = 10'240;
constexpr std::int64_t time_width = 256;
constexpr float epsilon = 1e-5F;

int attended(NetworkBuilder& net, const std::string& name, int from) {
  const int q = net.head_norm(name + "_q_norm", net.linear(name + "_q", from, width, false), heads);
  const int k = net.head_norm(name + "_k_norm", net.linear(name + "_k", from, width, false), heads);
  const int v = net.linear(name + "_v", from, width, false);
  const int x = net.attention_to(name + "_attention", q, net.concat(name + "_kv", {k, v}), heads);
  return net.linear(name + "_out", x, width, false);
}

// `time` < 0: without scales and gates.
int block(NetworkBuilder& net, const std::string& name, int from, int time) {
  constexpr int vectors = 4;
  net.begin_block();
  const int made = time < 0 ? -1 : net.linear(name + "_vectors", time, vectors * width, true);
  const auto by = [&](const char* part, int x, int index) {
    const auto own = name + part;
    return made < 0 ? x
                    : net.multiply(own + "_by",
                                   x,
                                   net.take_channels(own + "_vector", made, index * width, width));
  };
  int x = by("_scaled1", net.rms_norm(name + "_norm1", from, epsilon), 0);
  x = net.rms_norm(name + "_norm1_after", attended(net, name, x), epsilon);
  const int sum = net.add(name + "_sum1", {by("_gated1", x, 1), from});
  x = by("_scaled2", net.rms_norm(name + "_norm2", sum, epsilon), 2);
  x = gated_feed_forward(
      net, name, x, {.width = fed, .activation = Activation::silu, .biases = false});
  x = net.rms_norm(name + "_norm2_after", x, epsilon);
  x = net.add(name + "_sum2", {by("_gated2", x, 3), sum});
  net.end_block();
  return x;
}

int blocks(NetworkBuilder& net, const char* name, int count, int from, int time) {
  int x = from;
  for (int i = 1; i <= count; ++i) {
    x = block(net, fmt::format("{}{}", name, i), x, time);
  }
  return x;
}

int embedded_time(NetworkBuilder& net) {
  constexpr std::int64_t hidden = 1024;
  int x = net.linear("steps_1", net.given("steps_waves", {256, 1, 1}), hidden, true);
  x = net.activation("steps_silu", x, Activation::silu);
  return net.linear("steps_2", x, time_width, true);
}

}  // namespace

int z_image(NetworkBuilder& net, int latents, int prompt) {
  constexpr std::int64_t patch = 2;
  constexpr int refining = 2;
  constexpr int joint = 30;
  const auto in = net.shape(latents);
  const int time = embedded_time(net);
  int x = net.convolution("patches", latents, width, {.kernel = patch, .stride = patch}, true);
  x = blocks(net, "picture", refining, net.to_sequence("picture", x), time);
  int words = net.linear("prompt", net.rms_norm("prompt_norm", prompt, epsilon), width, true);
  words = blocks(net, "prompt", refining, words, -1);
  const auto pixels = net.shape(x).h;
  x = blocks(net, "block", joint, net.join_positions("sequence", {x, words}), time);
  x = net.plain_layer_norm("last_norm", net.take_positions("picture_alone", x, 0, pixels));
  const int scale =
      net.linear("last_vector", net.activation("last_silu", time, Activation::silu), width, true);
  x = net.linear("last_patches", net.multiply("last_scaled", x, scale), patch * patch * in.c, true);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
