// Whole graphs, assembled by hand: what becomes of them, and what they compute.
#include <algorithm>

#include <doctest/doctest.h>

#include "kernels/work.h"
#include "support/approx.h"
#include "support/onnx_file.h"
#include "support/reference.h"
#include "support/tiny_batch.h"

namespace {

using namespace rightsize;
using test::loaded;
using test::noise;
using test::OnnxFile;

// As torch.onnx.export leaves a small classifier: conv, relu, max pool, view by shape arithmetic,
// linear; the batch is open.
OnnxFile classifier() {
  OnnxFile file(13);
  file.input("x", {0, 2, 8, 8}).output("scores");
  file.weights("cw", {4, 2, 3, 3}, noise(72, 1, 0.3F)).weights("cb", {4}, noise(4, 2));
  file.weights("fw", {5, 64}, noise(320, 3, 0.2F)).weights("fb", {5}, noise(5, 4));
  file.integers("zero", {}, {0}).integers("front", {1}, {0}).integers("rest", {1}, {-1});
  file.node("Conv", {"x", "cw", "cb"}, {"c"}).with_list("pads", {1, 1, 1, 1});
  file.node("Relu", {"c"}, {"r"});
  file.node("MaxPool", {"r"}, {"p"}).with_list("kernel_shape", {2, 2}).with_list("strides", {2, 2});
  file.node("Shape", {"p"}, {"shape"});
  file.node("Gather", {"shape", "zero"}, {"n"});
  file.node("Unsqueeze", {"n", "front"}, {"n1"});
  file.node("Concat", {"n1", "rest"}, {"target"}).with("axis", 0);
  file.node("Reshape", {"p", "target"}, {"flat"});
  file.node("Gemm", {"flat", "fw", "fb"}, {"scores"}).with("transB", 1);
  return file;
}

std::vector<float> reference_scores(const Network& network, const std::vector<float>& images) {
  const auto items = static_cast<std::int64_t>(images.size()) / network.input.elements();
  const auto& conv = network.layers[1];
  auto values =
      test::convolution(conv, network.input, items, images, noise(72, 1, 0.3F), noise(4, 2));
  std::transform(
      values.begin(), values.end(), values.begin(), [](float v) { return std::max(v, 0.0F); });
  const auto& pool = network.layers[3];
  values = test::max_pool(pool, conv.out, items, values);
  return test::fully_connected(
      network.layers[4], pool.out, items, values, noise(320, 3, 0.2F), noise(5, 4));
}

}  // namespace

TEST_CASE("onnx: a classifier computes what its definition says, at any batch") {
  const auto model = loaded(classifier());
  REQUIRE_MESSAGE(model.network, model.report.reason());
  CHECK(model.network->layers.size() == 6);
  CHECK(parameter_count(*model.network) == 72 + 4 + 320 + 5);
  const auto images = noise(3 * 128, 9);
  CHECK(test::relative_error(test::infer(model, images), reference_scores(*model.network, images)) <
        1e-5);
}

TEST_CASE("onnx: training starts from the file's weights and lowers the loss") {
  const auto model = loaded(classifier());
  EngineOptions options;
  options.batch = 8;
  options.threads = 1;
  options.learning_rate = 0.05F;
  const auto engine = make_engine(EngineKind::cpu, *model.network, options);
  engine->load_parameters(model.parameters);
  const auto batch = test::learnable_batch(*model.network, 8);
  cpu::CpuEngine inference(*model.network, {.phase = Phase::infer, .batch = 8, .threads = 1});
  inference.load_parameters(model.parameters);
  const auto first = *engine->step(batch.view()).loss;
  CHECK(first == test::approx(*inference.step(batch.view()).loss).epsilon(1e-4));
  double last = first;
  for (int i = 0; i < 30; ++i) {
    last = *engine->step(batch.view()).loss;
  }
  CHECK(last < 0.2 * first);
}

