// The layers of detectors and segmenters on the CPU engine: against naive references in double,
// their gradients against finite differences, and the networks themselves on small images.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/detection/detection.h"
#include "support/approx.h"
#include "support/gradient_check.h"
#include "support/picture_runs.h"
#include "support/reference_detection.h"

using namespace rightsize;
using test::check_gradients;
using test::evaluated;
using test::runs;
using test::same;

namespace {

constexpr int items = test::picture_items;
constexpr std::int64_t sides = 2;
constexpr std::int64_t bins = 4;
constexpr int classes = 5;

NetworkBuilder picture(int of_classes, std::int64_t h = 9, std::int64_t w = 7) {
  return {"tiny", "Tiny", {3, h, w}, of_classes};
}

// Two levels with two boxes at each place, the sides of a box told by bins.
Network detector(Scoring scoring) {
  auto net = picture(classes);
  const auto features = sides * bins + classes - (scoring == Scoring::sigmoid ? 1 : 0);
  int x = net.convolution("a", net.input(), 8, same, true);
  x = net.activation("a_active", x, Activation::silu);
  const int fine = net.convolution("fine", x, 2 * features, same, true);
  x = net.convolution("b", x, 8, {.kernel = 3, .stride = 2, .pad = 1}, true);
  const int coarse = net.convolution("coarse", x, 2 * features, {}, true);
  x = net.join_positions(
      "all", {net.to_sequence("fine_all", fine, 2), net.to_sequence("coarse_all", coarse, 2)});
  return net.finish_detector(net.expected_bin("head", x, sides, bins), sides, scoring);
}

constexpr Scoring scorings[] = {Scoring::softmax, Scoring::sigmoid, Scoring::objectness};

}  // namespace

TEST_CASE("cpu detection: positions of one place lie side by side, its channels shared out") {
  const auto e = evaluated(detector(Scoring::softmax), {});
  const auto image = e.output("fine");
  const auto& in = e.layer("fine").out;
  const auto sequence = e.sequence("fine_all");
  REQUIRE(e.layer("fine_all").out == FeatureShape{in.c / 2, 2 * in.positions(), 1});
  test::for_each(in, items, [&](auto n, auto c, auto h, auto w) {
    const auto each = in.c / 2;
    const auto place = 2 * (h * in.w + w) + c / each;
    CHECK(sequence(n, place, c % each) == static_cast<double>(image[test::at(in, n, c, h, w)]));
  });
}

TEST_CASE("cpu detection: a side of a box is the mean of its bins") {
  for (const auto& run : runs()) {
    const auto e = evaluated(detector(Scoring::sigmoid), run);
    e.check("head",
            test::expected_bin(e.layer("head"), items, e.sequence("all")).values,
            run.tolerance);
  }
}

TEST_CASE("cpu detection: the loss, of scores and boxes, with positions that count for nothing") {
  for (const auto scoring : scorings) {
    for (const auto& run : runs()) {
      auto e = evaluated(detector(scoring), run);
      const auto expected = [&] {
        return test::detection_loss(
            e.layer("loss"), items, e.sequence("head"), e.parameter("loss.target"), e.batch.labels);
      };
      CAPTURE(static_cast<int>(scoring));
      CHECK(e.loss == test::approx(expected()).epsilon(run.tolerance));
      for (std::size_t i = 0; i < e.batch.labels.size(); i += 3) {
        e.batch.labels[i] = -1;
      }
      const double before = e.loss;
      e.loss = e.engine.evaluate(e.batch.view()).loss.value();
      CHECK(e.loss != test::approx(before).epsilon(1e-3));
      CHECK(e.loss == test::approx(expected()).epsilon(run.tolerance));
    }
  }
}

TEST_CASE("cpu detection: an image without objects costs its scores, and one of none nothing") {
  for (const auto scoring : scorings) {
    auto e = evaluated(detector(scoring), {});
    std::fill(e.batch.labels.begin(), e.batch.labels.end(), 0);
    const double empty = e.engine.evaluate(e.batch.view()).loss.value();
    CHECK(empty == test::approx(test::detection_loss(e.layer("loss"),
                                                     items,
                                                     e.sequence("head"),
                                                     e.parameter("loss.target"),
                                                     e.batch.labels)));
    std::fill(e.batch.labels.begin(), e.batch.labels.end(), -1);
    CHECK(e.engine.evaluate(e.batch.view()).loss.value() == 0);
    for (const float value : e.engine.gradient("fine.weights")) {
      CHECK(value == 0);
    }
  }
}

TEST_CASE("cpu detection: a label that is no class is refused") {
  auto e = evaluated(detector(Scoring::sigmoid), {});
  e.batch.labels.back() = classes;
  CHECK_THROWS_WITH_AS(static_cast<void>(e.engine.evaluate(e.batch.view())),
                       doctest::Contains("label 5 is not one of 5 classes"),
                       EngineError);
}

TEST_CASE("cpu detection gradient: scores, boxes and bins") {
  for (const auto scoring : scorings) {
    check_gradients(detector(scoring), 2);
  }
}

