// Attention as newer exporters spell it out, and what looks like it and is not.
#include <cmath>

#include <doctest/doctest.h>

#include "support/onnx_file.h"
#include "support/tiny_batch.h"

namespace {

using namespace rightsize;
using test::loaded;
using test::noise;
using test::OnnxFile;

constexpr std::int64_t positions = 5;
constexpr std::int64_t width = 6;
constexpr std::int64_t heads = 2;
constexpr std::int64_t size = width / heads;

// Ids through a table, a joined projection, and heads: "q", "v" of 1 x heads x positions x size,
// "kt" turned.
OnnxFile projected(std::int64_t opset = 18) {
  OnnxFile file(opset);
  file.input("ids", {0, positions}, 7).output("y");
  file.weights("table", {7, width}, noise(7 * width, 1));
  file.weights("w", {width, 3 * width}, noise(3 * width * width, 2, 0.4F));
  file.weights("b", {3 * width}, noise(3 * width, 3));
  file.integers("parts", {3}, {width, width, width});
  file.integers("by_head", {4}, {0, 0, heads, size}).integers("joined", {3}, {0, 0, width});
  file.node("Gather", {"table", "ids"}, {"x"});
  file.node("MatMul", {"x", "w"}, {"m"}).node("Add", {"m", "b"}, {"qkv"});
  file.node("Split", {"qkv", "parts"}, {"qs", "ks", "vs"}).with("axis", -1);
  for (const std::string part : {"q", "k", "v"}) {
    file.node("Reshape", {part + "s", "by_head"}, {part + "h"});
    const auto order = part == "k" ? onnx::Dims{0, 2, 3, 1} : onnx::Dims{0, 2, 1, 3};
    file.node("Transpose", {part + "h"}, {part == "k" ? "kt" : part}).with_list("perm", order);
  }
  return file;
}

OnnxFile& ended(OnnxFile& file, const std::string& shares) {
  file.node("MatMul", {shares, "v"}, {"o"});
  file.node("Transpose", {"o"}, {"ot"}).with_list("perm", {0, 2, 1, 3});
  return file.node("Reshape", {"ot", "joined"}, {"y"});
}

// By the formula, in float64, from the weights of projected().
std::vector<float> reference(const std::vector<std::int32_t>& ids, double scale, bool causal) {
  const auto table = noise(7 * width, 1);
  const auto w = noise(3 * width * width, 2, 0.4F);
  const auto b = noise(3 * width, 3);
  const auto feature = [&](std::int64_t t, std::int64_t c) {
    double sum = static_cast<double>(b[static_cast<std::size_t>(c)]);
    for (std::int64_t i = 0; i < width; ++i) {
      const auto row = static_cast<std::int64_t>(ids[static_cast<std::size_t>(t)]);
      sum += static_cast<double>(table[static_cast<std::size_t>(row * width + i)]) *
             static_cast<double>(w[static_cast<std::size_t>(i * 3 * width + c)]);
    }
    return sum;
  };
  std::vector<float> result(static_cast<std::size_t>(positions * width));
  for (std::int64_t head = 0; head < heads; ++head) {
    for (std::int64_t t = 0; t < positions; ++t) {
      std::vector<double> shares;
      double total = 0;
      for (std::int64_t k = 0; k < (causal ? t + 1 : positions); ++k) {
        double score = 0;
        for (std::int64_t d = 0; d < size; ++d) {
          score += feature(t, head * size + d) * feature(k, width + head * size + d);
        }
        shares.push_back(std::exp(scale * score));
        total += shares.back();
      }
      for (std::int64_t d = 0; d < size; ++d) {
        double sum = 0;
        for (std::size_t k = 0; k < shares.size(); ++k) {
          sum += shares[k] / total *
                 feature(static_cast<std::int64_t>(k), 2 * width + head * size + d);
        }
        result[static_cast<std::size_t>(t * width + head * size + d)] = static_cast<float>(sum);
      }
    }
  }
  return result;
}

const std::vector<std::int32_t> ids{3, 0, 6, 2, 5};

void check(const OnnxFile& file, double scale, bool causal) {
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  CHECK(test::relative_error(test::infer_tokens(model, ids), reference(ids, scale, causal)) < 1e-5);
}

void check_refused(const OnnxFile& file, const std::string& why) {
  const auto model = loaded(file);
  CHECK_FALSE(model.network);
  CAPTURE(model.report.reason());
  CHECK(model.report.reason().find(why) != std::string::npos);
}

std::vector<float> causal_summands() {
  std::vector<float> mask;
  for (std::int64_t i = 0; i < positions * positions; ++i) {
    mask.push_back(i % positions <= i / positions ? 0.0F : -INFINITY);
  }
  return mask;
}

}  // namespace

