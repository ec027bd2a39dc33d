// The second table of classifiers: counts as published.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/networks/classification/classifiers.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"
#include "support/multiply_adds.h"

using namespace rightsize;

namespace {

struct Published {
  const char* name;
  double parameters;  // in millions
  double giga_macs;
};

// timm's results/benchmark-infer-amp-nchw-pt291-cu130-5090.csv ("param_count", "infer_gmacs"), at
// the networks' own sizes. Those whose weights have the scores of 21841 or 11821 classes there are
// given without what these have more than 1000 (heads_missing()).
constexpr Published published[] = {
    {"convnext-xxlarge", 846.47, 198.09},
    {"swinv2-base-w12", 109.28, 11.9},
    {"swinv2-large-w12", 228.77, 26.17},
    {"mobilenet-v4-hybrid-medium", 11.07, 1.29},
    {"mobilenet-v4-hybrid-large", 37.76, 7.77},
    {"coatnet-0", 25.04, 4.58},
    {"coatnet-1", 42.23, 8.7},
    {"coatnet-2", 74.68, 16.5},
    {"coatnet-3", 166.97, 36.56},
    {"coatnet-4", 275.43, 62.48},
    {"coatnet-0-rw", 27.44, 4.43},
    {"coatnet-1-rw", 41.72, 8.04},
    {"coatnet-2-rw", 73.87, 15.09},
    {"coatnet-3-rw", 181.81, 33.44},
    {"coatnet-rmlp-1-rw", 41.69, 7.85},
    {"coatnet-rmlp-2-rw", 73.88, 15.18},
    {"davit-tiny", 28.36, 4.54},
    {"davit-small", 49.75, 8.8},
    {"davit-base", 87.95, 15.51},
    {"davit-large", 196.81, 34.6},
    {"hiera-tiny", 27.91, 4.91},
    {"hiera-small", 35.01, 6.42},
    {"hiera-base", 51.52, 9.4},
    {"hiera-base-plus", 69.9, 12.67},
    {"hiera-large", 213.74, 40.34},
    {"hiera-huge", 672.78, 124.85},
    {"hiera-small-abswin", 34.36, 8.29},
    {"hiera-base-abswin", 51.27, 12.46},
    {"tinyvit-5m", 12.08, 1.27},
    {"tinyvit-11m", 20.35, 2.03},
    {"tinyvit-21m", 33.21, 4.27},
    {"tinyvit-21m-384", 21.22, 13.72},
    {"tinyvit-21m-512", 21.26, 26.93},
};

double millions(const Network& network) {
  return static_cast<double>(parameter_count(network)) / 1e6;
}

// Scores and their biases of classes beyond 1000, of so many features, in millions.
double heads_missing(const std::string& name, const Network& network) {
  const auto& head = network.layers.at(network.layers.size() - 2);
  const auto features = network.layers.at(static_cast<std::size_t>(head.inputs.at(0))).out.c;
  const bool large = name == "swinv2-base-w12" || name == "swinv2-large-w12" ||
                     name == "tinyvit-5m" || name == "tinyvit-11m" || name == "tinyvit-21m";
  const double more = large ? 20841 : name == "coatnet-3-rw" ? 10821 : 0;
  return more * static_cast<double>(features + 1) / 1e6;
}

}  // namespace

TEST_CASE("further classifiers: parameters and multiply-adds are the published ones") {
  for (const auto& [name, parameters, macs] : published) {
    CAPTURE(name);
    const auto network = make_network(name);
    CHECK(millions(network) + heads_missing(name, network) ==
          test::approx(parameters).epsilon(0.005));
    CHECK(test::multiply_adds(network) / 1e9 ==
          test::approx(macs - heads_missing(name, network) / 1e3).epsilon(0.03));
  }
}

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

// timm's infer_gmacs of the same networks at those sizes.
TEST_CASE("further classifiers: where no windows are, a size changes the work") {
  const auto work = [](const char* name) { return test::multiply_adds(make_network(name)) / 1e9; };
  CHECK(work("mobilenet-v4-hybrid-medium:size=384") == test::approx(3.01).epsilon(0.02));
  CHECK(work("mobilenet-v4-hybrid-large:size=448") == test::approx(10.74).epsilon(0.02));
  CHECK(parameter_count(make_network("coatnet-0:size=384")) ==
        parameter_count(make_network("coatnet-0")));
}

