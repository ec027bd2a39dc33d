// Detectors and segmenters: counts as published, the positions they make, and what a size changes.
#include "kernels/networks/detection/detection.h"

#include <algorithm>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "kernels/engine.h"
#include "kernels/network_blocks.h"
#include "kernels/network_error.h"
#include "kernels/networks/builder.h"
#include "kernels/work.h"
#include "support/approx.h"
#include "support/layer_order.h"

using namespace rightsize;

namespace {

std::uint64_t parameters_of(const Network& network, LayerKind kind) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    sum += network.layers[i].kind == kind ? layer_work(network, i).parameters : 0;
  }
  return sum;
}

double giga(const std::string& name) {
  return forward_flops(make_network(name)) / 1e9;
}

}  // namespace

// YOLO11's, YOLOv9's and YOLO12's, as the lines of Ultralytics' own yolo11.yaml, yolov9t.yaml to
// yolov9c.yaml and yolo12.yaml print them, found in the index of public code (of YOLO12's largest
// less the factors that their stages are added with); those of YOLOv8 (yolov8.yaml's summary lines)
// and of YOLOv5 (what train.py prints, not fused) are from memory.
TEST_CASE("detection: YOLO networks have the published parameters exactly") {
  const std::map<std::string, std::uint64_t> published{
      {"yolov5n", 1'872'157},         {"yolov5s", 7'235'389},        {"yolov5m", 21'190'557},
      {"yolov5l", 46'563'709},        {"yolov5x", 86'749'405},       {"yolov8n", 3'157'200},
      {"yolov8s", 11'166'560},        {"yolov8m", 25'902'640},       {"yolov8l", 43'691'520},
      {"yolov8x", 68'229'648},        {"yolo11n", 2'624'080},        {"yolo11s", 9'458'752},
      {"yolo11m", 20'114'688},        {"yolo11l", 25'372'160},       {"yolo11x", 56'966'176},
      {"yolov9t", 2'128'720},         {"yolov9s", 7'318'368},        {"yolov9c", 25'590'912},
      {"yolo12n", 2'553'904},         {"yolo12s", 9'127'424},        {"yolo12m", 19'670'784},
      {"yolo12l", 26'506'496 - 1024}, {"yolo12x", 59'414'176 - 1536}};
  for (const auto& [name, parameters] : published) {
    CAPTURE(name);
    CHECK(parameter_count(make_network(name)) == parameters);
  }
}

// From memory of torchvision's documentation of its weights, which does not count the batch norms
// of RetinaNet's backbone, since they are frozen, and counts a second head of segmenters; of the
// U-Net, what milesial/Pytorch-UNet prints.
TEST_CASE("detection: the others have the published parameters, with what these count") {
  const auto all = [](const char* name) { return parameter_count(make_network(name)); };
  const auto retinanet = make_network("retinanet-resnet50");
  CHECK(parameter_count(retinanet) - parameters_of(retinanet, LayerKind::batch_norm) == 34'014'999);
  constexpr std::uint64_t second_head = 1024 * 256 * 9 + 2 * 256 + 256 * 21 + 21;
  CHECK(all("fcn-resnet50") + second_head == 35'322'218);
  CHECK(all("deeplabv3-resnet50") + second_head == 42'004'074);
  CHECK(all("unet") == 31'037'698);
  // ResNeXt-50's 22 979 904 for ResNet-50's 23 508 032, and scores of 264 classes for those of 91.
  CHECK(all("retinanet-resnext50") ==
        all("retinanet-resnet50") + 22'979'904 - 23'508'032 + 9 * (264 - 91) * (256 * 9 + 1));
}

// NVIDIA's SSD300: ResNet-50 up to its third stage, five pairs of convolutions, six pairs of heads.
TEST_CASE("detection: SSD300 has the parameters that its parts add up to") {
  const std::uint64_t third_stage = 8'543'296;  // ResNet-50's 23 508 032 less its last's 14 964 736
  const auto pair = [](std::uint64_t in, std::uint64_t inner, std::uint64_t out) {
    return in * inner + 2 * inner + inner * out * 9 + 2 * out;
  };
  const std::uint64_t extra =
      pair(1024, 256, 512) + pair(512, 256, 512) + pair(512, 128, 256) + 2 * pair(256, 128, 256);
  const auto head = [](std::uint64_t in, std::uint64_t boxes) { return boxes * 85 * (in * 9 + 1); };
  const std::uint64_t heads = head(1024, 4) + 2 * head(512, 6) + head(256, 6) + 2 * head(256, 4);
  CHECK(parameter_count(make_network("ssd300-resnet50")) == third_stage + extra + heads);
}

// Ultralytics' documentation of each family, at 640 pixels; it leaves out activations.
// torchvision's "GFLOPS" are multiply-adds, of segmenters with the second head's 10.0.
TEST_CASE("detection: forward passes have nearly the published FLOPs") {
  const std::map<std::string, double> published{{"yolov5n", 4.5},
                                                {"yolov5s", 16.5},
                                                {"yolov5m", 49.0},
                                                {"yolov5l", 109.1},
                                                {"yolov5x", 205.7},
                                                {"yolov8n", 8.7},
                                                {"yolov8s", 28.6},
                                                {"yolov8m", 78.9},
                                                {"yolov8l", 165.2},
                                                {"yolov8x", 257.8},
                                                {"yolo11n", 6.5},
                                                {"yolo11s", 21.5},
                                                {"yolo11m", 68.0},
                                                {"yolo11l", 86.9},
                                                {"yolo11x", 194.9}};
  for (const auto& [name, gflops] : published) {
    CAPTURE(name);
    CHECK(giga(name) == test::approx(gflops).epsilon(0.035));
    CHECK(giga(name) > gflops);
  }
  CHECK(giga("retinanet-resnet50") == test::approx(2 * 151.54).epsilon(0.01));
  CHECK(giga("fcn-resnet50") == test::approx(2 * (152.72 - 10.0)).epsilon(0.01));
  CHECK(giga("deeplabv3-resnet50") == test::approx(2 * (178.72 - 10.0)).epsilon(0.01));
}

