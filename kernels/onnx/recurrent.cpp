// LSTM, as PyTorch and Keras export it: over a sequence whose positions are in front, from zeros.
#include "kernels/onnx/recurrent.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "kernels/onnx/operators.h"
#include "kernels/onnx/shapes.h"

namespace rightsize::onnx {
namespace {

constexpr std::int64_t gates = 4;
// ONNX has input, output, forget, candidate; our layers, as PyTorch and cuDNN, i f g o.
constexpr std::array<std::int64_t, gates> place_in_file{0, 2, 3, 1};

// Inputs of the operator.
enum Input : std::size_t {
  x,
  weights,
  recurrent,
  bias,
  lengths,
  first_output,
  first_cell,
  peephole
};

struct Recurrence {
  std::int64_t items = 0;
  std::int64_t positions = 0;
  std::int64_t features = 0;
  std::int64_t hidden = 0;
  std::int64_t directions = 1;
  bool items_first = false;  // layout = 1

  [[nodiscard]] std::int64_t out() const { return directions * hidden; }
};

void require_usual_cell(const Node& node) {
  const std::vector<std::string> usual{"Sigmoid", "Tanh", "Tanh"};
  const auto activations = node.texts("activations");
  for (std::size_t i = 0; i < activations.size(); ++i) {
    if (activations[i] != usual[i % usual.size()]) {
      throw Unsupported(fmt::format("its gates are put through {}; Sigmoid, Tanh, Tanh can be run",
                                    fmt::join(activations, ", ")));
    }
  }
  if (node.has("clip") || node.integer("input_forget", 0) != 0) {
    throw Unsupported("it clips its gates or couples input and forget gate");
  }
}

void require_zeros(const GraphImport& import, const Node& node, Input input, const char* what) {
  const auto* tensor = import.optional_constant(node, input);
  if (tensor == nullptr) {
    return;
  }
  const bool zeros =
      std::all_of(tensor->floats.begin(), tensor->floats.end(), [](float v) { return v == 0; });
  if (tensor->integral || !zeros) {  // integers lie elsewhere: the operator has none there
    throw Unsupported(fmt::format("{}; one that begins with zeros can be run", what));
  }
}

void require_full_length(const GraphImport& import, const Node& node, std::int64_t positions) {
  if (node.input(lengths).empty()) {
    return;
  }
  const auto* tensor =
      import.is_constant(node.input(lengths)) ? import.optional_constant(node, lengths) : nullptr;
  const auto is_full = [positions](auto length) { return length == positions; };
  if (tensor == nullptr || !tensor->integral ||
      !std::all_of(tensor->ints.begin(), tensor->ints.end(), is_full)) {
    throw Unsupported("its items differ in length (pack_padded_sequence); export it without");
  }
}

Recurrence recurrence_of(const GraphImport& import, const Node& node, const Value& from) {
  Recurrence r;
  r.items_first = node.integer("layout", 0) == 1;
  const auto direction = node.text("direction", "forward");
  r.directions = direction == "bidirectional" ? 2 : 1;
  if (import.constant(node, weights).integral || import.constant(node, recurrent).integral) {
    throw Unsupported("its weights are integers");
  }
  const auto& w = import.constant(node, weights).dims;
  const auto& rec = import.constant(node, recurrent).dims;
  if (direction != "forward" && r.directions == 1) {
    throw Unsupported(
        direction == "reverse"
            ? "it runs from the last position to the first alone; forward, or both ways, can be run"
            : fmt::format("its direction \"{}\" is none; forward or bidirectional can be run",
                          direction));
  }
  if (from.dims.size() != 3 || w.size() != 3 || rec.size() != 3 || rec[2] < 1) {
    throw Unsupported(fmt::format("{} with weights of {} and {} are no sequence and its weights",
                                  to_string(from.dims),
                                  to_string(w),
                                  to_string(rec)));
  }
  r.items = from.dims[r.items_first ? 0 : 1];
  r.positions = from.dims[r.items_first ? 1 : 0];
  r.features = from.dims[2];
  r.hidden = rec[2];
  if (const auto stated = node.integer("hidden_size", r.hidden); stated != r.hidden) {
    throw Unsupported(
        fmt::format("its hidden_size is {} and its weights have {}", stated, r.hidden));
  }
  if (w != Dims{r.directions, gates * r.hidden, r.features} ||
      rec != Dims{r.directions, gates * r.hidden, r.hidden} || r.items != import.batch()) {
    throw Unsupported(
        fmt::format("its weights of {} and {} do not fit {}{}",
                    to_string(w),
                    to_string(rec),
                    to_string(from.dims),
                    r.items == import.batch() ? "" : ", or the batch is at another axis"));
  }
  return r;
}

// With the items in front, as one layer gives it.
Value sequence_read(GraphImport& import, const Node& node, const Value& from, const Recurrence& r) {
  const Dims dims{r.items, r.positions, r.features};
  if (import.is_placeholder(from.layer)) {
    return {dims, import.append_placeholder(dims), false};
  }
  if (!import.is_sequence(from.layer)) {
    throw Unsupported(
        fmt::format("{} is not made of token ids or of an image: sequences of measurements cannot "
                    "be fed",
                    to_string(from.dims)));
  }
  auto turned = from;
  if (!r.items_first) {
    turned.strides = strides_of(from);
    std::swap(turned.strides[0], turned.strides[1]);
    turned.dims = dims;
  }
  return import.settled(node, turned);
}

// Blocks of `hidden` rows of one direction in our order of gates.
std::vector<float> gates_in_order(const float* from, std::int64_t hidden, std::int64_t width) {
  std::vector<float> values;
  const auto block = hidden * width;
  values.reserve(static_cast<std::size_t>(gates * block));
  for (const auto place : place_in_file) {
    values.insert(values.end(), from + place * block, from + (place + 1) * block);
  }
  return values;
}

// The file has a bias of the inputs' product and one of the recurrent one, which add up.
std::vector<float> summed_bias(const float* from, std::int64_t hidden) {
  auto sum = gates_in_order(from, hidden, 1);
  const auto second = gates_in_order(from + gates * hidden, hidden, 1);
  std::transform(sum.begin(), sum.end(), second.begin(), sum.begin(), std::plus<float>());
  return sum;
}

void set_parameters(GraphImport& import,
                    const Node& node,
                    const Layer& layer,
                    const Recurrence& r) {
  const auto& w = import.constant(node, weights).floats;
  const auto& rec = import.constant(node, recurrent).floats;
  const auto* b = import.optional_constant(node, bias);
  const std::vector<float> none(static_cast<std::size_t>(2 * gates * r.out()), 0.0F);
  const auto& biases = b == nullptr ? none : b->floats;
  if (biases.size() != none.size()) {
    throw Unsupported(fmt::format("its bias has {} values for {}", biases.size(), none.size()));
  }
  for (std::int64_t d = 0; d < r.directions; ++d) {
    const std::string suffix = d == 0 ? "" : "_reverse";
    const auto rows = d * gates * r.hidden;
    import.set_parameter(layer,
                         ".weights" + suffix,
                         gates_in_order(w.data() + rows * r.features, r.hidden, r.features));
    import.set_parameter(layer,
                         ".recurrent" + suffix,
                         gates_in_order(rec.data() + rows * r.hidden, r.hidden, r.hidden));
    import.set_parameter(layer, ".bias" + suffix, summed_bias(biases.data() + 2 * rows, r.hidden));
  }
}

// Positions, directions, items, features of what the layer gives by items, positions and features.
void define_outputs(GraphImport& import, const Node& node, int layer, const Recurrence& r) {
  Value y{{r.positions, r.directions, r.items, r.hidden}, layer};
  y.strides = {r.out(), r.hidden, r.positions * r.out(), 1};
  if (r.items_first) {
    y.dims = {r.items, r.positions, r.directions, r.hidden};
    y.strides = {r.positions * r.out(), r.out(), r.hidden, 1};
  }
  y.sole = false;  // states are read of the same layer
  if (!node.output(0).empty()) {
    import.define_output(node, 0, y);
  }
  if (node.output(1).empty() || !import.is_read(node.output(1))) {
    return;
  }
  auto& last = import.append(node, LayerKind::take_position, {layer}, {r.out(), 1, 1});
  last.position = -1;
  last.bidirectional = r.directions == 2;
  Value state{{r.directions, r.items, r.hidden}, import.last_layer()};
  state.strides = {r.hidden, r.out(), 1};
  if (r.items_first) {
    state.dims = {r.items, r.directions, r.hidden};
    state.strides = {r.out(), r.hidden, 1};
  }
  import.define_output(node, 1, state);
}

}  // namespace

void import_lstm(GraphImport& import, const Node& node) {
  const auto& from = import.value(node, x);
  const auto r = recurrence_of(import, node, from);
  require_usual_cell(node);
  require_full_length(import, node, r.positions);
  require_zeros(import, node, first_output, "it starts from a given output");
  require_zeros(import, node, first_cell, "it starts from given cells");
  require_zeros(import, node, peephole, "its gates see the cells (peepholes)");
  if (import.is_read(node.output(2))) {
    throw Unsupported("its last cells are read; its outputs can be");
  }
  const auto read = sequence_read(import, node, from, r);
  auto& layer = import.append(node, LayerKind::lstm, {read.layer}, {r.out(), r.positions, 1});
  layer.hidden = r.hidden;
  layer.bidirectional = r.directions == 2;
  set_parameters(import, node, layer, r);
  if (!node.input(bias).empty()) {
    import.note(
        fmt::format("{} has two biases, of which each learns as fast as their sum does "
                    "here",
                    node.described()));
  }
  define_outputs(import, node, import.last_layer(), r);
}

bool stack_states(GraphImport& import, const Node& node) {
  if (node.integer("axis", 1) != 0 || node.inputs.size() < 2) {
    return false;
  }
  std::vector<Value> parts;
  std::int64_t rows = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!import.is_value(node.input(i)) || import.is_stacked(node, i)) {
      return false;
    }
    const auto& part = import.value(node, i);
    const bool state = part.dims.size() == 3 && part.dims[1] == import.batch() &&
                       import.is_sequence(part.layer) && !import.is_placeholder(part.layer);
    if (!state || (!parts.empty() && part.dims[2] != parts[0].dims[2])) {
      return false;
    }
    rows += part.dims[0];
    parts.push_back(part);
  }
  Value all{{rows, parts[0].dims[1], parts[0].dims[2]}};
  all.sole = false;
  all.stacked = std::make_shared<const std::vector<Value>>(std::move(parts));
  import.define(node, std::move(all));
  return true;
}

Value picked_states(const Value& stacked, std::int64_t first, std::int64_t size) {
  for (const auto& part : *stacked.stacked) {
    if (first >= 0 && first + size <= part.dims[0]) {
      auto value = part;
      value.strides = strides_of(part);
      value.offset += first * value.strides[0];
      value.dims[0] = size;
      value.sole = false;
      return value;
    }
    first -= part.dims[0];
  }
  throw Unsupported("it picks states of several layers at once; those of one can be picked");
}

}  // namespace rightsize::onnx
