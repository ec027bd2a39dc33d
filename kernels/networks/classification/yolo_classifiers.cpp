// YOLOv8, YOLO11 and YOLO26 as classifiers: Ultralytics, as yolov8-cls.yaml, yolo11-cls.yaml and
// yolo26-cls.yaml have them and as they are published, for the 1000 classes of ImageNet at 224
// pixels.
#include <array>
#include <string>

#include "kernels/networks/classification/families.h"
#include "kernels/networks/detection/yolo_blocks.h"

namespace rightsize {
namespace {

using namespace detection;

constexpr FeatureShape image{3, 224, 224};
constexpr std::array<char, 5> sizes{'n', 's', 'm', 'l', 'x'};

Network classified(NetworkBuilder& net, int from) {
  constexpr std::int64_t hidden = 1280;
  const int x = net.global_average_pool("pool", conv(net, "hidden", from, hidden));
  auto network = net.finish(net.fully_connected("fc", x, 1000));
  network.fused_to_infer = true;
  return network;
}

NetworkBuilder begun(const std::string& name, const std::string& title, int which) {
  const auto size = sizes.at(static_cast<std::size_t>(which));
  return {name + size + "-cls", title + size + "-cls", image, 1000};
}

// YOLO26's is of the same layers.
Network of_yolo11(NetworkBuilder net, int which) {
  constexpr int first_long = 3;  // from l on a row has two blocks
  const int x = yolo11_stages(net, which)[2];
  return classified(net, c2psa(net, "c2psa", x, which >= first_long ? 2 : 1));
}

}  // namespace

Network make_yolov8_cls(int which) {
  constexpr std::array<YoloScale, 5> scales{
      {{0.33, 0.25}, {0.33, 0.50}, {0.67, 0.75}, {1.00, 1.00}, {1.00, 1.25}}};
  auto net = begun("yolov8", "YOLOv8", which);
  const auto levels = yolov8_stages(net, scales.at(static_cast<std::size_t>(which)));
  return classified(net, levels[2]);
}

Network make_yolo11_cls(int which) {
  return of_yolo11(begun("yolo11", "YOLO11", which), which);
}
Network make_yolo26_cls(int which) {
  return of_yolo11(begun("yolo26", "YOLO26", which), which);
}

}  // namespace rightsize
