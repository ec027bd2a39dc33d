#include <fmt/format.h>

#include "kernels/networks/diffusion/joint_block.h"
#include "kernels/networks/diffusion/transformers.h"

namespace rightsize::diffusion {

int sd3(NetworkBuilder& net, const Sd3Shape& sd3, int latents, int prompt, int prompt_end) {
  constexpr std::int64_t head_features = 64;
  constexpr std::int64_t patch = 2;
  const auto in = net.shape(latents);
  JointShape shape{
      .width = head_features * sd3.heads, .heads = sd3.heads, .head_norms = sd3.head_norms};
  int x =
      net.convolution("patches", latents, shape.width, {.kernel = patch, .stride = patch}, true);
  const int time = net.add("time",
                           {embedded_time(net, "steps", shape.width),
                            embedded(net, "prompt_end", prompt_end, shape.width)});
  Streams streams{net.linear("prompt", prompt, shape.width, true), net.to_sequence("picture", x)};
  for (int i = 1; i <= sd3.heads; ++i) {
    net.begin_block();
    shape.twice = i <= sd3.twice;
    streams = joint_block(net, fmt::format("block{}", i), streams, time, shape, i == sd3.heads);
    net.end_block();
  }
  x = patches_out(net, streams.picture, time, patch * patch * in.c);
  return net.unpatch("noise", x, patch, in.h, in.w);
}

}  // namespace rightsize::diffusion
