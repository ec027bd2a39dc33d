// The second table of classifiers: counts as published.
#include <string>

#include <doctest/doctest.h>

#include "kernels/networks/classification/classifiers.h"
#include "kernels/work.h"
#include "support/layer_order.h"

using namespace rightsize;

namespace {

struct Published {
  const char* name;
  double parameters;  // in millions
  double giga_macs;
};

double millions(const Network& network) {
  return static_cast<double>(parameter_count(network)) / 1e6;
}

}  // namespace

TEST_CASE("further classifiers: each is of its row, its layers in order") {
  for (const auto& info : further_image_classifiers()) {
    const auto network = info.make(info.sequence);
    CAPTURE(info.name);
    CHECK(network.name == info.name);
    CHECK(network.title == info.title);
    CHECK(network.classes == 1000);
    CHECK(network.layers.back().out == FeatureShape{1000, 1, 1});
    CHECK(test::check_layer_order(network) == network.layers.size() - 1);
  }
}

// Ultralytics' yolo11-cls.yaml, of 80 classes, and FLOPs at 640 pixels; of YOLOv8 its documentation
// (docs/en/models/yolov8.md), whose FLOPs of n and s are above what its program prints ("3.4
// GFLOPs" of n).
TEST_CASE("further classifiers: YOLO has the published counts") {
  constexpr std::uint64_t further_classes = (1000 - 80) * (1280 + 1);
  const struct {
    const char* name;
    std::uint64_t parameters;
    double giga_flops;
  } yolo11[] = {{"yolo11n-cls", 1'633'584, 3.3},
                {"yolo11s-cls", 5'545'488, 12.2},
                {"yolo11m-cls", 10'455'696, 39.7},
                {"yolo11l-cls", 12'937'104, 49.9},
                {"yolo11x-cls", 28'458'544, 111.1}};
  for (const auto& [name, parameters, flops] : yolo11) {
    CAPTURE(name);
    CHECK(parameter_count(make_network(name)) == parameters + further_classes);
    const auto network = make_network(std::string(name) + ":size=640");
    CHECK(forward_flops(network) / 1e9 == doctest::Approx(flops).epsilon(0.05));
  }
  for (const auto& [name, parameters, flops] : {Published{"yolov8n-cls", 2.7, 3.4},
                                                Published{"yolov8s-cls", 6.4, 12.7},
                                                Published{"yolov8m-cls", 17.0, 42.7},
                                                Published{"yolov8l-cls", 37.5, 99.7},
                                                Published{"yolov8x-cls", 57.4, 154.8}}) {
    CAPTURE(name);
    CHECK(millions(make_network(name)) == doctest::Approx(parameters).epsilon(0.01));
    const auto network = make_network(std::string(name) + ":size=640");
    CHECK(forward_flops(network) / 1e9 == doctest::Approx(flops).epsilon(0.03));
  }
}
