// Detectors and segmenters with transformers, those of two stages, and the newest YOLO: counts as
// published.
#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include <doctest/doctest.h>

#include "kernels/network_error.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/multiply_adds.h"

using namespace rightsize;

namespace {

double millions(const std::string& name) {
  return static_cast<double>(parameter_count(make_network(name))) / 1e6;
}

double giga_macs(const std::string& name) {
  return test::multiply_adds(make_network(name)) / 1e9;
}

struct Published {
  const char* name;
  double parameters;  // in millions
  double giga_flops;
};

}  // namespace

// THU-MIG/yolov10's README.md, of what is deployed; Ultralytics' docs/macros/yolo-det-perf.md of
// YOLO26, fused; of YOLOv9m its yaml (20 216 160 and 77.9).
TEST_CASE("detectors: YOLOv9 to YOLO26 have the published counts") {
  for (const auto& [name, parameters, flops] : {Published{"yolov9m", 20.216, 77.9},
                                                Published{"yolov10n", 2.3, 6.7},
                                                Published{"yolov10s", 7.2, 21.6},
                                                Published{"yolov10m", 15.4, 59.1},
                                                Published{"yolov10b", 19.1, 92.0},
                                                Published{"yolov10l", 24.4, 120.3},
                                                Published{"yolov10x", 29.5, 160.4},
                                                Published{"yolo26n", 2.4, 5.4},
                                                Published{"yolo26s", 9.5, 20.7},
                                                Published{"yolo26m", 20.4, 68.2},
                                                Published{"yolo26l", 24.8, 86.4},
                                                Published{"yolo26x", 55.7, 193.9}}) {
    CAPTURE(name);
    CHECK(millions(name) == test::approx(parameters).epsilon(0.015));
    CHECK(forward_flops(make_network(name)) / 1e9 == test::approx(flops).epsilon(0.05));
  }
}

// lyuwenyu/RT-DETR's README.md, which rounds parameters down (transformers' count of R50 is 42.9
// M).
TEST_CASE("detectors: RT-DETR has the published counts") {
  for (const auto& [name, parameters, flops] : {Published{"rtdetr-r18", 20, 60},
                                                Published{"rtdetr-r34", 31, 92},
                                                Published{"rtdetr-r50", 42, 136},
                                                Published{"rtdetr-r101", 76, 259}}) {
    CAPTURE(name);
    CHECK(millions(name) == test::approx(parameters).epsilon(0.022));
    CHECK(forward_flops(make_network(name)) / 1e9 == test::approx(flops).epsilon(0.03));
  }
}

// What Ultralytics' program prints of rtdetr-l.yaml and rtdetr-x.yaml (32 970 732 and 67 468 108,
// found in the index of public code): with the scores of five layers more, and a vector of each
// class and of none for what it denoises while it trains. RT-DETR's README.md has 110 and 234
// GFLOPs of them.
TEST_CASE("detectors: RT-DETR with PP-HGNetV2 has the published counts") {
  constexpr std::uint64_t left_out = 5 * (256 * 80 + 80) + 81 * 256;
  CHECK(parameter_count(make_network("rtdetr-l")) + left_out == 32'970'732);
  CHECK(parameter_count(make_network("rtdetr-x")) + left_out == 67'468'108);
  CHECK(forward_flops(make_network("rtdetr-l")) / 1e9 == test::approx(110).epsilon(0.02));
  CHECK(forward_flops(make_network("rtdetr-x")) / 1e9 == test::approx(234).epsilon(0.02));
}

// Ultralytics' yolov9e.yaml.
TEST_CASE("detectors: YOLOv9-E has the published counts") {
  CHECK(parameter_count(make_network("yolov9e")) == 58'206'592);
  CHECK(forward_flops(make_network("yolov9e")) / 1e9 == test::approx(193.0).epsilon(0.01));
}

