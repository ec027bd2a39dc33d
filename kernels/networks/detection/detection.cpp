// The visible table of detectors and segmenters.
#include "kernels/networks/detection/detection.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "kernels/frozen_layers.h"
#include "kernels/networks/detection/families.h"
#include "kernels/networks/form_parts.h"

namespace rightsize {
namespace {

using namespace detection;

constexpr std::string_view yolov5_source = "Ultralytics, 2020, YOLOv5 v6.0";
constexpr std::string_view yolov8_source = "Ultralytics, 2023, YOLOv8";
constexpr std::string_view yolo11_source = "Ultralytics, 2024, YOLO11";

constexpr int most_pixels = 8192;

constexpr std::array networks{
    DetectionInfo{"yolov5n", "YOLOv5n", yolov5_source, make_yolov5, 0},
    DetectionInfo{"yolov5s", "YOLOv5s", yolov5_source, make_yolov5, 1},
    DetectionInfo{"yolov5m", "YOLOv5m", yolov5_source, make_yolov5, 2},
    DetectionInfo{"yolov5l", "YOLOv5l", yolov5_source, make_yolov5, 3},
    DetectionInfo{"yolov5x", "YOLOv5x", yolov5_source, make_yolov5, 4},
    DetectionInfo{"yolov8n", "YOLOv8n", yolov8_source, make_yolov8, 0},
    DetectionInfo{"yolov8s", "YOLOv8s", yolov8_source, make_yolov8, 1},
    DetectionInfo{"yolov8m", "YOLOv8m", yolov8_source, make_yolov8, 2},
    DetectionInfo{"yolov8l", "YOLOv8l", yolov8_source, make_yolov8, 3},
    DetectionInfo{"yolov8x", "YOLOv8x", yolov8_source, make_yolov8, 4},
    DetectionInfo{"yolo11n", "YOLO11n", yolo11_source, make_yolo11, 0},
    DetectionInfo{"yolo11s", "YOLO11s", yolo11_source, make_yolo11, 1},
    DetectionInfo{"yolo11m", "YOLO11m", yolo11_source, make_yolo11, 2},
    DetectionInfo{"yolo11l", "YOLO11l", yolo11_source, make_yolo11, 3},
    DetectionInfo{"yolo11x", "YOLO11x", yolo11_source, make_yolo11, 4},
    DetectionInfo{"ssd300-resnet50",
                  "SSD300, ResNet-50",
                  "Liu et al., ECCV 2016, NVIDIA's",
                  make_ssd300,
                  0,
                  300,
                  300},
    DetectionInfo{"retinanet-resnet50",
                  "RetinaNet, ResNet-50",
                  "Lin et al., ICCV 2017, torchvision's",
                  make_retinanet,
                  0,
                  800,
                  32,
                  true},
    DetectionInfo{"retinanet-resnext50",
                  "RetinaNet, ResNeXt-50 32x4d",
                  "Lin et al., ICCV 2017, MLPerf's",
                  make_retinanet_resnext,
                  0,
                  800,
                  32,
                  true},
    DetectionInfo{
        "unet", "U-Net", "Ronneberger et al., MICCAI 2015, padded", make_unet, 0, 512, 16},
    DetectionInfo{"fcn-resnet50",
                  "FCN, ResNet-50",
                  "Long et al., CVPR 2015, torchvision's",
                  make_fcn,
                  0,
                  520,
                  8},
    DetectionInfo{"deeplabv3-resnet50",
                  "DeepLabv3, ResNet-50",
                  "Chen et al., 2017, torchvision's",
                  make_deeplabv3,
                  0,
                  520,
                  8},
};

void read_size(DetectionAsked& asked, const FormPart& part, const DetectionInfo& info) {
  if (part.key != "size") {
    refuse_form(asked.name, fmt::format("\"{}\": expected :size=PIXELS", part.text));
  }
  asked.size = form_number(part.value, most_pixels);
  const bool fixed = info.side_of == info.size;  // its steps down fit no other
  if (asked.size == 0 || asked.size % info.side_of != 0 || (fixed && asked.size != info.size)) {
    refuse_form(asked.name,
                fixed ? fmt::format("size={}: it reads {} pixels a side alone; leave the size out",
                                    part.value,
                                    info.size)
                      : fmt::format("size={}: expected pixels a side, as in size={}, a multiple of "
                                    "{} and at most {}",
                                    part.value,
                                    info.size,
                                    info.side_of,
                                    most_pixels));
  }
}

DetectionAsked asked_of(const DetectionInfo& info, std::string_view name) {
  DetectionAsked asked{std::string(name), std::string(info.title), info.size, info.scale};
  for (const auto& part : form_parts(name)) {
    read_size(asked, part, info);
  }
  if (asked.size != info.size) {
    asked.title += fmt::format(", {0}x{0}", asked.size);
  }
  return asked;
}

}  // namespace

std::span<const DetectionInfo> detection_networks() {
  return networks;
}

Network usual_image(const DetectionInfo& info) {
  return info.make(asked_of(info, info.name));
}

const DetectionInfo* detection_network(std::string_view name) {
  const auto* const found = std::find_if(networks.begin(), networks.end(), [&](const auto& one) {
    return one.name == without_form(name);
  });
  return found == networks.end() ? nullptr : found;
}

bool is_detection(std::string_view name) {
  return detection_network(name) != nullptr;
}

std::optional<Network> make_detection(std::string_view name) {
  const auto* const info = detection_network(name);
  if (info == nullptr) {
    return std::nullopt;
  }
  return info->make(asked_of(*info, name));
}

FrozenLayers frozen_layers(const Network& network) {
  const auto* const info = detection_network(network.name);
  if (info == nullptr || !info->frozen) {
    return {};
  }
  const auto begin_of = [&](std::string_view part) {
    const auto found =
        std::find_if(network.layers.begin(), network.layers.end(), [&](const Layer& layer) {
          return layer.name.starts_with(part);
        });
    return static_cast<std::size_t>(found - network.layers.begin());
  };
  return {begin_of("res3"), begin_of("fpn")};  // residual_stages.h, retinanet.cpp
}

}  // namespace rightsize
