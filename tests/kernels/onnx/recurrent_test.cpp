// LSTMs against the operator's definition, in float64, and what of them is refused.
#include <cmath>
#include <functional>

#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/onnx_file.h"
#include "support/tiny_batch.h"

namespace {

using namespace rightsize;
using test::loaded;
using test::OnnxFile;

constexpr int items = 2;
constexpr int positions = 4;
constexpr int width = 3;
constexpr int hidden = 2;
constexpr int words = 7;

struct Weights {
  std::vector<float> table = test::noise(words * width, 1);
  std::vector<float> w = test::noise(2 * 4 * hidden * width, 2);
  std::vector<float> r = test::noise(2 * 4 * hidden * hidden, 3);
  std::vector<float> b = test::noise(2 * 8 * hidden, 4);
};

// h after each position, of one direction: h[t][k], by the operator's specification (gates in the
// order i, o, f, c).
std::vector<std::vector<double>> states(const Weights& weights,
                                        const std::vector<std::int32_t>& ids,
                                        int direction) {
  const auto sigmoid = [](double v) { return 1 / (1 + std::exp(-v)); };
  std::vector<std::vector<double>> result(positions, std::vector<double>(hidden));
  std::vector<double> h(hidden, 0);
  std::vector<double> c(hidden, 0);
  for (int step = 0; step < positions; ++step) {
    const int t = direction == 0 ? step : positions - 1 - step;
    const auto sum = [&](int gate, int k) {
      const int row = direction * 4 * hidden + gate * hidden + k;
      const int bias = direction * 8 * hidden + gate * hidden + k;
      double total = weights.b[bias] + weights.b[bias + 4 * hidden];
      for (int i = 0; i < width; ++i) {
        total += weights.w[row * width + i] * weights.table[ids[t] * width + i];
      }
      for (int i = 0; i < hidden; ++i) {
        total += weights.r[row * hidden + i] * h[i];
      }
      return total;
    };
    auto next = h;
    for (int k = 0; k < hidden; ++k) {
      c[k] = sigmoid(sum(2, k)) * c[k] + sigmoid(sum(0, k)) * std::tanh(sum(3, k));
      next[k] = sigmoid(sum(1, k)) * std::tanh(c[k]);
    }
    h = next;
    result[t] = h;
  }
  return result;
}

// Token ids through a table and an LSTM named "lstm" of outputs y, h, c; positions in front.
OnnxFile with_lstm(int directions, const std::vector<std::string>& more_inputs = {}) {
  const Weights weights;
  const auto part = [&](const std::vector<float>& values) {
    const auto count = static_cast<std::ptrdiff_t>(values.size()) * directions / 2;
    return std::vector<float>(values.begin(), values.begin() + count);
  };
  OnnxFile file(14);
  file.input("ids", {0, positions}, 7)
      .output("scores")
      .weights("table", {words, width}, weights.table);
  file.weights("w", {directions, 4 * hidden, width}, part(weights.w));
  file.weights("r", {directions, 4 * hidden, hidden}, part(weights.r));
  file.weights("b", {directions, 8 * hidden}, part(weights.b));
  file.node("Gather", {"table", "ids"}, {"e"});
  file.node("Transpose", {"e"}, {"x"}).with_list("perm", {1, 0, 2});
  std::vector<std::string> inputs{"x", "w", "r", "b"};
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  file.node("LSTM", inputs, {"y", "h", "c"}).with("hidden_size", hidden);
  if (directions == 2) {
    file.with("direction", "bidirectional");
  }
  return file;
}

const std::vector<std::int32_t> ids{3, 0, 6, 2, 5, 5, 1, 4};

std::vector<std::int32_t> ids_of(int item) {
  return {ids.begin() + item * positions, ids.begin() + (item + 1) * positions};
}

void check_scores(const OnnxFile& file,
                  const std::function<double(int, int)>& expected,
                  int classes) {
  const auto model = loaded(file);
  REQUIRE_MESSAGE(model.network, model.report.reason());
  const auto scores = test::infer_tokens(model, ids);
  REQUIRE(scores.size() == static_cast<std::size_t>(items * classes));
  for (int n = 0; n < items; ++n) {
    for (int k = 0; k < classes; ++k) {
      CHECK(scores[n * classes + k] == test::approx(expected(n, k)).epsilon(1e-5).scale(1));
    }
  }
}

void check_refused(OnnxFile file, const std::string& why) {
  file.integers("first", {}, {0}).node("Gather", {"h", "first"}, {"scores"});
  const auto model = loaded(file);
  CHECK_FALSE(model.network);
  REQUIRE(!model.report.unsupported.empty());
  CHECK(model.report.unsupported[0].op == "LSTM");
  CAPTURE(model.report.unsupported[0].why);
  CHECK(model.report.unsupported[0].why.find(why) != std::string::npos);
  REQUIRE(model.report.unsupported[0].flops);
}

}  // namespace