// torchvision's documentation of its weights, from memory ("num_params" 41 755 286 and 44 401 393),
// which does not count the batch norms of the backbone, 53 120 numbers; "GFLOPS" 134.38 of both.
TEST_CASE("detectors: Faster and Mask R-CNN have the published counts") {
  constexpr std::uint64_t norms = 53'120;
  CHECK(parameter_count(make_network("fasterrcnn-resnet50")) == 41'755'286 + norms);
  CHECK(parameter_count(make_network("maskrcnn-resnet50")) == 44'401'393 + norms);
  CHECK(giga_macs("fasterrcnn-resnet50") == test::approx(134.38).epsilon(0.01));
  CHECK(make_network("maskrcnn-resnet50").layers.back().out.positions() == 1000);
}

// Carion et al., 2020, table 1: 41 M and 60 M; 100 queries.
TEST_CASE("detectors: DETR has the published counts") {
  CHECK(millions("detr-resnet50") == test::approx(41.5).epsilon(0.005));
  CHECK(millions("detr-resnet101") == test::approx(60.5).epsilon(0.01));
  CHECK(make_network("detr-resnet50").layers.back().out == FeatureShape{4 + 92, 100, 1});
}

// Xie et al., 2021, table 1 of ADE20K, whose FLOPs are multiply-adds; B0 by transformers' count.
TEST_CASE("segmenters: SegFormer has the published counts") {
  for (const auto& [name, parameters, macs] : {Published{"segformer-b1", 13.7, 15.9},
                                               Published{"segformer-b2", 27.5, 62.4},
                                               Published{"segformer-b3", 47.3, 79.0},
                                               Published{"segformer-b4", 64.1, 95.7},
                                               Published{"segformer-b5", 84.7, 183.3}}) {
    CAPTURE(name);
    CHECK(millions(name) == test::approx(parameters).epsilon(0.002));
    CHECK(giga_macs(name) == test::approx(macs).epsilon(0.03));
  }
  CHECK(parameter_count(make_network("segformer-b0")) == 3'752'694);
  CHECK(make_network("segformer-b0").layers.back().out == FeatureShape{150, 512, 512});
}

// timm's results/benchmark-infer-amp-nchw-pt291-cu130-5090.csv: with biases by distance, and with
// what fills up windows at the border (64 positions a side to 70), which are left out here.
TEST_CASE("segmenters: SAM's image encoders have the published counts") {
  for (const auto& [name, parameters, macs] : {Published{"sam-vit-b", 89.67, 486.43},
                                               Published{"sam-vit-l", 308.28, 1493.86},
                                               Published{"sam-vit-h", 637.03, 2982.23}}) {
    CAPTURE(name);
    CHECK(millions(name) == test::approx(parameters).epsilon(0.0015));
    CHECK(giga_macs(name) < macs);
    CHECK(giga_macs(name) == test::approx(macs).epsilon(0.07));
  }
}

// timm's file of SAM: what the encoder has without its pyramid, at 896 pixels, where windows fit
// the image (Hiera-L: at 1024, where they do too).
TEST_CASE("segmenters: SAM 2's image encoders have the published counts") {
  const auto pyramid = [](double width) { return (256 * 15 * width + 4 * 256) / 1e6; };
  for (const auto& [name, width, parameters, macs] :
       {std::tuple{"sam2-hiera-tiny:size=896", 96, 26.85, 99.86},
        std::tuple{"sam2-hiera-small:size=896", 96, 33.95, 123.99},
        std::tuple{"sam2-hiera-base-plus:size=896", 112, 68.68, 227.48},
        std::tuple{"sam2-hiera-large", 144, 212.15, 907.48}}) {
    CAPTURE(name);
    CHECK(millions(name) - pyramid(width) == test::approx(parameters).epsilon(0.001));
    CHECK(giga_macs(name) == test::approx(macs).epsilon(0.03));
  }
  CHECK(make_network("sam2-hiera-base-plus").layers.back().out == FeatureShape{256, 64, 64});
}

