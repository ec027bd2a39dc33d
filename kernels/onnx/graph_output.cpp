// Where the graph ends: the loss, the layers that nothing reads, and the account of FLOPs.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "kernels/onnx/graph_import.h"
#include "kernels/work.h"

namespace rightsize::onnx {
namespace {

// "<layer>.weights" and the like; names of layers have dots in them too.
bool is_of(const std::string& parameter, const Layer& layer) {
  const auto dot = layer.name.size();
  return parameter.starts_with(layer.name + ".") &&
         parameter.find('.', dot + 1) == std::string::npos;
}

}  // namespace

void GraphImport::finish_loss() {
  const auto& output = model_.outputs[0].name;
  if (model_.outputs.size() > 1) {
    note(
        fmt::format("of {} outputs the first, \"{}\", is computed; what leads to the others alone "
                    "is left out",
                    model_.outputs.size(),
                    output));
  }
  const auto found = values_.find(output);
  if (found == values_.end()) {
    if (unknown_.count(output) == 0) {
      report_.obstacles.push_back(
          fmt::format("its output \"{}\" does not depend on the input", output));
    }
    return;
  }
  if (!report_.runnable()) {
    return;
  }
  try {
    append_loss(found->second);
  } catch (const Unsupported& why) {
    report_.obstacles.push_back(
        fmt::format("its output \"{}\" gets no loss: {}", output, why.what()));
  }
  const auto stem = std::filesystem::path(model_.path).stem().string();
  network_.title = stem;
  network_.name = stem.substr(0, 40);  // the GPU plugin's names end at 63 characters
  network_.input = network_.layers[0].out;
}

// Scores of an item, of each place in an image, or of each position of a sequence.
void GraphImport::append_loss(const Value& output) {
  if (output.scores) {
    throw Unsupported("it holds attention scores");
  }
  if (output.stacked) {
    throw Unsupported("it holds the states of several recurrent layers");
  }
  Node loss;
  loss.name = "loss";
  if (reads_tokens() && network_.vocabulary == 0) {
    throw Unsupported("no table of embeddings is read by its token ids");
  }
  auto value = output;
  if (is_sequence(value.layer)) {
    value = settled(loss, value);
  }
  const auto made = layer(value.layer).out;
  const bool by_position =
      is_sequence(value.layer) && value.dims.size() > 1 && value.dims.back() == made.c;
  const auto out = by_position ? made : image(value);
  append(loss, LayerKind::softmax_loss, {value.layer}, out);
  network_.classes = static_cast<int>(out.c);
  report_.positions_first = by_position && out.positions() > 1;
  drop_unread_layers();
  // As transformers are trained, and what is built of their parts (ConvNeXt).
  const bool like_transformers =
      std::any_of(network_.layers.begin(), network_.layers.end(), [](const Layer& l) {
        return l.kind == LayerKind::attention || l.kind == LayerKind::layer_norm;
      });
  network_.optimizer = like_transformers ? Optimizer::adam : Optimizer::sgd;
}

// What was put together to be one layer is not read itself any more.
void GraphImport::drop_unread_layers() {
  auto& layers = network_.layers;
  std::vector<bool> read(layers.size(), false);
  read[0] = true;
  read.back() = true;
  for (std::size_t i = layers.size(); i-- > 0;) {
    if (!read[i]) {
      std::erase_if(parameters_, [&](const auto& entry) { return is_of(entry.first, layers[i]); });
      continue;
    }
    for (const int input : layers[i].inputs) {
      read[static_cast<std::size_t>(input)] = true;
    }
    if (layers[i].tied_to >= 0) {
      read[static_cast<std::size_t>(layers[i].tied_to)] = true;
    }
  }
  std::vector<int> place(layers.size(), 0);
  std::vector<Layer> kept;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (!read[i]) {
      continue;
    }
    place[i] = static_cast<int>(kept.size());
    auto& layer = kept.emplace_back(std::move(layers[i]));
    for (auto& input : layer.inputs) {
      input = place[static_cast<std::size_t>(input)];
    }
    layer.tied_to = layer.tied_to < 0 ? -1 : place[static_cast<std::size_t>(layer.tied_to)];
  }
  layers = std::move(kept);
}

void GraphImport::count_flops() {
  report_.supported_flops = report_.runnable() ? 0 : owed_flops_;
  for (std::size_t i = 1; i < network_.layers.size(); ++i) {
    if (!network_.layers[i].inputs.empty() &&
        network_.layers[i].kind != LayerKind::softmax_loss) {  // ours, not the file's
      report_.supported_flops += layer_work(network_, i).forward_flops;
    }
  }
}

}  // namespace rightsize::onnx
