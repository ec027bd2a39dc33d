// Segmenters on a ResNet-50 whose last two stages keep their size and widen their windows instead,
// in torchvision's form for the 21 classes of Pascal VOC: FCN (Long, Shelhamer, Darrell, CVPR 2015)
// and DeepLabv3 (Chen et al., "Rethinking Atrous Convolution", 2017). torchvision trains a second,
// smaller head at the stage before the last, of 2 365 205 parameters; here there is one loss, and
// no such head.
#include <vector>

#include "kernels/networks/detection/families.h"
#include "kernels/networks/detection/residual_stages.h"

namespace rightsize::detection {
namespace {

constexpr int classes = 21;
constexpr std::int64_t eighth = 8;

const ResidualShape dilated{.strides = {1, 2, 1, 1}, .dilations = {1, 1, 2, 4}};

Network finish_enlarged(NetworkBuilder& net, int from) {
  const int scores = net.convolution("scores", from, classes, {}, true);
  return net.finish_segmenter(net.interpolate("enlarged", scores, eighth));
}

// Windows of several widths side by side, and what the whole picture says.
int pyramid_pooling(NetworkBuilder& net, int from) {
  constexpr std::int64_t width = 256;
  std::vector<int> branches{conv_norm_relu(net, "aspp0", from, width, {})};
  for (const std::int64_t rate : {12, 24, 36}) {
    branches.push_back(conv_norm_relu(
        net, "aspp_rate" + std::to_string(rate), from, width, three_by_three(1, rate)));
  }
  int whole = net.global_average_pool("aspp_pool", from);
  whole = conv_norm_relu(net, "aspp_whole", whole, width, {});
  branches.push_back(net.upsample("aspp_spread", whole, net.shape(from).h));
  const int x = conv_norm_relu(net, "aspp", net.concat("aspp_cat", branches), width, {});
  return net.dropout("aspp_dropout", x, 0.5F);
}

}  // namespace

Network make_fcn(const DetectionAsked& asked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes);
  int x = residual_stages(net, dilated).back();
  x = conv_norm_relu(net, "fcn", x, net.shape(x).c / 4, three_by_three());
  return finish_enlarged(net, net.dropout("fcn_dropout", x, 0.1F));
}

Network make_deeplabv3(const DetectionAsked& asked) {
  NetworkBuilder net(asked.name, asked.title, {3, asked.size, asked.size}, classes);
  const int x = pyramid_pooling(net, residual_stages(net, dilated).back());
  return finish_enlarged(net, conv_norm_relu(net, "head", x, 256, three_by_three()));
}

}  // namespace rightsize::detection