TEST_CASE("onnx: an LSTM's last outputs are those of its definition") {
  auto file = with_lstm(1);
  file.integers("last", {}, {-1}).node("Gather", {"h", "last"}, {"scores"});
  check_scores(
      file, [](int n, int k) { return states({}, ids_of(n), 0)[positions - 1][k]; }, hidden);
}

TEST_CASE("onnx: of an LSTM in both directions the states are joined, or a position is read") {
  const auto both = [](int n, int k) {
    return k < hidden ? states({}, ids_of(n), 0)[positions - 1][k]
                      : states({}, ids_of(n), 1)[0][k - hidden];
  };
  auto joined = with_lstm(2);
  joined.integers("zero", {}, {0}).integers("one", {}, {1});
  joined.node("Gather", {"h", "zero"}, {"forward"}).node("Gather", {"h", "one"}, {"back"});
  joined.node("Concat", {"forward", "back"}, {"scores"}).with("axis", 1);
  check_scores(joined, both, 2 * hidden);

  // All outputs, items and positions in front of directions, and of those the second position.
  auto position = with_lstm(2);
  position.integers("shape", {3}, {0, 0, 2 * hidden}).integers("one", {}, {1});
  position.node("Transpose", {"y"}, {"t"}).with_list("perm", {2, 0, 1, 3});
  position.node("Reshape", {"t", "shape"}, {"f"});
  position.node("Gather", {"f", "one"}, {"scores"}).with("axis", 1);
  check_scores(
      position,
      [](int n, int k) { return states({}, ids_of(n), k / hidden)[1][k % hidden]; },
      2 * hidden);
}

TEST_CASE("onnx: an LSTM with the items in front is the same") {
  OnnxFile file = with_lstm(1);
  auto& graph = file.graph();
  graph.mutable_node(1)->set_op_type("Identity");
  graph.mutable_node(1)->clear_attribute();
  file.with("layout", 1);
  file.integers("first", {}, {0}).node("Gather", {"h", "first"}, {"scores"}).with("axis", 1);
  check_scores(
      file, [](int n, int k) { return states({}, ids_of(n), 0)[positions - 1][k]; }, hidden);
}

TEST_CASE("onnx: of several LSTMs' states in a row one is picked, and no mixture") {
  const auto stacked = [](const onnx::Dims& start, const onnx::Dims& end) {
    auto file = with_lstm(1);
    file.node("Squeeze", {"y", "axis"}, {"s"}).integers("axis", {1}, {1});
    file.weights("w2", {1, 4 * hidden, hidden}, std::vector<float>(4 * hidden * hidden, 0.3F));
    file.node("LSTM", {"s", "w2", "r", "b"}, {"y2", "h2"}).with("hidden_size", hidden);
    file.node("Concat", {"h", "h2"}, {"all"}).with("axis", 0);
    file.integers("start", {1}, start).integers("end", {1}, end).integers("zero", {1}, {0});
    file.node("Slice", {"all", "start", "end", "zero"}, {"one"});
    file.node("Squeeze", {"one", "zero"}, {"scores"});
    return file;
  };
  check_scores(
      stacked({0}, {1}),
      [](int n, int k) { return states({}, ids_of(n), 0)[positions - 1][k]; },
      hidden);
  CHECK(loaded(stacked({-1}, {9})).network);
  const auto both = loaded(stacked({0}, {2}));
  CHECK_FALSE(both.network);
  CHECK(both.report.reason().find("the states of several recurrent layers") != std::string::npos);
}

