#include <fmt/format.h>

#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"

namespace rightsize::diffusion {

int qwen_image(NetworkBuilder& net, int latents, int prompt) {
  constexpr JointShape shape{.width = 3072, .heads = 24, .head_norms = true};
  constexpr std::int64_t patch = 2;
  constexpr int blocks = 60;
  const auto in = net.shape(latents);
  const int time = embedded_time(net, "steps", shape.width);
  int x =
      net.convolution("patches", latents, shape.width, {.kernel = patch, .stride = patch}, true);
  const int words = net.rms_norm("prompt_norm", prompt);
  Streams streams{net.linear("prompt", words, shape.width, true), net.to_sequence("picture", x)};
  for (int i = 1; i <= blocks; ++i) {
    net.begin_block();
    streams = joint_block(net, fmt::format("block{}", i), streams, time, shape);
    net.end_block();
  }
  // What the last block makes of the prompt is left behind here, so that nothing is unread.
  const auto pixels = net.shape(streams.picture).h;
  x = net.join_positions("sequence", {streams.picture, streams.prompt});
  x = patches_out(net, net.take_positions("picture_alone", x, 0, pixels), time, 4 * in.c);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
