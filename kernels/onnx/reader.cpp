#include "kernels/onnx/reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "kernels/onnx/onnx.pb.h"
#include "kernels/onnx/tensor_data.h"

namespace rightsize::onnx {
namespace {

namespace fs = std::filesystem;

bool is_standard(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx";
}

// AttributeProto.AttributeType of the public onnx.proto3.
constexpr std::int32_t type_float = 1;
constexpr std::int32_t type_integer = 2;
constexpr std::int32_t type_string = 3;

// Sizes, axes and "to the end" of Slice: nothing beyond has a meaning.
std::int64_t bounded(std::int64_t value) {
  return std::clamp(value, -largest_size, largest_size);
}

bool makes_constants(const std::string& op) {
  return op == "Constant" || op == "ConstantOfShape";
}

// Names go to terminals, into tables and messages: what moves a cursor or turns a line does not.
// C0 and C1 controls, and the marks of direction U+202A to U+202E and U+2066 to U+2069, in UTF-8.
std::size_t control_at(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7f) {
    return 1;
  }
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) {
    return 2;
  }
  const bool marks = byte(0) == 0xe2 && byte(1) == 0x80 && byte(2) >= 0xaa && byte(2) <= 0xae;
  const bool isolates = byte(0) == 0xe2 && byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9;
  return marks || isolates ? 3 : 0;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto control = control_at(text);
    result += control > 0 ? '?' : text.front();
    text.remove_prefix(std::max<std::size_t>(control, 1));
  }
  return result;
}

class Reader {
 public:
  explicit Reader(const std::string& path)
      : path_(path), folder_(fs::path(path).parent_path().string()) {}

  Model read() {
    const auto file = parse();
    Model model;
    model.path = path_;
    model.producer = printable(file.producer_name());
    if (!file.producer_version().empty()) {
      model.producer += " " + printable(file.producer_version());
    }
    model.opset = opset_of(file);
    const auto& graph = file.graph();
    for (const auto& tensor : graph.initializer()) {
      const auto name = printable(tensor.name());
      model.initializers[name] =
          read_tensor(tensor, folder_, fmt::format("{}: initializer \"{}\"", path_, name));
    }
    for (const auto& node : graph.node()) {
      model.nodes.push_back(node_of(node));
    }
    for (const auto& input : graph.input()) {  // older files list the weights here as well
      if (model.initializers.count(printable(input.name())) == 0) {
        model.inputs.push_back(info_of(input));
      }
    }
    for (const auto& output : graph.output()) {
      model.outputs.push_back(info_of(output));
    }
    for (const auto& value : graph.value_info()) {
      model.declared[printable(value.name())] = info_of(value);
    }
    return model;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw OnnxError(fmt::format("{}: {}", path_, why));
  }

  wire::ModelProto parse() const {
    if (fs::is_directory(path_)) {
      fail("cannot be read: it is a folder; name the .onnx file in it");
    }
    std::ifstream in(path_, std::ios::binary);
    if (!in) {
      fail(fs::exists(path_) ? "cannot be read: permission denied; let its owner chmod a+r it"
                             : "cannot be read: there is no such file; is the name right?");
    }
    wire::ModelProto file;
    if (!file.ParseFromIstream(&in)) {
      fail(
          "is not an ONNX file, or is cut short; copy it again. A model above 2 GiB keeps its "
          "weights in a file beside it (external data)");
    }
    if (!file.has_graph() || file.graph().node().empty()) {
      fail("holds no graph; is it an ONNX model?");
    }
    return file;
  }

  std::int64_t opset_of(const wire::ModelProto& file) const {
    std::int64_t opset = 1;  // where the file imports none, says the specification
    for (const auto& import : file.opset_import()) {
      if (is_standard(import.domain())) {
        opset = import.version();
      }
    }
    if (opset < oldest_opset) {
      fail(
          fmt::format("is of opset {}; export it with opset {} to {}, or convert it with "
                      "onnx.version_converter",
                      opset,
                      oldest_opset,
                      newest_opset));
    }
    return opset;
  }

  Node node_of(const wire::NodeProto& source) const {
    Node node;
    node.name = printable(source.name());
    node.op = printable(is_standard(source.domain()) ? source.op_type()
                                                     : source.domain() + "::" + source.op_type());
    std::transform(
        source.input().begin(), source.input().end(), std::back_inserter(node.inputs), printable);
    std::transform(source.output().begin(),
                   source.output().end(),
                   std::back_inserter(node.outputs),
                   printable);
    for (const auto& attribute : source.attribute()) {
      auto& target = node.attributes[attribute.name()];
      if (attribute.has_f() || attribute.type() == type_float) {
        target.f = attribute.f();
      }
      if (attribute.has_i() || attribute.type() == type_integer) {
        target.i = bounded(attribute.i());
      }
      if (attribute.has_s() || attribute.type() == type_string) {
        target.s = attribute.s();
      }
      if (attribute.has_t() && makes_constants(node.op)) {  // others' tensors are never looked at
        target.tensor =
            read_tensor(attribute.t(), folder_, fmt::format("{}: {}", path_, node.described()));
      }
      target.texts.assign(attribute.strings().begin(), attribute.strings().end());
      target.floats.assign(attribute.floats().begin(), attribute.floats().end());
      std::transform(attribute.ints().begin(),
                     attribute.ints().end(),
                     std::back_inserter(target.ints),
                     bounded);
    }
    return node;
  }

  static ValueInfo info_of(const wire::ValueInfoProto& source) {
    ValueInfo info;
    info.name = printable(source.name());
    const auto& type = source.type().tensor_type();
    info.integral = is_integral(type.elem_type());
    if (!type.has_shape()) {
      return info;
    }
    info.dims.emplace();
    for (const auto& dim : type.shape().dim()) {
      const bool known = dim.has_dim_value() && dim.dim_value() > 0;
      info.dims->push_back(known ? dim.dim_value() : -1);
      info.symbols.push_back(known ? std::string() : printable(dim.dim_param()));
    }
    return info;
  }

  const std::string& path_;
  std::string folder_;
};

}  // namespace

Model read_model(const std::string& path) {
  return Reader(path).read();
}

}  // namespace rightsize::onnx
