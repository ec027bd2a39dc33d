// YOLOv8, YOLO11, YOLO12 and YOLO26 that say more of an object than its box: counts as published.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <doctest/doctest.h>

#include "kernels/networks/detection/detection.h"
#include "kernels/work.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

double giga(const std::string& name) {
  return forward_flops(make_network(name)) / 1e9;
}

double millions(const std::string& name) {
  return static_cast<double>(parameter_count(make_network(name))) / 1e6;
}

}  // namespace

// The lines of Ultralytics' yolo11-seg.yaml.
TEST_CASE("yolo tasks: YOLO11 that segments has the published parameters exactly") {
  const std::map<std::string, std::uint64_t> published{{"yolo11n-seg", 2'876'848},
                                                       {"yolo11s-seg", 10'113'248},
                                                       {"yolo11m-seg", 22'420'896},
                                                       {"yolo11l-seg", 27'678'368},
                                                       {"yolo11x-seg", 62'142'656}};
  for (const auto& [name, parameters] : published) {
    CAPTURE(name);
    CHECK(parameter_count(make_network(name)) == parameters);
  }
}

// docs/macros/yolo-seg-perf.md, yolo-pose-perf.md and yolo-obb-perf.md, of fused networks, whose
// convolutions have biases in the place of norms; YOLOv8's of Open Images from
// docs/en/models/yolov8.md, and YOLO12's from its authors' README.md, both as remembered.
TEST_CASE("yolo tasks: YOLO12's, YOLO26's and Open Images' have the published counts") {
  const std::map<std::string, std::pair<double, double>> published{
      {"yolo12n-seg", {2.8, 9.9}},     {"yolo12s-seg", {9.8, 33.4}},
      {"yolo12m-seg", {21.9, 115.1}},  {"yolo12l-seg", {28.8, 137.7}},
      {"yolo12x-seg", {64.5, 308.7}},  {"yolo26n-seg", {2.7, 9.3}},
      {"yolo26s-seg", {10.4, 34.5}},   {"yolo26m-seg", {23.6, 121.7}},
      {"yolo26l-seg", {28.0, 140.1}},  {"yolo26x-seg", {62.8, 314.0}},
      {"yolo26n-pose", {2.9, 7.5}},    {"yolo26s-pose", {10.4, 23.9}},
      {"yolo26m-pose", {21.5, 73.1}},  {"yolo26l-pose", {25.9, 91.3}},
      {"yolo26x-pose", {57.6, 201.7}}, {"yolo26n-obb", {2.4, 14.8}},
      {"yolo26s-obb", {9.8, 56.7}},    {"yolo26m-obb", {21.2, 184.9}},
      {"yolo26l-obb", {25.6, 232.4}},  {"yolo26x-obb", {57.6, 520.1}},
      {"yolov8n-oiv7", {3.5, 10.5}},   {"yolov8s-oiv7", {11.4, 29.7}},
      {"yolov8m-oiv7", {26.2, 80.6}},  {"yolov8l-oiv7", {44.1, 167.4}},
      {"yolov8x-oiv7", {68.7, 260.6}}};
  for (const auto& [name, row] : published) {
    CAPTURE(name);
    CHECK(std::abs(millions(name) - row.first) < std::max(0.06, 0.01 * row.first));
    // YOLO12's attention is as wide as the published one's nearly.
    CHECK(giga(name) == test::approx(row.second).epsilon(name.starts_with("yolo12") ? 0.06 : 0.04));
  }
  const auto made = [](const char* name) { return make_network(name).layers.back().out; };
  CHECK(made("yolo26n-seg") == FeatureShape{4 + 32 + 80, 8400, 1});
  CHECK(made("yolov8n-oiv7") == FeatureShape{4 + 601, 8400, 1});
  CHECK(parameter_count(make_network("yolo26m-cls")) == 11'634'216);  // yolo26-cls.yaml
  CHECK(make_network("yolo26n-cls").title == "YOLO26n-cls");
}

