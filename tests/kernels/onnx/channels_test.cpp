// Channels of images: taken, dealt to other groups, and turned last and back; and the piecewise
// functions of the networks that do so.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "support/onnx_file.h"
#include "support/tiny_batch.h"

namespace {

using namespace rightsize;
using test::loaded;
using test::noise;
using test::OnnxFile;

OnnxFile with_images(const onnx::Dims& dims = {0, 6, 2, 3}) {
  OnnxFile file(13);
  file.input("x", dims).output("y");
  return file;
}

// An x of six channels of 2 x 3 each, with the channels in another order.
std::vector<float> channels(const std::vector<float>& x, const std::vector<std::size_t>& order) {
  std::vector<float> result;
  for (std::size_t item = 0; item < x.size() / 36; ++item) {
    for (const auto channel : order) {
      const auto from = x.begin() + static_cast<std::ptrdiff_t>(item * 36 + channel * 6);
      result.insert(result.end(), from, from + 6);
    }
  }
  return result;
}

template <typename Function>
std::vector<float> mapped(std::vector<float> x, Function function) {
  std::transform(x.begin(), x.end(), x.begin(), function);
  return x;
}

void check_refused(const OnnxFile& file, const std::string& why) {
  const auto model = loaded(file);
  CHECK_FALSE(model.network);
  REQUIRE(!model.report.unsupported.empty());
  CAPTURE(model.report.unsupported[0].why);
  CHECK(model.report.unsupported[0].why.find(why) != std::string::npos);
}

}  // namespace

TEST_CASE("onnx: channels are sliced, split, picked and put together again") {
  auto file = with_images();
  file.integers("parts", {3}, {1, 3, 2}).integers("start", {1}, {-2}).integers("end", {1}, {99});
  file.integers("one", {1}, {1}).integers("picked", {2}, {3, 4});
  file.node("Split", {"x", "parts"}, {"a", "b", "c"}).with("axis", 1);
  file.node("Slice", {"x", "start", "end", "one"}, {"d"});
  file.node("Gather", {"x", "picked"}, {"e"}).with("axis", 1);
  file.node("Concat", {"c", "b", "a", "d", "e"}, {"y"}).with("axis", 1);
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  const auto x = noise(72, 1);
  CHECK(test::infer(model, x) == channels(x, {4, 5, 1, 2, 3, 0, 4, 5, 3, 4}));
}

TEST_CASE("onnx: of an image nothing but channels is taken") {
  auto rows = with_images();
  rows.integers("zero", {1}, {0}).integers("one", {1}, {1}).integers("axis", {1}, {2});
  rows.node("Slice", {"x", "zero", "one", "axis"}, {"y"});
  check_refused(rows, "a part of axis 2 of");
  auto index = with_images();
  index.integers("first", {}, {1}).node("Gather", {"x", "first"}, {"y"}).with("axis", 1);
  check_refused(index, "neighbours can be picked");
}

TEST_CASE("onnx: a shuffle of channels is a layer, other turns are refused") {
  auto file = with_images();
  file.integers("groups", {5}, {-1, 2, 3, 2, 3}).integers("flat", {4}, {-1, 6, 2, 3});
  file.node("Reshape", {"x", "groups"}, {"g"});
  file.node("Transpose", {"g"}, {"t"}).with_list("perm", {0, 2, 1, 3, 4});
  file.node("Reshape", {"t", "flat"}, {"y"});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  REQUIRE(model.network->layers.size() == 3);
  CHECK(model.network->layers[1].kind == LayerKind::shuffle_channels);
  CHECK(model.network->layers[1].groups == 2);
  const auto x = noise(72, 2);
  CHECK(test::infer(model, x) == channels(x, {0, 3, 1, 4, 2, 5}));

  auto space = with_images();
  space.integers("blocks", {5}, {-1, 6, 2, 1, 3}).node("Reshape", {"x", "blocks"}, {"b"});
  space.node("Transpose", {"b"}, {"y"}).with_list("perm", {0, 1, 4, 3, 2});
  check_refused(space, "moves numbers");
}

// Norm, product and scale by channel of ConvNeXt: the scale is folded into the product in front.
TEST_CASE("onnx: channels turned last and back, and a scale behind that") {
  auto file = with_images({0, 2, 1, 3});
  file.weights("m", {2, 2}, {1, 2, 3, 4}).weights("s", {2, 1, 1}, {10, 100});
  file.node("Transpose", {"x"}, {"t"}).with_list("perm", {0, 2, 3, 1});
  file.node("MatMul", {"t", "m"}, {"p"});
  file.node("Transpose", {"p"}, {"i"}).with_list("perm", {0, 3, 1, 2});
  file.node("Mul", {"i", "s"}, {"scaled"}).node("Add", {"scaled", "x"}, {"y"});
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  const std::vector<float> x{1, 2, 3, 4, 5, 6};  // two channels of three positions
  const std::vector<float> expected{131, 172, 213, 1804, 2405, 3006};
  CHECK(test::relative_error(test::infer(model, x), expected) < 1e-6);
}

