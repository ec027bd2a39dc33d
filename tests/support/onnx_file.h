// ONNX files for tests: assembled by hand through the wire messages, and run on the CPU engine.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/onnx/onnx.h"
#include "kernels/onnx/onnx.pb.h"
#include "kernels/onnx/tensor_data.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

namespace wire = onnx::wire;

// One graph, written node by node. Values are named by the caller.
class OnnxFile {
 public:
  explicit OnnxFile(std::int64_t opset = 13) {
    model_.set_ir_version(7);
    model_.set_producer_name("rightsize test");
    model_.add_opset_import()->set_version(opset);
  }

  wire::ModelProto& model() { return model_; }
  wire::GraphProto& graph() { return *model_.mutable_graph(); }

  // A size below 1 is written as the symbol "N<axis>".
  OnnxFile& input(const std::string& name, const onnx::Dims& dims, int type = 1) {
    declare(*graph().add_input(), name, dims, type);
    return *this;
  }
  OnnxFile& output(const std::string& name) {
    graph().add_output()->set_name(name);
    return *this;
  }
  OnnxFile& weights(const std::string& name, const onnx::Dims& dims, std::vector<float> values) {
    auto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(1);
    tensor.mutable_dims()->Add(dims.begin(), dims.end());
    tensor.mutable_float_data()->Add(values.begin(), values.end());
    return *this;
  }
  OnnxFile& integers(const std::string& name, const onnx::Dims& dims, onnx::Dims values) {
    auto& tensor = *graph().add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(7);
    tensor.mutable_dims()->Add(dims.begin(), dims.end());
    tensor.mutable_int64_data()->Add(values.begin(), values.end());
    return *this;
  }
  // The node is named as its first output.
  OnnxFile& node(const std::string& op,
                 const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs) {
    auto& node = *graph().add_node();
    node.set_op_type(op);
    node.set_name(outputs[0]);
    for (const auto& name : inputs) {
      node.add_input(name);
    }
    for (const auto& name : outputs) {
      node.add_output(name);
    }
    return *this;
  }
  // Attributes of the last node.
  OnnxFile& with(const std::string& name, std::int64_t value) {
    attribute(name, 2).set_i(value);
    return *this;
  }
  OnnxFile& with(const std::string& name, int value) {
    return with(name, static_cast<std::int64_t>(value));
  }
  OnnxFile& with(const std::string& name, float value) {
    attribute(name, 1).set_f(value);
    return *this;
  }
  OnnxFile& with(const std::string& name, const char* value) {
    attribute(name, 3).set_s(value);
    return *this;
  }
  OnnxFile& with_list(const std::string& name, const onnx::Dims& values) {
    attribute(name, 7).mutable_ints()->Add(values.begin(), values.end());
    return *this;
  }

  // Writes the file and gives its path back.
  std::string write(const std::string& path) const {
    std::ofstream out(path, std::ios::binary);
    if (!model_.SerializeToOstream(&out)) {
      throw std::runtime_error("cannot write " + path);
    }
    return path;
  }

 private:
  static void declare(wire::ValueInfoProto& info,
                      const std::string& name,
                      const onnx::Dims& dims,
                      int type) {
    info.set_name(name);
    auto& tensor = *info.mutable_type()->mutable_tensor_type();
    tensor.set_elem_type(type);
    tensor.mutable_shape();
    for (const auto size : dims) {
      auto& dim = *tensor.mutable_shape()->add_dim();
      if (size > 0) {
        dim.set_dim_value(size);
      } else {
        dim.set_dim_param("N");
      }
    }
  }
  wire::AttributeProto& attribute(const std::string& name, int type) {
    auto& attribute = *graph().mutable_node(graph().node_size() - 1)->add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  }

  wire::ModelProto model_;
};

// The file as it is read back.
inline OnnxModel loaded(const OnnxFile& file) {
  const TemporaryFolder folder;
  return load_onnx(file.write(folder / "model.onnx"));
}

// A tensor as the ONNX project stores its test vectors (input_0.pb).
inline onnx::Tensor read_tensor_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  wire::TensorProto tensor;
  if (!in || !tensor.ParseFromIstream(&in)) {
    throw std::runtime_error("cannot read " + path);
  }
  return onnx::read_tensor(tensor, std::filesystem::path(path).parent_path().string(), path);
}

// The file's order: items x positions x classes, where the engine has classes first.
inline std::vector<float> positions_first(const std::vector<float>& values,
                                          const FeatureShape& shape) {
  std::vector<float> result(values.size());
  const auto item = static_cast<std::size_t>(shape.elements());
  const auto positions = static_cast<std::size_t>(shape.positions());
  const auto channels = static_cast<std::size_t>(shape.c);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto within = i % item;
    result[i - within + within % positions * channels + within / positions] = values[i];
  }
  return result;
}

inline std::vector<float> infer(const OnnxModel& model,
                                const Batch& batch,
                                int items,
                                bool with_softmax = false) {
  const auto& network = model.network.value();
  EngineOptions options;
  options.phase = Phase::infer;
  options.batch = items;
  options.threads = 1;
  cpu::CpuEngine engine(network, options, true);
  engine.load_parameters(model.parameters);
  const std::vector<std::int32_t> labels(
      static_cast<std::size_t>(options.batch * network.labels_per_item()), -1);
  engine.evaluate({batch.images, labels, batch.tokens});
  const auto& loss = network.layers.back();
  const auto& scores = network.layers[static_cast<std::size_t>(loss.inputs[0])];
  auto values = engine.output(with_softmax ? loss.name : scores.name);
  return model.report.positions_first ? positions_first(values, loss.out) : values;
}

// What the CPU engine makes of these images at inference: the scores, or what the layer in front of
// the loss gives; probabilities where `with_softmax`.
inline std::vector<float> infer(const OnnxModel& model,
                                const std::vector<float>& images,
                                bool with_softmax = false) {
  const auto items =
      static_cast<std::int64_t>(images.size()) / model.network.value().input.elements();
  return infer(model, {images, {}}, static_cast<int>(items), with_softmax);
}

inline std::vector<float> infer_tokens(const OnnxModel& model,
                                       const std::vector<std::int32_t>& tokens) {
  const auto items =
      static_cast<std::int64_t>(tokens.size()) / model.network.value().input.elements();
  return infer(model, {{}, {}, tokens}, static_cast<int>(items));
}

// Largest difference, relative to the size of the expected values; infinity where counts differ.
inline double relative_error(const std::vector<float>& seen, const std::vector<float>& expected) {
  if (seen.size() != expected.size() || expected.empty()) {
    return std::numeric_limits<double>::infinity();
  }
  double error = 0;
  double size = 1e-6;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto difference =
        std::abs(static_cast<double>(seen[i]) - static_cast<double>(expected[i]));
    error = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                   : std::max(error, difference);
    size = std::max(size, std::abs(static_cast<double>(expected[i])));
  }
  return error / size;
}

}  // namespace rightsize::test
