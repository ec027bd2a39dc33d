// The second table of classifiers of images.
#include <array>

#include "kernels/networks/classification/classifiers.h"
#include "kernels/networks/classification/families.h"

namespace rightsize {
namespace {

constexpr std::string_view yolov8_source = "Ultralytics, 2023, YOLOv8";
constexpr std::string_view yolo11_source = "Ultralytics, 2024, YOLO11";

template <Network (*make)(int), int which>
Network sized(int) {
  return make(which);
}

constexpr std::array classifiers{
    NetworkInfo{"yolov8n-cls", "YOLOv8n-cls", yolov8_source, sized<make_yolov8_cls, 0>},
    NetworkInfo{"yolov8s-cls", "YOLOv8s-cls", yolov8_source, sized<make_yolov8_cls, 1>},
    NetworkInfo{"yolov8m-cls", "YOLOv8m-cls", yolov8_source, sized<make_yolov8_cls, 2>},
    NetworkInfo{"yolov8l-cls", "YOLOv8l-cls", yolov8_source, sized<make_yolov8_cls, 3>},
    NetworkInfo{"yolov8x-cls", "YOLOv8x-cls", yolov8_source, sized<make_yolov8_cls, 4>},
    NetworkInfo{"yolo11n-cls", "YOLO11n-cls", yolo11_source, sized<make_yolo11_cls, 0>},
    NetworkInfo{"yolo11s-cls", "YOLO11s-cls", yolo11_source, sized<make_yolo11_cls, 1>},
    NetworkInfo{"yolo11m-cls", "YOLO11m-cls", yolo11_source, sized<make_yolo11_cls, 2>},
    NetworkInfo{"yolo11l-cls", "YOLO11l-cls", yolo11_source, sized<make_yolo11_cls, 3>},
    NetworkInfo{"yolo11x-cls", "YOLO11x-cls", yolo11_source, sized<make_yolo11_cls, 4>},
};

}  // namespace

std::span<const NetworkInfo> further_image_classifiers() {
  return classifiers;
}

}  // namespace rightsize
