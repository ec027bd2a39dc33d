// What is fed: the graph's inputs that are no initializers. Images or token ids; what goes with
// token ids (which of them count, of which kind they are, where they stand) is assumed.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "kernels/onnx/graph_import.h"

namespace rightsize::onnx {
namespace {

bool has_word(const ValueInfo& input, std::string_view word) {
  return input.name.find(word) != std::string::npos;
}

enum class Role { fed, mask, kind, position };

// As the exporters of transformers name them.
Role role_of(const ValueInfo& input) {
  if (has_word(input, "mask")) {
    return Role::mask;
  }
  if (has_word(input, "token_type") || has_word(input, "segment")) {
    return Role::kind;
  }
  return has_word(input, "position") ? Role::position : Role::fed;
}

// The value of an input of this role at a place along its last axis.
std::int64_t assumed(Role role, std::int64_t place) {
  return role == Role::mask ? 1 : role == Role::position ? place : 0;
}

std::string assumption(Role role) {
  return role == Role::mask   ? "all ones: every position counts"
         : role == Role::kind ? "all zeros: all tokens are of the first kind"
                              : "0, 1, 2, ..: tokens stand in order";
}

}  // namespace

// Tokens per item may be open; nullopt for any other size.
std::optional<std::int64_t> GraphImport::open_size(const ValueInfo& info, std::size_t axis) {
  if (!info.integral || axis != 1 || info.dims->size() != 2) {
    return std::nullopt;
  }
  const bool said = sequence_used_;
  sequence_used_ = true;
  const auto size = sequence_ > 0 ? sequence_ : default_sequence;
  if (sequence_ == 0 && !said) {
    note(
        fmt::format("the file leaves open how many tokens an item has: {} are taken; --sequence "
                    "says another number",
                    size));
  }
  return size;
}

// The batch may be open; anything else must be a number.
Dims GraphImport::fixed(const ValueInfo& info) {
  if (!info.dims || info.dims->empty()) {
    throw OnnxError(
        fmt::format("{}: input \"{}\" has no shape; export the model with an example "
                    "input, so that its shape is written down",
                    model_.path,
                    info.name));
  }
  auto dims = *info.dims;
  dims[0] = std::max<std::int64_t>(dims[0], 1);
  for (std::size_t axis = 1; axis < dims.size(); ++axis) {
    if (dims[axis] >= 1) {
      continue;
    }
    if (const auto size = open_size(info, axis)) {
      dims[axis] = *size;
      continue;
    }
    const auto& symbol = info.symbols[axis];
    throw OnnxError(
        fmt::format("{}: input \"{}\" leaves dimension {}{} open; only the batch, dimension 0, "
                    "may be: export with a fixed size (in torch.onnx.export, name dimension 0 "
                    "alone in dynamic_axes or dynamic_shapes)",
                    model_.path,
                    info.name,
                    axis,
                    symbol.empty() ? "" : fmt::format(" (\"{}\")", symbol)));
  }
  if (!is_sane(dims)) {
    throw OnnxError(fmt::format("{}: input \"{}\" claims the shape {}; export it again",
                                model_.path,
                                info.name,
                                to_string(dims)));
  }
  return dims;
}

// True where the input goes with token ids, and is a constant from now on.
bool GraphImport::assume(const ValueInfo& input) {
  const auto role = role_of(input);
  const auto dims = role == Role::fed ? Dims{} : fixed(input);
  if (role == Role::fed || element_count(dims) > most_folded_elements) {
    return false;
  }
  Tensor tensor{dims, input.integral, {}, {}};
  for (std::int64_t i = 0; i < element_count(dims); ++i) {
    const auto value = assumed(role, i % dims.back());
    if (input.integral) {
      tensor.ints.push_back(value);
    } else {
      tensor.floats.push_back(static_cast<float>(value));
    }
  }
  constants_[input.name] = std::move(tensor);
  note(fmt::format("its input \"{}\" is taken to be {}", input.name, assumption(role)));
  return true;
}

std::vector<const ValueInfo*> GraphImport::fed_inputs() {
  std::vector<const ValueInfo*> read;
  for (const auto& input : model_.inputs) {
    if (readers_.count(input.name) > 0) {
      read.push_back(&input);
    }
  }
  if (read.empty()) {
    throw OnnxError(fmt::format("{}: no input leads to output \"{}\"; export it again",
                                model_.path,
                                model_.outputs[0].name));
  }
  const bool tokens = std::any_of(read.begin(), read.end(), [](const auto* input) {
    return input->integral && role_of(*input) == Role::fed;
  });
  if (tokens && read.size() > 1) {
    std::erase_if(read, [this](const auto* input) { return assume(*input); });
  }
  return read;
}

void GraphImport::feed(const ValueInfo& input, bool first) {
  const auto dims = fixed(input);
  values_[input.name] = {dims,
                         first ? 0 : append_placeholder(dims),
                         sole_reader(input.name),
                         {},
                         first && dims.size() == 4};
}

void GraphImport::start_input() {
  const auto read = fed_inputs();
  if (read.size() > 1) {
    report_.obstacles.push_back(
        fmt::format("it reads {} inputs (\"{}\", \"{}\"{}); one batch of images or of token ids "
                    "can be fed",
                    read.size(),
                    read[0]->name,
                    read[1]->name,
                    read.size() > 2 ? ", ..." : ""));
  }
  const auto dims = fixed(*read[0]);
  Layer data;
  data.name = "data";
  batch_ = dims[0];
  data.out = feature_shape(dims, batch_);
  if (read[0]->integral && dims.size() == 2) {
    data.out = {1, dims[1], 1};
    network_.input_kind = InputKind::tokens;
    sequences_.insert(0);
  } else if (read[0]->integral) {
    report_.obstacles.push_back(
        fmt::format("its input \"{}\" holds integers of {}; images (FP32) or token ids, items x "
                    "positions, can be fed",
                    read[0]->name,
                    to_string(dims)));
  }
  network_.layers.push_back(data);
  for (const auto* input : read) {
    feed(*input, input == read[0]);
  }
  if (sequence_ > 0 && !sequence_used_) {
    throw OnnxError(
        fmt::format("{}: a sequence of {} tokens was asked for, but the file fixes its input; "
                    "leave sequence out",
                    model_.path,
                    sequence_));
  }
}

void GraphImport::read_tokens(std::int64_t vocabulary) {
  network_.vocabulary =
      network_.vocabulary == 0 ? vocabulary : std::min(network_.vocabulary, vocabulary);
}

std::optional<int> GraphImport::embedding_of(const std::vector<float>& table) const {
  for (std::size_t i = 1; i < network_.layers.size(); ++i) {
    const auto& layer = network_.layers[i];
    if (layer.kind == LayerKind::embedding && parameters_.at(layer.name + ".weights") == table) {
      return static_cast<int>(i);
    }
  }
  return std::nullopt;
}

}  // namespace rightsize::onnx