TEST_CASE(
    "onnx: batch normalisation behind a linear layer keeps running statistics over the batch") {
  OnnxFile file(13);
  file.input("x", {0, 1}).output("y").weights("w", {2, 1}, {1, 10}).weights("zero", {2}, {0, 0});
  file.weights("one", {2}, {1, 1});
  file.node("Gemm", {"x", "w", "zero"}, {"g"}).with("transB", 1);
  file.node("BatchNormalization", {"g", "one", "zero", "zero", "one"}, {"y"});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  cpu::CpuEngine engine(*model.network, {.phase = Phase::forward, .batch = 4, .threads = 1});
  engine.load_parameters(model.parameters);
  const std::vector<float> images{1, 2, 3, 6};  // mean 3, unbiased variance 14 / 3
  const std::vector<std::int32_t> labels{0, 1, 0, 1};
  engine.step({images, labels});
  CHECK(engine.parameter("y.mean")[0] == test::approx(0.1 * 3));
  CHECK(engine.parameter("y.variance")[0] == test::approx(0.9 + 0.1 * 14 / 3));
  CHECK(engine.parameter("y.variance")[1] == test::approx(0.9 + 0.1 * 1400 / 3));
}

TEST_CASE("onnx: values that a network does not have are refused by the engine") {
  auto model = loaded(classifier());
  cpu::CpuEngine engine(*model.network, {.phase = Phase::infer, .batch = 1, .threads = 1});
  model.parameters[0].values.pop_back();
  CHECK_THROWS_AS(engine.load_parameters(model.parameters), EngineError);
  model.parameters[0].name = "nobody.weights";
  CHECK_THROWS_AS(engine.load_parameters(model.parameters), EngineError);
}

TEST_CASE("onnx: constants per channel fold into the layer in front, scale and shift alike") {
  OnnxFile file(9);
  file.input("x", {1, 2, 1, 1}).output("y");
  file.weights("s", {2}, {1, 1}).weights("b", {2}, {0, 1}).weights("m", {2}, {0, 0});
  file.weights("v", {2}, {1, 1})
      .weights("gamma", {2, 1, 1}, {2, 3})
      .weights("beta", {2, 1, 1}, {5, 7});
  file.node("BatchNormalization", {"x", "s", "b", "m", "v"}, {"n"}).with("epsilon", 0.0F);
  file.node("Mul", {"n", "gamma"}, {"g"}).node("Add", {"beta", "g"}, {"y"});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  CHECK(model.network->layers.size() == 3);
  // (x + (0, 1)) * (2, 3) + (5, 7)
  CHECK(test::relative_error(test::infer(model, {10, 20}), {25, 70}) < 1e-5);
}

TEST_CASE("onnx: weights that two nodes share are copies here, and that is said") {
  OnnxFile file(13);
  file.input("x", {1, 2, 4, 4}).output("y");
  file.weights("w", {2, 2, 3, 3}, noise(36, 1));
  file.node("Conv", {"x", "w"}, {"a"}).with_list("pads", {1, 1, 1, 1});
  file.node("Conv", {"a", "w"}, {"y"}).with_list("pads", {1, 1, 1, 1});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  CHECK(parameter_count(*model.network) == 2 * 36);
  CHECK(std::any_of(
      model.report.notes.begin(), model.report.notes.end(), [](const std::string& note) {
        return note.find("\"w\" is the weights of 2 nodes") != std::string::npos;
      }));
  CHECK(loaded(classifier()).report.notes.empty());
}

TEST_CASE("onnx: a constant is not folded into a layer that somebody else reads as well") {
  OnnxFile file(13);
  file.input("x", {1, 2, 2, 2}).output("y");
  file.weights("w", {2, 2, 1, 1}, {1, 0, 0, 1}).weights("b", {1}, {1});
  file.node("Conv", {"x", "w"}, {"c"})
      .node("Add", {"c", "b"}, {"a"})
      .node("Add", {"a", "c"}, {"y"});
  const auto model = loaded(file);
  CHECK_FALSE(model.network);
  CHECK(model.report.unsupported.at(0).op == "Add");
}

TEST_CASE("onnx: GELU and SiLU spelled out become one activation") {
  OnnxFile file(13);
  file.input("x", {1, 4}).output("y");
  file.weights("root", {}, {1.41421356F}).weights("one", {}, {1}).weights("half", {}, {0.5F});
  file.node("Div", {"x", "root"}, {"d"}).node("Erf", {"d"}, {"e"}).node("Add", {"e", "one"}, {"p"});
  file.node("Mul", {"x", "p"}, {"q"}).node("Mul", {"q", "half"}, {"g"});
  file.node("Sigmoid", {"g"}, {"s"}).node("Mul", {"g", "s"}, {"y"});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  REQUIRE(model.network->layers.size() == 4);
  CHECK(model.network->layers[1].activation == Activation::gelu);
  CHECK(model.network->layers[2].activation == Activation::silu);
  std::vector<float> expected;
  for (const double x : {-2.0, -0.5, 0.5, 2.0}) {
    const double gelu = x * 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
    expected.push_back(static_cast<float>(gelu / (1 + std::exp(-gelu))));
  }
  CHECK(test::relative_error(test::infer(model, {-2, -0.5F, 0.5F, 2}), expected) < 1e-4);
}

