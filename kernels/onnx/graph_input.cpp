// What is fed: the graph's inputs that are no initializers.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/onnx/graph_import.h"

namespace rightsize::onnx {

// The batch may be open; anything else must be a number.
Dims GraphImport::fixed(const ValueInfo& info) const {
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
    if (dims[axis] < 1) {
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
  }
  if (!is_sane(dims)) {
    throw OnnxError(fmt::format("{}: input \"{}\" claims the shape {}; export it again",
                                model_.path,
                                info.name,
                                to_string(dims)));
  }
  return dims;
}

void GraphImport::start_input() {
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
  if (read.size() > 1) {
    report_.obstacles.push_back(
        fmt::format("it reads {} inputs (\"{}\", \"{}\"{}); one batch of images can be fed",
                    read.size(),
                    read[0]->name,
                    read[1]->name,
                    read.size() > 2 ? ", ..." : ""));
  }
  if (read[0]->integral) {
    report_.obstacles.push_back(
        fmt::format("its input \"{}\" holds integers; images (FP32) can be fed", read[0]->name));
  }
  Layer data;
  data.name = "data";
  batch_ = fixed(*read[0])[0];
  data.out = feature_shape(fixed(*read[0]), batch_);
  network_.layers.push_back(data);
  for (const auto* input : read) {
    const auto dims = fixed(*input);
    const bool first = input == read[0];
    values_[input->name] = {dims,
                            first ? 0 : append_placeholder(dims),
                            sole_reader(input->name),
                            {},
                            first && dims.size() == 4};
  }
}

}  // namespace rightsize::onnx