TEST_CASE("onnx attention: queries and keys scaled apart, a mask of -inf, a guard against NaN") {
  auto file = projected();
  const auto root = static_cast<float>(std::pow(static_cast<double>(size), -0.25));
  file.weights("root", {}, {root}).weights("none", {}, {0});
  file.weights("mask", {1, 1, positions, positions}, causal_summands());
  file.node("Mul", {"q", "root"}, {"q2"}).node("Mul", {"kt", "root"}, {"k2"});
  file.node("MatMul", {"q2", "k2"}, {"s"}).node("Add", {"s", "mask"}, {"masked"});
  file.node("Softmax", {"masked"}, {"p"}).with("axis", -1);
  file.node("IsNaN", {"p"}, {"bad"}).node("Where", {"bad", "none", "p"}, {"safe"});
  check(ended(file, "safe"), std::pow(static_cast<double>(size), -0.5), true);
}

TEST_CASE("onnx attention: another scale than the layer's own goes into the queries' weights") {
  auto file = projected();
  file.weights("third", {}, {0.3F});
  file.node("MatMul", {"q", "kt"}, {"s"}).node("Mul", {"s", "third"}, {"s2"});
  file.node("Softmax", {"s2"}, {"p"});
  check(ended(file, "p"), 0.3, false);
}

TEST_CASE("onnx attention: a mask made of ranges, as newer exporters make it") {
  auto file = projected();
  file.integers("zero", {}, {0}).integers("one", {}, {1}).integers("count", {}, {positions});
  file.integers("rows", {1}, {1}).weights("low", {}, {-1e30F}).weights("root", {}, {1.7320508F});
  file.node("Range", {"zero", "count", "one"}, {"k"});
  file.node("Unsqueeze", {"k", "rows"}, {"qn"});
  file.node("LessOrEqual", {"k", "qn"}, {"seen"});
  file.node("MatMul", {"q", "kt"}, {"s"}).node("Div", {"s", "root"}, {"s2"});
  file.node("Where", {"seen", "s2", "low"}, {"masked"}).node("Softmax", {"masked"}, {"p"});
  check(ended(file, "p"), 1 / 1.7320508, true);
}

TEST_CASE("onnx attention: other masks, and products that are no attention, are refused") {
  auto window = projected();
  auto mask = causal_summands();
  mask[positions * (positions - 1)] = -INFINITY;  // the last does not see the first
  window.weights("mask", {positions, positions}, mask);
  window.node("MatMul", {"q", "kt"}, {"s"}).node("Add", {"s", "mask"}, {"masked"});
  window.node("Softmax", {"masked"}, {"p"});
  check_refused(ended(window, "p"), "a mask of 5x5");

  auto bias = projected();
  bias.weights("bias", {positions, positions}, noise(positions * positions, 9));
  bias.node("MatMul", {"q", "kt"}, {"s"}).node("Add", {"s", "bias"}, {"masked"});
  bias.node("Softmax", {"masked"}, {"p"});
  check_refused(ended(bias, "p"), "a mask of 5x5");

  auto linear = projected();
  linear.node("MatMul", {"q", "kt"}, {"s"});
  check_refused(ended(linear, "s"), "without a softmax");

  auto across = projected();
  across.node("MatMul", {"q", "kt"}, {"s"}).node("Softmax", {"s"}, {"p"}).with("axis", 2);
  check_refused(ended(across, "p"), "not over the keys");

  auto gated = projected();
  gated.node("MatMul", {"q", "kt"}, {"s"}).node("Relu", {"s"}, {"p"});
  check_refused(ended(gated, "p"), "attention scores");
}

TEST_CASE("onnx attention: the account of FLOPs has both products where something is refused") {
  auto file = projected();
  file.node("MatMul", {"q", "kt"}, {"s"}).node("Softmax", {"s"}, {"p"});
  file.node("MatMul", {"p", "v"}, {"o"}).node("Selu", {"o"}, {"y"});
  const auto model = loaded(file);
  REQUIRE(model.report.unsupported.size() == 1);
  CHECK(model.report.unsupported[0].op == "Selu");
  const double products = 2.0 * 2 * heads * positions * positions * size;
  const double projection = 2.0 * positions * width * 3 * width;
  CHECK(model.report.supported_flops >= products + projection);
  CHECK(model.report.supported_flops < 1.5 * (products + projection));
}