// roboflow/rf-detr's README.md, which counts them to a tenth of a million; Peterande/D-FINE's of
// FLOPs, of what is deployed: blocks of two convolutions as one; with what mends scores and a
// vector of each class.
TEST_CASE("detectors: D-FINE has the published counts") {
  const auto second_convolutions = [](double inner, double blocks, double parts) {
    return inner * (inner + 2 + 2) * blocks * 2 * parts / 1e6;
  };
  constexpr double left_out = (6 * 1409 + 81 * 256) / 1e6;
  const struct {
    Published published;
    double second;
  } rows[] = {{{"dfine-n", 3.8, 7}, second_convolutions(21, 2, 2)},
              {{"dfine-s", 10.2, 25}, second_convolutions(64, 1, 4)},
              {{"dfine-m", 19.2, 57}, second_convolutions(128, 2, 4)},
              {{"dfine-l", 31.0, 91}, second_convolutions(128, 3, 4)},
              {{"dfine-x", 62.0, 202}, second_convolutions(192, 3, 4)}};
  for (const auto& [row, second] : rows) {
    CAPTURE(row.name);
    const double counted = millions(row.name) - second + left_out;
    CHECK(std::abs(counted - row.parameters) < std::max(0.05, 0.01 * row.parameters));
    CHECK(2 * giga_macs(row.name) == test::approx(row.giga_flops).epsilon(0.05));
  }
}

// roboflow/rf-detr's README.md, with the 13 groups of queries that are trained; of the base one the
// README.md of March 2025 (from memory), without them.
TEST_CASE("detectors: RF-DETR has the published counts") {
  constexpr double width = 256;
  constexpr double square = width * width + width;
  constexpr double perceptron = 2 * square + 4 * width + 4;
  constexpr double group = square + 2 * width + perceptron + 91 * (width + 1) + 300 * width;
  for (const auto& [name, parameters, side] : {std::tuple{"rfdetr-nano", 30.5, 24},
                                               std::tuple{"rfdetr-small", 32.1, 32},
                                               std::tuple{"rfdetr-medium", 33.7, 36},
                                               std::tuple{"rfdetr-large", 33.9, 44}}) {
    CAPTURE(name);
    CHECK(millions(name) + 12 * group / 1e6 == test::approx(parameters).epsilon(0.002));
    CHECK(make_network(name).input.h == 16 * side);
    CHECK(make_network(name).layers.back().out == FeatureShape{4 + 91, 300, 1});
  }
  CHECK(millions("rfdetr-base") == test::approx(29).epsilon(0.015));
}

// RF-DETR's documentation of 1.8.3 (learn/run/segmentation), counted as those above; its large one
// has 0.3 million more there than a larger table of positions than the medium one's makes.
TEST_CASE("detectors: RF-DETR that segments has the published counts") {
  constexpr double width = 256;
  constexpr double square = width * width + width;
  constexpr double perceptron = 2 * square + 4 * width + 4;
  const struct {
    const char* name;
    double parameters;
    int size;
    int queries;
  } published[] = {{"rfdetr-seg-nano", 33.6, 312, 100},
                   {"rfdetr-seg-small", 33.7, 384, 100},
                   {"rfdetr-seg-medium", 35.7, 432, 200},
                   {"rfdetr-seg-large", 36.2, 504, 200},
                   {"rfdetr-seg-xlarge", 38.1, 624, 300},
                   {"rfdetr-seg-2xlarge", 38.6, 768, 300}};
  for (const auto& [name, parameters, size, queries] : published) {
    CAPTURE(name);
    const double group = square + 2 * width + perceptron + 91 * (width + 1) + queries * width;
    CHECK(millions(name) + 12 * group / 1e6 ==
          test::approx(parameters).epsilon(size == 504 ? 0.01 : 0.002));
    CHECK(make_network(name).input.h == size);
    CHECK(make_network(name).layers.back().out == FeatureShape{4 + 256 + 91, queries, 1});
  }
}