TEST_CASE("cpu detection: a batch is learned by heart, by every way of scoring") {
  for (const auto scoring : scorings) {
    EngineOptions options;
    options.batch = 2;
    options.threads = 2;
    options.learning_rate = 0.02F;
    const auto network = detector(scoring);
    cpu::CpuEngine engine(network, options);
    const auto batch = test::noise_batch(network, options.batch);
    const auto first = engine.step(batch.view());
    CHECK_FALSE(first.correct.has_value());  // what is found is not told by positions alone
    double last = 0;
    for (int i = 0; i < 150; ++i) {
      last = engine.step(batch.view()).loss.value();
    }
    CAPTURE(static_cast<int>(scoring));
    CHECK(last < 0.7 * first.loss.value());
  }
}

namespace {

Network enlarged(std::int64_t channels, std::int64_t times, bool bias) {
  auto net = picture(4);
  int x = net.convolution("a", net.input(), channels, same, true);
  x = net.transposed_convolution("large", x, channels + 2, times, bias);
  return net.finish_segmenter(net.convolution("scores", x, 4, same, true));
}

Network interpolated(std::int64_t channels, std::int64_t times) {
  auto net = picture(4);
  int x = net.convolution("a", net.input(), channels, same, true);
  x = net.interpolate("large", x, times);
  return net.finish_segmenter(net.convolution("scores", x, 4, same, true));
}

// One convolution at two sizes.
Network shared() {
  auto net = picture(4);
  const Window down{.kernel = 3, .stride = 2, .pad = 1};
  const int a = net.convolution("a", net.input(), 6, same, true);
  const int half = net.convolution("half", a, 6, down, true);
  const int own = net.convolution("own", a, 5, same, true);
  const int like = net.tied_convolution("like", half, own);
  const int x = net.join_positions(
      "both", {net.to_sequence("own_all", own), net.to_sequence("like_all", like)});
  return net.finish_segmenter(net.linear("scores", x, 4, true));
}

}  // namespace

TEST_CASE("cpu detection: each position becomes a window") {
  for (const auto& run : runs()) {
    for (const std::int64_t channels : {16, 5}) {
      for (const std::int64_t times : {2, 3}) {
        for (const bool bias : {true, false}) {
          CAPTURE(channels);
          const auto e = evaluated(enlarged(channels, times, bias), run);
          e.check("large",
                  test::transposed_convolution(e.layer("large"),
                                               items,
                                               e.layer("a").out,
                                               e.output("a"),
                                               e.parameter("large.weights"),
                                               bias ? e.parameter("large.bias") : test::Values{}),
                  run.tolerance);
        }
      }
    }
  }
}

TEST_CASE("cpu detection: an image grows linearly between its positions") {
  for (const auto& run : runs()) {
    for (const std::int64_t channels : {16, 5}) {
      for (const std::int64_t times : {2, 8}) {
        CAPTURE(channels);
        const auto e = evaluated(interpolated(channels, times), run);
        e.check("large", test::interpolate(e.layer("large"), items, e.output("a")), run.tolerance);
      }
    }
  }
}

TEST_CASE("cpu detection: a convolution by the weights of another") {
  const auto network = shared();
  for (const auto& run : runs()) {
    const auto e = evaluated(network, run);
    e.check("like",
            test::convolution(e.layer("like"),
                              e.layer("half").out,
                              items,
                              e.output("half"),
                              e.parameter("own.weights"),
                              e.parameter("own.bias")),
            run.tolerance);
  }
  check_gradients(network, 2);
}

TEST_CASE("cpu detection gradient: images that have grown") {
  check_gradients(enlarged(16, 2, true), 2);
  check_gradients(enlarged(5, 3, false), 2);
  check_gradients(interpolated(16, 2), 2);
  check_gradients(interpolated(5, 3), 2);
}

namespace {

// Losses of some steps on one batch.
std::vector<double> steps_of(const std::string& name, Phase phase, int steps) {
  EngineOptions options;
  options.phase = phase;
  options.batch = 2;
  options.threads = 2;
  options.learning_rate = 1e-2F;
  const auto network = make_network(name);
  cpu::CpuEngine engine(network, options);
  const auto batch = test::noise_batch(network, options.batch);
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) {
    losses.push_back(engine.step(batch.view()).loss.value());
  }
  return losses;
}

}  // namespace

TEST_CASE("cpu detection: YOLO networks learn small images") {
  for (const char* const family : {"yolov5n", "yolov8n", "yolo11n"}) {
    const auto name = std::string(family) + ":size=64";
    CAPTURE(name);
    const auto losses = steps_of(name, Phase::train, 10);
    CHECK(losses.back() < 0.9 * losses.front());
    CHECK(std::isfinite(steps_of(name, Phase::infer, 1).front()));
  }
}

TEST_CASE("cpu detection: the larger networks train and find") {
  for (const char* const name : {"unet:size=32", "retinanet-resnet50:size=64"}) {
    CAPTURE(std::string(name));
    CHECK(std::isfinite(steps_of(name, Phase::train, 1).front()));
  }
  CHECK(std::isfinite(steps_of("deeplabv3-resnet50:size=64", Phase::infer, 1).front()));
  CHECK(std::isfinite(steps_of("fcn-resnet50:size=64", Phase::infer, 1).front()));
}