// Both read the same product, so its weights cannot take the scale.
TEST_CASE("onnx: a scale is not folded into what another node reads unscaled") {
  auto file = with_images({0, 2, 1, 3});
  file.weights("m", {2, 2}, {1, 2, 3, 4}).weights("s", {2, 1, 1}, {10, 100});
  file.node("Transpose", {"x"}, {"t"}).with_list("perm", {0, 2, 3, 1});
  file.node("MatMul", {"t", "m"}, {"p"});
  file.node("Transpose", {"p"}, {"i"}).with_list("perm", {0, 3, 1, 2});
  file.node("Transpose", {"p"}, {"j"}).with_list("perm", {0, 3, 1, 2});
  file.node("Mul", {"i", "s"}, {"scaled"}).node("Add", {"scaled", "j"}, {"y"});
  check_refused(file, "no layer with weights of its own");
}

TEST_CASE("onnx: leaky, exponential and hard functions by their parameters") {
  const auto x = mapped(noise(36, 3), [](float v) { return 5 * v; });
  const auto check = [&](OnnxFile& file, auto function) {
    const auto model = loaded(file);
    REQUIRE_MESSAGE(model.network, model.report.reason());
    CHECK(model.network->layers.size() == 3);  // one of its own
    CHECK(test::relative_error(test::infer(model, x), mapped(x, function)) < 1e-5);
  };
  auto leaky = with_images();
  check(leaky.node("LeakyRelu", {"x"}, {"y"}), [](float v) { return v > 0 ? v : 0.01F * v; });
  auto steep = with_images();
  steep.node("LeakyRelu", {"x"}, {"y"}).with("alpha", 0.3F);
  check(steep, [](float v) { return v > 0 ? v : 0.3F * v; });
  auto elu = with_images();
  elu.node("Elu", {"x"}, {"y"}).with("alpha", 0.7F);
  check(elu, [](float v) { return v > 0 ? v : 0.7F * std::expm1(v); });
  const auto sigmoid = [](float v) { return std::clamp(v / 6 + 0.5F, 0.0F, 1.0F); };
  auto hard = with_images();
  hard.node("HardSigmoid", {"x"}, {"y"}).with("alpha", 1.0F / 6);
  check(hard, sigmoid);
  auto swish = with_images();
  check(swish.node("HardSwish", {"x"}, {"y"}), [&](float v) { return v * sigmoid(v); });
  auto other = with_images();
  check_refused(other.node("HardSigmoid", {"x"}, {"y"}), "it clips 0.2 x + 0.5");
}

TEST_CASE("onnx: hard functions spelled out become one activation") {
  const auto x = mapped(noise(36, 4), [](float v) { return 5 * v; });
  const auto swish = [](float v) { return v * std::clamp(v / 6 + 0.5F, 0.0F, 1.0F); };
  const auto spelled_out = [] {
    auto file = with_images();
    file.weights("three", {}, {3}).weights("six", {}, {6}).weights("sixth", {}, {1.0F / 6});
    file.weights("zero", {}, {0});
    file.node("Add", {"x", "three"}, {"a"}).node("Clip", {"a", "zero", "six"}, {"c"});
    return file;
  };
  auto sigmoid_first = spelled_out();  // x (relu6(x + 3) / 6), as Keras and PyTorch before opset 14
  sigmoid_first.node("Div", {"c", "six"}, {"s"}).node("Mul", {"x", "s"}, {"y"});
  auto product_first = spelled_out();
  product_first.node("Mul", {"c", "x"}, {"p"}).node("Mul", {"p", "sixth"}, {"y"});
  auto joined = with_images();
  joined.node("HardSigmoid", {"x"}, {"s"}).with("alpha", 1.0F / 6);
  joined.node("Mul", {"s", "x"}, {"y"});
  for (const auto* file : {&sigmoid_first, &product_first, &joined}) {
    const auto model = loaded(*file);
    REQUIRE_MESSAGE(model.network, model.report.reason());
    REQUIRE(model.network->layers.size() == 3);
    CHECK(model.network->layers[1].activation == Activation::hard_swish);
    CHECK(test::relative_error(test::infer(model, x), mapped(x, swish)) < 1e-5);
  }
}