// timm's infer_gmacs of MaxViT's networks of those sizes, which are of the same blocks; Hiera's at
// 256 has no other shapes than the one of absolute windows has.
TEST_CASE("further classifiers: windows are laid out anew for a size that they divide") {
  const auto work = [](const char* name) { return test::multiply_adds(make_network(name)) / 1e9; };
  CHECK(work("maxvit-tiny:size=384") == test::approx(17.53).epsilon(0.03));
  CHECK(work("maxvit-small:size=512") == test::approx(67.26).epsilon(0.03));
  CHECK(work("maxvit-base-512:size=384") == test::approx(73.8).epsilon(0.03));
  CHECK(work("coatnet-rmlp-2-rw:size=384") == test::approx(47.69).epsilon(0.03));
  CHECK(work("hiera-base:size=256") == test::approx(12.46).epsilon(0.03));
  CHECK(work("tinyvit-21m-512:size=384") > work("tinyvit-21m-384"));
  CHECK(make_network("swin-tiny:size=448").title == "Swin-T, 448x448");
  CHECK(parameter_count(make_network("davit-base:size=384")) ==
        parameter_count(make_network("davit-base")));
}

// What timm's swin_transformer.py multiplies of an image, whose windows of 7 are made and attended
// to whole, and feed-forward parts not.
double swin_tiny_multiply_adds(double image) {
  constexpr std::array<double, 4> blocks{2, 2, 6, 2};
  double side = std::floor(image / 4);
  double width = 96;
  double sum = side * side * 48 * width;
  for (std::size_t stage = 0; stage < blocks.size(); ++stage) {
    if (stage > 0) {
      side = std::ceil(side / 2);
      sum += side * side * 4 * width * 2 * width;
      width *= 2;
    }
    const double filled = std::pow(std::ceil(side / 7) * 7, 2);
    sum += blocks[stage] *
           (filled * (4 * width * width + 2 * 49 * width) + 8 * side * side * width * width);
  }
  return sum + 1000 * width;
}

TEST_CASE("further classifiers: windows are filled up where they do not divide the image") {
  for (const int size : {224, 238, 256, 384, 448}) {
    CAPTURE(size);
    const auto network = make_network("swin-tiny:size=" + std::to_string(size));
    CHECK(test::multiply_adds(network) ==
          test::approx(swin_tiny_multiply_adds(size)).epsilon(0.02));
    CHECK(test::check_layer_order(network) == network.layers.size() - 1);
  }
  const auto positions = [](const char* name, const std::string& layer) {
    for (const auto& one : make_network(name).layers) {
      if (one.name == layer) {
        return one.out.positions();
      }
    }
    return std::int64_t{0};
  };
  CHECK(positions("davit-tiny:size=384", "stage4_1_space_qkv") == 14 * 14);
  CHECK(positions("davit-tiny:size=384", "stage4_1_space_sum2") == 12 * 12);
  CHECK(positions("davit-tiny:size=128", "stage4_1_space_qkv") == 7 * 7);
  CHECK(positions("tinyvit-21m:size=384", "stage3_1_qkv") == 28 * 28);
  CHECK(positions("tinyvit-21m:size=384", "stage3_1_sum2") == 24 * 24);
  CHECK(positions("tinyvit-21m-384", "stage3_1_qkv") == 24 * 24);
  CHECK(positions("swinv2-base-w12:size=224", "stage2_1_qkv") == 36 * 36);
  CHECK(positions("swinv2-base-w12:size=224", "stage4_1_qkv") == 7 * 7);
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
    CHECK(forward_flops(network) / 1e9 == test::approx(flops).epsilon(0.05));
  }
  for (const auto& [name, parameters, flops] : {Published{"yolov8n-cls", 2.7, 3.4},
                                                Published{"yolov8s-cls", 6.4, 12.7},
                                                Published{"yolov8m-cls", 17.0, 42.7},
                                                Published{"yolov8l-cls", 37.5, 99.7},
                                                Published{"yolov8x-cls", 57.4, 154.8}}) {
    CAPTURE(name);
    CHECK(millions(make_network(name)) == test::approx(parameters).epsilon(0.01));
    const auto network = make_network(std::string(name) + ":size=640");
    CHECK(forward_flops(network) / 1e9 == test::approx(flops).epsilon(0.03));
  }
}

TEST_CASE("further classifiers: on a GPU those with attention to fewer positions are predicted") {
  for (const char* const name : {"hiera-tiny", "mobilenet-v4-hybrid-medium"}) {
    CHECK_THROWS_WITH_AS(static_cast<void>(make_engine(EngineKind::gpu, make_network(name), {})),
                         doctest::Contains("attention to other positions"),
                         EngineError);
  }
}