// Ultralytics' documentation (docs/en/models/yolov8.md and yolo11.md), which leaves digits out and
// does not round, of what is published; YOLOv8-OBB's and YOLO11-OBB's rows from memory.
TEST_CASE("yolo tasks: parameters are the published ones") {
  const std::map<std::string, double> published{
      {"yolov8n-seg", 3.4},   {"yolov8s-seg", 11.8},  {"yolov8m-seg", 27.3},
      {"yolov8l-seg", 46.0},  {"yolov8x-seg", 71.8},  {"yolov8n-pose", 3.3},
      {"yolov8s-pose", 11.6}, {"yolov8m-pose", 26.4}, {"yolov8l-pose", 44.4},
      {"yolov8x-pose", 69.4}, {"yolov8n-obb", 3.1},   {"yolov8s-obb", 11.4},
      {"yolov8m-obb", 26.4},  {"yolov8l-obb", 44.5},  {"yolov8x-obb", 69.5},
      {"yolo11n-pose", 2.9},  {"yolo11s-pose", 9.9},  {"yolo11m-pose", 20.9},
      {"yolo11l-pose", 26.1}, {"yolo11x-pose", 58.8}, {"yolo11n-obb", 2.7},
      {"yolo11s-obb", 9.7},   {"yolo11m-obb", 20.9},  {"yolo11l-obb", 26.1},
      {"yolo11x-obb", 58.8}};
  for (const auto& [name, parameters] : published) {
    CAPTURE(name);
    CHECK(millions(name) > parameters - 0.05);
    CHECK(millions(name) < parameters + 0.1);
  }
}

// The same documentation, of networks that are fused; attention to all places, which grows with
// their square, it takes as if it grew with their number. The rows of YOLOv8-Seg count what
// enlarges the masks' prototypes four times.
TEST_CASE("yolo tasks: forward passes have nearly the published FLOPs") {
  const std::map<std::string, double> published{
      {"yolo11n-seg", 9.7},    {"yolo11s-seg", 33.0},  {"yolo11m-seg", 113.2},
      {"yolo11l-seg", 132.2},  {"yolo11x-seg", 296.4}, {"yolov8n-pose", 9.2},
      {"yolov8s-pose", 30.2},  {"yolov8m-pose", 81.0}, {"yolov8l-pose", 168.6},
      {"yolov8x-pose", 263.2}, {"yolo11n-pose", 7.4},  {"yolo11s-pose", 23.1},
      {"yolo11m-pose", 71.4},  {"yolo11l-pose", 90.3}, {"yolo11x-pose", 202.8},
      {"yolov8n-obb", 23.3},   {"yolov8s-obb", 76.3},  {"yolov8m-obb", 208.6},
      {"yolov8l-obb", 433.8},  {"yolov8x-obb", 676.7}, {"yolo11n-obb", 16.8},
      {"yolo11s-obb", 57.1},   {"yolo11m-obb", 182.8}, {"yolo11l-obb", 231.2},
      {"yolo11x-obb", 519.1}};
  for (const auto& [name, flops] : published) {
    CAPTURE(name);
    CHECK(giga(name) == test::approx(flops).epsilon(name.ends_with("n-obb") ? 0.08 : 0.035));
  }
  const std::map<std::string, std::pair<double, double>> segmenters{{"yolov8n-seg", {12.6, 64}},
                                                                    {"yolov8s-seg", {42.6, 128}},
                                                                    {"yolov8m-seg", {110.2, 192}},
                                                                    {"yolov8l-seg", {220.5, 256}},
                                                                    {"yolov8x-seg", {344.1, 320}}};
  for (const auto& [name, row] : segmenters) {
    CAPTURE(name);
    const auto& [flops, channels] = row;
    const double enlarging = 2 * 160 * 160 * channels * channels / 1e9;
    CHECK(giga(name) + 3 * enlarging == test::approx(flops).epsilon(0.03));
  }
}

TEST_CASE("yolo tasks: each place says as much as published") {
  const auto made = [](const char* name) { return make_network(name).layers.back().out; };
  CHECK(made("yolov8n-seg") == FeatureShape{4 + 32 + 80, 8400, 1});
  CHECK(made("yolo11m-pose") == FeatureShape{4 + 17 * 3 + 1, 8400, 1});
  CHECK(made("yolo11x-obb") == FeatureShape{4 + 1 + 15, 21504, 1});
  CHECK(made("yolo11x-obb:size=640") == FeatureShape{4 + 1 + 15, 8400, 1});
  CHECK(make_network("yolov8n-seg").notes.size() == 1);
  CHECK(make_network("yolov8n").notes.empty());
}
