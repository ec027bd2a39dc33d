#include "kernels/onnx/attention.h"

#include <cmath>

#include <fmt/format.h>

#include "kernels/onnx/attention_mask.h"
#include "kernels/onnx/attention_pack.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

constexpr double hidden_below = -1e4;  // what exporters add to hide a position, or less

int seen_where_added(double summand) {
  return summand == 0 ? 1 : summand <= hidden_below ? 0 : -1;
}
int seen_where_true(double condition) {
  return condition != 0 ? 1 : 0;
}
int seen_where_false(double condition) {
  return condition != 0 ? 0 : 1;
}

Value swapped(Value value) {
  value.strides = strides_of(value);
  std::swap(value.dims.back(), *(value.dims.end() - 2));
  std::swap(value.strides.back(), *(value.strides.end() - 2));
  return value;
}

// What one product costs, per item.
double product_flops(const Dims& out, std::int64_t inner, std::int64_t batch) {
  return 2.0 * static_cast<double>(element_count(out)) * static_cast<double>(inner) /
         static_cast<double>(batch);
}

void require_product(const Value& a, const Value& b) {
  const bool ranked = a.dims.size() > 1 && a.dims.size() == b.dims.size();
  const auto axes = static_cast<std::ptrdiff_t>(a.dims.size()) - 2;
  if (!ranked || !std::equal(a.dims.begin(), a.dims.begin() + axes, b.dims.begin()) ||
      a.dims.back() != *(b.dims.end() - 2)) {
    throw Unsupported(
        fmt::format("a product of {} and {}, both computed; those of attention, head "
                    "by head, can be run",
                    to_string(a.dims),
                    to_string(b.dims)));
  }
}

Value scored(GraphImport& import, const Value& query, const Value& key) {
  Value result;
  result.dims = query.dims;
  result.dims.back() = key.dims.back();
  import.owe(product_flops(result.dims, query.dims.back(), import.batch()));
  result.scores = std::make_shared<Scores>(
      Scores{query, swapped(key), query.factor * key.factor, false, false});
  return result;
}

void redefine(GraphImport& import, const Node& node, const Value& from, Scores scores) {
  auto value = from;
  value.scores = std::make_shared<Scores>(std::move(scores));
  import.define(node, std::move(value));
}

const Scores& raw_scores(const Value& value) {
  if (value.scores->normalised) {
    throw Unsupported("it changes attention's shares behind their softmax");
  }
  return *value.scores;
}

void apply_mask(GraphImport& import, const Node& node, const Value& value, Mask mask) {
  auto scores = *value.scores;
  scores.causal = scores.causal || mask == Mask::causal;
  redefine(import, node, value, std::move(scores));
}

}  // namespace

void import_product(GraphImport& import, const Node& node) {
  const auto& a = import.any_value(node, 0);
  const auto& b = import.any_value(node, 1);
  const bool shares = b.group != 1 && b.rotary_base == 0 && a.scores;  // values that heads share
  if (b.scores || (a.scores && !shares)) {
    static_cast<void>(import.value(node, 1));  // says why not
  }
  require_product(a, b);
  if (!a.scores) {
    return import.define(node, scored(import, a, b));
  }
  if (!a.scores->normalised) {
    throw Unsupported("it multiplies attention scores without a softmax");
  }
  const auto scores = *a.scores;
  const auto keys = a.dims.back();
  auto dims = a.dims;
  dims.back() = b.dims.back();
  const Value values = b;
  append_attention(import, node, scores, values, dims, product_flops(dims, keys, import.batch()));
}

void scale_scores(GraphImport& import, const Node& node, const Value& value, double factor) {
  auto scores = raw_scores(value);
  if (scores.causal) {
    throw Unsupported("it scales attention scores behind their mask");
  }
  scores.scale *= factor;
  redefine(import, node, value, std::move(scores));
}

void mask_scores(GraphImport& import, const Node& node, const Value& value, const Tensor& summand) {
  static_cast<void>(raw_scores(value));
  apply_mask(import, node, value, read_mask(summand, value.dims, seen_where_added));
}

void normalise_scores(GraphImport& import, const Node& node, const Value& value) {
  auto scores = raw_scores(value);
  const auto axis = axis_of(node.integer("axis", import.opset() >= 13 ? -1 : 1), value.dims.size());
  if (!axis || *axis + 1 != value.dims.size()) {
    throw Unsupported("its softmax of attention scores is not over the keys, the last axis");
  }
  scores.normalised = true;
  redefine(import, node, value, std::move(scores));
}

// Scores where the condition holds, else a number that hides them; or the other way round. Behind
// the softmax, what guards against rows that see nothing.
void import_where(GraphImport& import, const Node& node) {
  const std::size_t place = import.is_constant(node.input(1)) ? 2 : 1;
  const auto& value = import.any_value(node, place);
  const auto& otherwise = import.constant(node, 3 - place);
  if (!value.scores || otherwise.floats.size() != 1) {
    throw Unsupported(
        "a choice between numbers; that of a constant mask on attention scores can "
        "be run");
  }
  const auto mask = read_mask(
      import.constant(node, 0), value.dims, place == 1 ? seen_where_true : seen_where_false);
  const double hidden = static_cast<double>(otherwise.floats[0]);
  if (mask != Mask::none && (value.scores->normalised || hidden > hidden_below)) {
    throw Unsupported(fmt::format("it puts {} in the place of attention scores", hidden));
  }
  apply_mask(import, node, value, mask);
}

// Every position sees itself at least, so that no share is 0 / 0.
void import_is_nan(GraphImport& import, const Node& node) {
  const auto& value = import.any_value(node, 0);
  if (!value.scores || !value.scores->normalised) {
    throw Unsupported("no layer of ours computes it");
  }
  import.define_constant(node, {{1}, true, {}, { 0 }});
}

}  // namespace rightsize::onnx