TEST_CASE("onnx: an LSTM's inputs and outputs that are left out are no values") {
  for (const auto& outputs : {std::vector<std::string>{"y", "h"}, {"y", "h", ""}, {"", "h"}}) {
    auto file = with_lstm(1, {""});  // lengths that are not stated
    auto& lstm = *file.graph().mutable_node(2);
    lstm.clear_output();
    for (const auto& output : outputs) {
      lstm.add_output(output);
    }
    file.integers("last", {}, {-1}).node("Gather", {"h", "last"}, {"scores"});
    CAPTURE(outputs.size());
    check_scores(
        file, [](int n, int k) { return states({}, ids_of(n), 0)[positions - 1][k]; }, hidden);
  }
}

TEST_CASE("onnx: what an LSTM of ours does not do is refused with its reason") {
  auto reverse = with_lstm(1);
  check_refused(reverse.with("direction", "reverse"), "from the last position to the first alone");
  auto clipped = with_lstm(1);
  check_refused(clipped.with("clip", 3.0F), "it clips its gates");
  auto given = with_lstm(1, {"", "start"});
  check_refused(given.weights("start", {1, 1, hidden}, {0.0F, 0.5F}), "starts from a given output");
  auto shorter = with_lstm(1, {"lengths"});
  check_refused(shorter.integers("lengths", {1}, {positions - 1}), "its items differ in length");
  auto peephole = with_lstm(1, {"", "", "", "p"});
  check_refused(peephole.weights("p", {1, 3 * hidden}, std::vector<float>(6, 1.0F)), "peepholes");
  auto sideways = with_lstm(1);
  check_refused(sideways.with("direction", "sideways"), "its direction \"sideways\" is none");
  auto unfit = with_lstm(1);
  unfit.graph().mutable_node(2)->mutable_attribute(0)->set_i(hidden + 1);
  check_refused(unfit, "its hidden_size is 3 and its weights have 2");
  // What is of the wrong kind is not read as nothing.
  auto whole = with_lstm(1, {"", "start"});
  check_refused(whole.integers("start", {1, 1, hidden}, {5, 5}), "starts from a given output");
  auto real = with_lstm(1, {"lengths"});
  check_refused(real.weights("lengths", {1}, {2.0F}), "its items differ in length");
  auto other = with_lstm(1);
  auto& attribute = *other.graph().mutable_node(2)->add_attribute();
  attribute.set_name("activations");
  for (const auto* name : {"HardSigmoid", "Tanh", "Tanh"}) {
    attribute.add_strings(name);
  }
  check_refused(other, "HardSigmoid, Tanh, Tanh");

  OnnxFile integers(14);
  integers.input("ids", {0, positions}, 7).output("scores");
  integers.weights("table", {words, width}, Weights().table);
  integers.integers("w", {1, 4 * hidden, width}, onnx::Dims(4 * hidden * width, 1));
  integers.weights("r", {1, 4 * hidden, hidden}, std::vector<float>(4 * hidden * hidden));
  integers.node("Gather", {"table", "ids"}, {"e"});
  integers.node("Transpose", {"e"}, {"x"}).with_list("perm", {1, 0, 2});
  check_refused(integers.node("LSTM", {"x", "w", "r"}, {"y", "h"}), "its weights are integers");

  auto cells = with_lstm(1);
  cells.integers("first", {}, {0}).node("Gather", {"c", "first"}, {"scores"});
  CHECK(loaded(cells).report.reason().find("its last cells are read") != std::string::npos);
}
