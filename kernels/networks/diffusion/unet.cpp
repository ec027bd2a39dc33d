#include "kernels/networks/diffusion/unet.h"

#include <vector>

#include <fmt/format.h>

#include "kernels/networks/diffusion/autoencoder.h"
#include "kernels/networks/diffusion/joint_block.h"

namespace rightsize::diffusion {
namespace {

class UNet {
 public:
  UNet(NetworkBuilder& net, const UNetShape& shape, int prompt)
      : net_(net), shape_(shape), prompt_(prompt) {}

  int build(int latents, int prompt_end) {
    time_ = time_features(prompt_end);
    int x = net_.convolution("unet_in", latents, shape_.channels[0], same_3x3, true);
    skips_.push_back(x);
    for (int level = 0; level < shape_.levels; ++level) {
      x = down(level, x);
    }
    x = residual("unet_mid1", x, shape_.levels - 1);
    x = transformer("unet_mid", x, shape_.middle_depth);
    x = residual("unet_mid2", x, shape_.levels - 1);
    for (int level = shape_.levels - 1; level >= 0; --level) {
      x = up(level, x);
    }
    return net_.convolution(
        "unet_out", norm_silu(net_, "unet_last", x), net_.shape(latents).c, same_3x3, true);
  }

 private:
  static constexpr int blocks = 2;  // of a level on the way down, one more on the way up

  [[nodiscard]] std::int64_t channels(int level) const {
    return shape_.channels.at(static_cast<std::size_t>(level));
  }
  [[nodiscard]] int depth(int level) const {
    return shape_.depth.at(static_cast<std::size_t>(level));
  }

  // Of waves of the step's number, and of what else a picture is conditioned on.
  int time_features(int prompt_end) {
    const auto width = 4 * shape_.channels[0];
    const int waves = net_.given("unet_waves", {shape_.channels[0], 1, 1});
    const int time = embedded(net_, "unet_time", waves, width);
    if (shape_.added == 0) {
      return time;
    }
    const auto sizes = shape_.added - net_.shape(prompt_end).c;
    const int added =
        net_.concat("unet_conditions", {prompt_end, net_.given("unet_sizes", {sizes, 1, 1})});
    return net_.add("unet_conditioned", {time, embedded(net_, "unet_added", added, width)});
  }

  int block(const std::string& name, int from, std::int64_t heads) {
    const auto width = net_.shape(from).c;
    const auto attend = [&](const std::string& part, int x, int to) {
      const int normed = net_.layer_norm(part + "_norm", x);
      const int keys_values = net_.linear(part + "_kv", to < 0 ? normed : to, 2 * width, false);
      int y = net_.attention_to(
          part + "_attention", net_.linear(part + "_q", normed, width, false), keys_values, heads);
      y = net_.linear(part + "_out", y, width, true);
      return net_.add(part + "_sum", {y, x});
    };
    int x = attend(name + "_self", from, -1);
    x = attend(name + "_prompt", x, prompt_);
    int y = net_.layer_norm(name + "_norm3", x);
    y = net_.gated_gelu(name + "_gate", net_.linear(name + "_up", y, 8 * width, true));
    return net_.add(name + "_sum3", {net_.linear(name + "_down", y, width, true), x});
  }

  int transformer(const std::string& name, int from, int blocks_of_it) {
    constexpr std::int64_t head_features = 64;
    const auto in = net_.shape(from);
    const auto heads = shape_.heads > 0 ? shape_.heads : in.c / head_features;
    int x = net_.group_norm(name + "_norm", from, norm_groups);
    if (!shape_.linear_ends) {
      x = net_.convolution(name + "_into", x, in.c, {}, true);
    }
    x = net_.to_sequence(name + "_sequence", x);
    if (shape_.linear_ends) {
      x = net_.linear(name + "_into", x, in.c, true);
    }
    for (int i = 1; i <= blocks_of_it; ++i) {
      net_.begin_block();
      x = block(fmt::format("{}_block{}", name, i), x, heads);
      net_.end_block();
    }
    if (shape_.linear_ends) {
      x = net_.linear(name + "_outof", x, in.c, true);
    }
    x = net_.to_image(name + "_image", x, in.h, in.w);
    if (!shape_.linear_ends) {
      x = net_.convolution(name + "_outof", x, in.c, {}, true);
    }
    return net_.add(name + "_sum", {x, from});
  }

  // A block, as diffusers' checkpoints have it.
  int residual(const std::string& name, int from, int level) {
    net_.begin_block();
    const int x = residual_block(net_, name, from, channels(level), time_);
    net_.end_block();
    return x;
  }

  int stage(const std::string& name, int from, int level) {
    const int x = residual(name, from, level);
    return depth(level) > 0 ? transformer(name + "_prompted", x, depth(level)) : x;
  }

  int down(int level, int x) {
    constexpr Window half{.kernel = 3, .stride = 2, .pad = 1};
    for (int i = 1; i <= blocks; ++i) {
      x = stage(fmt::format("unet_down{}_{}", level, i), x, level);
      skips_.push_back(x);
    }
    if (level + 1 < shape_.levels) {
      x = net_.convolution(fmt::format("unet_half{}", level), x, channels(level), half, true);
      skips_.push_back(x);
    }
    return x;
  }

  int up(int level, int x) {
    for (int i = 1; i <= blocks + 1; ++i) {
      const auto name = fmt::format("unet_up{}_{}", level, i);
      x = net_.concat(name + "_skip", {x, skips_.back()});
      skips_.pop_back();
      x = stage(name, x, level);
    }
    return level > 0 ? upsampled(net_, fmt::format("unet_double{}", level), x) : x;
  }

  NetworkBuilder& net_;
  const UNetShape& shape_;
  int prompt_;
  int time_ = -1;
  std::vector<int> skips_;
};

}  // namespace

int unet(NetworkBuilder& net, const UNetShape& shape, int latents, int prompt, int prompt_end) {
  return UNet(net, shape, prompt).build(latents, prompt_end);
}

}  // namespace rightsize::diffusion
