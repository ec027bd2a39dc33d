#include "kernels/onnx/graph_import.h"

#include <algorithm>
#include <map>
#include <string>

#include <fmt/format.h>

#include "kernels/onnx/constant_fold.h"
#include "kernels/onnx/operators.h"
#include "kernels/onnx/patterns.h"
#include "kernels/onnx/reader.h"
#include "kernels/onnx/shape_inference.h"

namespace rightsize::onnx {
GraphImport::GraphImport(Model model, int sequence)
    : model_(std::move(model)), sequence_(sequence) {
  report_.path = model_.path;
  report_.producer = model_.producer;
  report_.opset = model_.opset;
}

OnnxModel GraphImport::run() {
  if (model_.opset > newest_opset) {
    note(
        fmt::format("opset {} is newer than the newest known here, {}; it is read by the same "
                    "rules",
                    model_.opset,
                    newest_opset));
  }
  constants_ = std::move(model_.initializers);
  find_needed();
  join_patterns(model_.nodes, needed_, constants_);
  find_needed();
  note_shared_weights();
  start_input();
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
    if (needed_[i]) {
      import(model_.nodes[i]);
    }
  }
  finish_loss();
  count_flops();
  OnnxModel result;
  for (const auto& name : parameter_order_) {
    if (const auto found = parameters_.find(name); found != parameters_.end()) {
      result.parameters.push_back({name, std::move(found->second)});
    }
  }
  if (report_.runnable()) {
    result.network = std::move(network_);
  } else {
    result.parameters.clear();
  }
  result.report = std::move(report_);
  return result;
}

// Layers of ours have weights of their own, but for a head that is tied to its embedding.
void GraphImport::note_shared_weights() {
  std::map<std::string, int> users;
  for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
    const auto& node = model_.nodes[i];
    if (needed_[i] && (node.op == "Conv" || node.op == "Gemm" || node.op == "MatMul")) {
      ++users[node.input(1)];
    }
  }
  for (const auto& [name, count] : users) {
    const auto found = constants_.find(name);
    if (count > 1 && found != constants_.end() && found->second.dims.size() > 1) {
      note(
          fmt::format("\"{}\" is the weights of {} nodes: here each has a copy of its own, so "
                      "parameters and the update are counted {} times",
                      name,
                      count,
                      count));
    }
  }
}

// Backwards from the first output: what leads nowhere else (training outputs, auxiliary heads) is
// left out, and said.
void GraphImport::find_needed() {
  if (model_.outputs.empty()) {
    throw OnnxError(fmt::format("{}: the graph has no output; export it again", model_.path));
  }
  readers_.clear();
  readers_[model_.outputs[0].name] = 1;
  needed_.assign(model_.nodes.size(), false);
  for (std::size_t i = model_.nodes.size(); i-- > 0;) {
    const auto& node = model_.nodes[i];
    needed_[i] = std::any_of(node.outputs.begin(), node.outputs.end(), [&](const auto& name) {
      return !name.empty() && readers_.count(name) > 0;
    });
    if (needed_[i]) {
      for (const auto& input : node.inputs) {
        if (!input.empty()) {  // "" is an input left out
          ++readers_[input];
        }
      }
    }
  }
}

bool GraphImport::sole_reader(const std::string& name) const {
  const auto found = readers_.find(name);
  return found != readers_.end() && found->second == 1;
}

bool GraphImport::is_last(const Node& node) const {
  return node.output(0) == model_.outputs[0].name && sole_reader(node.output(0));
}

void GraphImport::check_inputs(const Node& node) const {
  for (const auto& input : node.inputs) {
    if (!input.empty() && values_.count(input) == 0 && constants_.count(input) == 0 &&
        unknown_.count(input) == 0) {
      throw OnnxError(
          fmt::format("{}: {} reads \"{}\", which no initializer, input or earlier node makes; the "
                      "file is incomplete, export it again",
                      model_.path,
                      node.described(),
                      input));
    }
  }
}

bool GraphImport::fold(const Node& node) {
  FoldInputs inputs;
  for (const auto& input : node.inputs) {
    const auto constant = constants_.find(input);
    const auto known = values_.find(input);
    inputs.tensors.push_back(constant != constants_.end() ? &constant->second : nullptr);
    inputs.dims.push_back(constant != constants_.end() ? &constant->second.dims
                          : known != values_.end()     ? &known->second.dims
                                                       : nullptr);
  }
  auto folded = fold_constant(node, inputs);
  if (folded) {
    constants_[node.output(0)] = std::move(*folded);
  }
  return folded.has_value();
}

bool GraphImport::behind_unknown(const Node& node) const {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const auto& input) {
    return unknown_.count(input) > 0;
  });
}

void GraphImport::import(const Node& node) {
  check_inputs(node);
  ++report_.operators[node.op];
  if (fold(node)) {
    return;
  }
  if (behind_unknown(node)) {
    ++report_.unexamined;
    unknown_.insert(node.outputs.begin(), node.outputs.end());
    return;
  }
  const auto layers = network_.layers.size();
  try {
    const auto import_operator = find_operator(node.op);
    if (import_operator == nullptr) {
      throw Unsupported("no layer of ours computes it");
    }
    import_operator(*this, node);
  } catch (const Unsupported& why) {
    give_up(node, why.what(), layers);
  }
}

void GraphImport::give_up(const Node& node, const std::string& why, std::size_t layers) {
  network_.layers.resize(layers);
  sequences_.erase(sequences_.lower_bound(static_cast<int>(layers)), sequences_.end());
  std::vector<std::optional<Dims>> inputs;
  std::vector<const Tensor*> constants;
  for (const auto& input : node.inputs) {
    const auto constant = constants_.find(input);
    const auto value = values_.find(input);
    constants.push_back(constant != constants_.end() ? &constant->second : nullptr);
    inputs.push_back(constant != constants_.end() ? std::optional(constant->second.dims)
                     : value != values_.end()     ? std::optional(value->second.dims)
                                                  : std::nullopt);
  }
  auto outputs = infer_shapes(node, inputs, constants);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i].empty()) {
      continue;
    }
    const auto declared = model_.declared.find(node.outputs[i]);
    if (!outputs[i] && declared != model_.declared.end() && declared->second.dims) {
      auto dims = *declared->second.dims;
      if (!dims.empty() && dims[0] < 0) {
        dims[0] = batch_;
      }
      const bool known = std::all_of(dims.begin(), dims.end(), [](auto size) { return size > 0; });
      outputs[i] = known ? std::optional(dims) : std::nullopt;
    }
    if (!outputs[i] || !is_sane(*outputs[i])) {
      outputs[i].reset();
      unknown_.insert(node.outputs[i]);
      continue;
    }
    values_[node.outputs[i]] = {*outputs[i], append_placeholder(*outputs[i]), false};
  }
  auto flops = estimated_flops(node, inputs, outputs);
  add_unsupported(node, why, flops ? std::optional(*flops / static_cast<double>(batch_)) : flops);
}

void GraphImport::add_unsupported(const Node& node,
                                  const std::string& why,
                                  std::optional<double> flops) {
  auto& rows = report_.unsupported;
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.op == node.op; });
  if (row == rows.end()) {
    rows.push_back({node.op, 1, flops, why, node.name.empty() ? node.output(0) : node.name});
    return;
  }
  ++row->count;
  row->flops = row->flops && flops ? std::optional(*row->flops + *flops) : std::nullopt;
}

}  // namespace rightsize::onnx