TEST_CASE("onnx: branches meet in sums, products and concatenations") {
  OnnxFile file(13);
  file.input("x", {0, 2, 3, 3}).output("y");
  file.node("Relu", {"x"}, {"r"}).node("GlobalAveragePool", {"r"}, {"g"});
  file.node("Sigmoid", {"g"}, {"s"}).node("Mul", {"s", "r"}, {"m"}).node("Add", {"m", "r"}, {"a"});
  file.node("Concat", {"a", "x"}, {"y"}).with("axis", -3);
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  const auto images = noise(36, 5);
  std::vector<float> expected;
  for (std::size_t item = 0; item < 2; ++item) {
    const float* const x = images.data() + item * 18;
    for (std::size_t c = 0; c < 2; ++c) {
      double mean = 0;
      for (std::size_t i = 0; i < 9; ++i) {
        mean += std::max(static_cast<double>(x[c * 9 + i]), 0.0) / 9;
      }
      const double gate = 1 / (1 + std::exp(-mean));
      for (std::size_t i = 0; i < 9; ++i) {
        const double relu = std::max(static_cast<double>(x[c * 9 + i]), 0.0);
        expected.push_back(static_cast<float>(relu * (gate + 1)));
      }
    }
    expected.insert(expected.end(), x, x + 18);
  }
  CHECK(test::relative_error(test::infer(model, images), expected) < 1e-5);
}

TEST_CASE("onnx: FP16 and BF16 weights are read exactly") {
  OnnxFile file(13);
  file.input("x", {1, 1}).output("y").weights("b", {2}, {0, 0});
  auto& half = *file.graph().add_initializer();
  half.set_name("w");
  half.set_data_type(10);
  half.add_dims(2);
  half.add_dims(1);
  half.add_int32_data(0x3e00);  // 1.5
  half.add_int32_data(0x8001);  // -2^-24, the smallest subnormal
  file.node("Gemm", {"x", "w", "b"}, {"y"}).with("transB", 1);
  CHECK(loaded(file).parameters.at(0).values == std::vector<float>{1.5F, -0x1p-24F});
  half.clear_int32_data();
  half.set_data_type(16);
  half.set_raw_data(std::string("\xc0\x3f\x00\xff", 4));
  const auto values = loaded(file).parameters.at(0).values;
  CHECK(values[0] == 1.5F);
  CHECK(values[1] == -0x1p127F);
}

TEST_CASE("onnx: a TensorFlow graph's NHWC input becomes NCHW, and it is said") {
  OnnxFile file(13);
  file.input("x", {0, 4, 6, 3}).output("y");
  file.weights("w", {2, 3, 1, 1}, {1, 0, 0, 0, 0, 1});
  file.node("Transpose", {"x"}, {"t"})
      .with_list("perm", {0, 3, 1, 2})
      .node("Conv", {"t", "w"}, {"y"});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  CHECK(model.network->input == FeatureShape{3, 4, 6});
  CHECK(model.report.notes.size() == 1);
}

TEST_CASE("onnx: what lies behind an operator we lack is still judged, not blamed") {
  OnnxFile file(13);
  file.input("x", {1, 4, 4, 4}).output("y");
  file.weights("w", {4, 4, 1, 1}, noise(16, 1));
  file.node("Softsign", {"x"}, {"e"}).node("Conv", {"e", "w"}, {"c"}).node("Selu", {"c"}, {"y"});
  const auto model = loaded(file);
  CHECK_FALSE(model.network);
  REQUIRE(model.report.unsupported.size() == 2);
  CHECK(model.report.supported_flops == 2.0 * 4 * 4 * 16);
  CHECK(*model.report.unsupported[0].flops == 64);
  CHECK(*model.report.share(model.report.unsupported[0]) == test::approx(64.0 / (512 + 128)));
}
