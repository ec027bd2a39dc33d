// U-Net: Ronneberger, Fischer, Brox, "U-Net: Convolutional Networks for Biomedical Image
// Segmentation", MICCAI 2015, in the form of milesial/Pytorch-UNet: convolutions are padded and
// followed by batch norms, so that a picture's scores have its size; transposed convolutions lead
// up again. 3 channels, 2 classes.
#include <vector>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/residual_stages.h"

namespace rightsize::detection {
namespace {

constexpr int classes = 2;
constexpr std::int64_t first_width = 64;
constexpr int depth = 4;  // how often the size is halved

int twice(NetworkBuilder& net, const std::string& name, int from, std::int64_t channels) {
  const int x = conv_norm_relu(net, name + "_a", from, channels, three_by_three());
  return conv_norm_relu(net, name + "_b", x, channels, three_by_three());
}

}  // namespace

Network make_unet(const DetectionAsked& asked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes);
  std::vector<int> beside;
  int x = twice(net, "down0", net.input(), first_width);
  for (int i = 1; i <= depth; ++i) {
    const auto name = "down" + std::to_string(i);
    beside.push_back(x);
    x = net.max_pool(name + "_pool", x, {.kernel = 2, .stride = 2});
    x = twice(net, name, x, first_width << i);
  }
  for (int i = depth; i-- > 0;) {
    const auto name = "up" + std::to_string(i);
    const auto channels = first_width << i;
    x = net.transposed_convolution(name, x, channels, 2, true);
    x = net.concat(name + "_cat", {beside[static_cast<std::size_t>(i)], x});
    x = twice(net, name, x, channels);
  }
  return net.finish_segmenter(net.convolution("scores", x, classes, {}, true));
}

}  // namespace rightsize::detection
