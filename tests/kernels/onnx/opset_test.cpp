// The same operator as older and newer opsets write it.
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/onnx_file.h"

namespace {

using namespace rightsize;
using test::loaded;
using test::OnnxFile;

OnnxFile image_file(std::int64_t opset, const onnx::Dims& dims = {1, 4, 6, 6}) {
  OnnxFile file(opset);
  file.input("x", dims).output("y");
  return file;
}

const Layer& first_layer(const OnnxModel& model) {
  REQUIRE_MESSAGE(model.network, model.report.reason());
  return model.network->layers.at(1);
}

}  // namespace

TEST_CASE("onnx: Clip to 0 .. 6 is ReLU6, by attributes before opset 11 and inputs since") {
  auto older = image_file(9);
  older.node("Clip", {"x"}, {"y"}).with("min", 0.0F).with("max", 6.0F);
  auto newer = image_file(13);
  newer.weights("low", {}, {0}).weights("high", {}, {6}).node("Clip", {"x", "low", "high"}, {"y"});
  for (const auto& file : {older, newer}) {
    const auto model = loaded(file);
    CHECK(first_layer(model).kind == LayerKind::activation);
    CHECK(first_layer(model).activation == Activation::relu6);
  }
  auto open = image_file(13);
  open.weights("low", {}, {0}).node("Clip", {"x", "low"}, {"y"});
  CHECK(first_layer(loaded(open)).kind == LayerKind::relu);
  auto other = image_file(13);
  other.weights("low", {}, {-1}).node("Clip", {"x", "low"}, {"y"});
  CHECK_FALSE(loaded(other).network);
}

TEST_CASE("onnx: ReduceMean takes its axes from an attribute or, since opset 18, an input") {
  auto older = image_file(11);
  older.node("ReduceMean", {"x"}, {"y"}).with_list("axes", {2, 3}).with("keepdims", 0);
  auto newer = image_file(18);
  newer.integers("axes", {2}, {-1, -2}).node("ReduceMean", {"x", "axes"}, {"y"});
  for (const auto& file : {older, newer}) {
    const auto model = loaded(file);
    CHECK(first_layer(model).kind == LayerKind::global_average_pool);
    CHECK(model.network->classes == 4);
  }
  auto channels = image_file(11);
  channels.node("ReduceMean", {"x"}, {"y"}).with_list("axes", {1});
  CHECK_FALSE(loaded(channels).network);
}

TEST_CASE("onnx: Squeeze and Unsqueeze take their axes either way and move nothing") {
  const auto squeezing = [](std::int64_t opset) {
    auto file = image_file(opset);
    file.node("GlobalAveragePool", {"x"}, {"p"});
    return file;
  };
  auto older = squeezing(11);
  older.node("Squeeze", {"p"}, {"s"}).with_list("axes", {2, 3});
  older.node("Unsqueeze", {"s"}, {"y"}).with_list("axes", {2});
  auto newer = squeezing(13);
  newer.integers("both", {2}, {2, 3}).integers("one", {1}, {-1});
  newer.node("Squeeze", {"p", "both"}, {"s"}).node("Unsqueeze", {"s", "one"}, {"y"});
  for (const auto& file : {older, newer}) {
    const auto model = loaded(file);
    CHECK(first_layer(model).kind == LayerKind::global_average_pool);
    CHECK(model.network->layers.size() == 3);  // input, pool, loss
  }
  auto batch = image_file(11);
  batch.node("Squeeze", {"x"}, {"y"}).with_list("axes", {0});
  CHECK_FALSE(loaded(batch).network);
}

TEST_CASE("onnx: Dropout has its ratio in an attribute or, since opset 12, an input") {
  auto older = image_file(9);
  older.node("Dropout", {"x"}, {"y", "mask"}).with("ratio", 0.25F);
  auto newer = image_file(13);
  newer.weights("ratio", {}, {0.25F}).node("Dropout", {"x", "ratio"}, {"y"});
  for (const auto& file : {older, newer}) {
    const auto model = loaded(file);
    CHECK(first_layer(model).kind == LayerKind::dropout);
    CHECK(first_layer(model).dropout_rate == test::approx(0.25));
  }
}

TEST_CASE("onnx: BatchNormalization keeps epsilon and statistics, training mode is refused") {
  const auto file = [](std::int64_t opset, std::vector<std::string> outputs) {
    auto made = image_file(opset, {1, 2, 3, 3});
    made.weights("s", {2}, {1, 2}).weights("b", {2}, {3, 4}).weights("m", {2}, {5, 6});
    made.weights("v", {2}, {7, 8});
    made.node("BatchNormalization", {"x", "s", "b", "m", "v"}, outputs).with("epsilon", 0.01F);
    return made;
  };
  for (const auto& made : {file(9, {"y", "rm", "rv", "sm", "sv"}), file(15, {"y"})}) {
    const auto model = loaded(made);
    CHECK(first_layer(model).epsilon == test::approx(0.01));
    REQUIRE(model.parameters.size() == 4);
    CHECK(model.parameters[2].name == "y.mean");
    CHECK(model.parameters[3].values == std::vector<float>{7, 8});
  }
  auto training = file(15, {"y", "rm", "rv"});
  training.with("training_mode", 1);
  const auto refused = loaded(training);
  CHECK_FALSE(refused.network);
  CHECK(refused.report.reason().find("model.eval()") != std::string::npos);
}

TEST_CASE("onnx: Pad in front of a convolution becomes its padding, however it is written") {
  auto older = image_file(9, {1, 1, 4, 4});
  older.node("Pad", {"x"}, {"p"}).with_list("pads", {0, 0, 1, 0, 0, 0, 2, 1});
  auto newer = image_file(13, {1, 1, 4, 4});
  newer.integers("pads", {8}, {0, 0, 1, 0, 0, 0, 2, 1}).node("Pad", {"x", "pads"}, {"p"});
  for (auto* file : {&older, &newer}) {
    file->weights("w", {1, 1, 2, 2}, {1, 2, 3, 4}).node("Conv", {"p", "w"}, {"y"});
    const auto model = loaded(*file);
    const auto& layer = first_layer(model);
    CHECK(layer.pad_h == 1);
    CHECK(layer.more_pad_h == 1);
    CHECK(layer.pad_w == 0);
    CHECK(layer.more_pad_w == 1);
    CHECK(layer.out == FeatureShape{1, 6, 4});
  }
}

TEST_CASE(
    "onnx: a softmax of older opsets joins all axes, only over channels does it end a graph") {
  auto image = image_file(9);
  image.node("Softmax", {"x"}, {"y"}).with("axis", 1);
  CHECK_FALSE(loaded(image).network);
  auto same = image_file(13);
  same.node("Softmax", {"x"}, {"y"}).with("axis", 1);
  CHECK(loaded(same).network);
  auto scores = image_file(9, {1, 5});
  scores.node("Softmax", {"x"}, {"y"});
  const auto model = loaded(scores);
  REQUIRE(model.network);
  CHECK(model.report.notes.size() == 1);
}

TEST_CASE("onnx: opset 6 aligns a bias by its axis attribute") {
  auto file = image_file(6, {1, 1, 2, 2});
  file.weights("w", {2, 1, 1, 1}, {1, 1}).weights("b", {2}, {10, 20});
  file.node("Conv", {"x", "w"}, {"c"});
  file.node("Add", {"c", "b"}, {"y"}).with("axis", 1).with("broadcast", 1);
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  CHECK(test::infer(model, {0, 0, 0, 0}) == std::vector<float>{10, 10, 10, 10, 20, 20, 20, 20});
}