TEST_CASE("detection: as many positions as published, each with a box and its scores") {
  const auto made = [](const char* name) { return make_network(name).layers.back().out; };
  CHECK(made("yolov8n") == FeatureShape{4 + 80, 8400, 1});
  CHECK(made("yolo11x") == FeatureShape{4 + 80, 8400, 1});
  CHECK(made("yolov5s") == FeatureShape{4 + 1 + 80, 25200, 1});
  CHECK(made("yolov8n:size=1280") == FeatureShape{4 + 80, 33600, 1});
  CHECK(made("ssd300-resnet50") == FeatureShape{4 + 81, 8732, 1});
  CHECK(made("retinanet-resnet50") == FeatureShape{4 + 91, 120087, 1});
  CHECK(made("retinanet-resnext50") == FeatureShape{4 + 264, 120087, 1});
  CHECK(made("unet") == FeatureShape{2, 512, 512});
  CHECK(made("fcn-resnet50") == FeatureShape{21, 520, 520});
  CHECK(made("deeplabv3-resnet50:size=256") == FeatureShape{21, 256, 256});
}

TEST_CASE("detection: layers are in order, and nothing but the loss is left unread") {
  for (const auto& info : detection_networks()) {
    const auto network = usual_image(info);
    CAPTURE(network.name);
    CHECK(network.name == info.name);
    CHECK(labels_positions(network));
    CHECK(reads_pictures(network));
    CHECK(finds_objects(network) == (network.layers.back().kind == LayerKind::detection_loss));
    const auto read = test::check_layer_order(network);
    CHECK(read == network.layers.size() - 1);
  }
  CHECK_FALSE(labels_positions(make_network("resnet50")));
  CHECK_FALSE(labels_positions(make_network("gpt2")));
  CHECK_FALSE(finds_objects(make_network("unet")));
}

TEST_CASE("detection: a side twice as long is four times the work, of the same parameters") {
  CHECK(parameter_count(make_network("yolov8m:size=1280")) ==
        parameter_count(make_network("yolov8m")));
  CHECK(giga("yolov8m:size=1280") == test::approx(4 * giga("yolov8m")));
  CHECK(giga("yolo11m:size=1280") > 4 * giga("yolo11m"));  // it attends from all to all
  CHECK(make_network("yolov8m:size=1280").title == "YOLOv8m, 1280x1280");
  CHECK(make_network("yolov8m:size=640").title == "YOLOv8m");
}

// At inference what lies beside a layer is what later ones still read.
TEST_CASE("detection: long connections take memory at inference") {
  const auto network = make_network("unet");
  const auto elements = (device_memory_bytes(network, Phase::infer, Precision::fp16, 2) -
                         device_memory_bytes(network, Phase::infer, Precision::fp16, 1)) /
                        2;
  const std::uint64_t picture = 3 * 512 * 512;
  const std::uint64_t widest = 64 * 512 * 512;
  CHECK(elements == picture + 4 * widest);  // skipped, enlarged, and both side by side
}

TEST_CASE("detection: a form that cannot be is refused, with what can") {
  const auto refused = [](const char* name, const char* words) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_network(name)), doctest::Contains(words), NetworkError);
  };
  refused("yolov8n:size=650", "expected pixels a side, as in size=640, a multiple of 32");
  refused("yolov8n:size=", "expected pixels a side");
  refused("yolov8n:size=0", "expected pixels a side");
  refused("yolov8n:size=640x480", "expected pixels a side");
  refused("yolov8n:1280", "\"1280\": expected :size=PIXELS");
  refused("yolov8n:steps=3", "expected :size=PIXELS");
  refused("yolov8n:size=640:size=320", "size is said twice");
  refused("unet:size=100", "as in size=512, a multiple of 16");
  refused("ssd300-resnet50:size=600", "reads 300 pixels a side alone");
  CHECK_THROWS_WITH_AS(static_cast<void>(make_network("yolov8n", 16)),
                       doctest::Contains("it reads images, leave sequence out"),
                       NetworkError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(make_network("yolov8")), doctest::Contains("yolov8"), UnknownNetwork);
}

TEST_CASE("detection: a loss that does not fit its scores is refused") {
  NetworkBuilder net("tiny", "Tiny", {3, 8, 8}, 5);
  const int x = net.to_sequence("all", net.convolution("a", net.input(), 8, {}, true));
  CHECK_THROWS_WITH_AS(static_cast<void>(net.finish_detector(x, 4, Scoring::softmax)),
                       doctest::Contains("8 features with a box of 4 for 5 classes"),
                       NetworkError);
}

TEST_CASE("detection: on a GPU they are predicted, and refused with the engine that runs them") {
  for (const char* const name : {"yolov8n", "unet"}) {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(make_engine(EngineKind::gpu, make_network(name), {})),
        doctest::Contains("is predicted, not run: ask advise, predict or simulate, "
                          "or use engine cpu"),
        EngineError);
  }
}
