// Real files with something wrong in them: whatever is changed, loading ends with a network that an
// engine can be asked for, with a refusal, or with an error that says so; never with a crash.
#include <array>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include "kernels/work.h"
#include "support/onnx_file.h"
#include "support/temporary_folder.h"

namespace {

using namespace rightsize;
namespace wire = onnx::wire;

const std::string data = std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/onnx/";

constexpr int integers = 7;  // INT64 of TensorProto.DataType

class Mutator {
 public:
  explicit Mutator(unsigned seed) : generator_(seed) {}

  void mutate(wire::ModelProto& model) {
    auto& graph = *model.mutable_graph();
    auto& node = *graph.mutable_node(below(graph.node_size()));
    switch (below(7)) {
      case 0:
        if (node.input_size() > 0) {
          node.set_input(below(node.input_size()), some_value(graph));
        }
        return;
      case 1:
        change_attribute(node);
        return;
      case 2:
        change_tensor(*graph.mutable_initializer(below(graph.initializer_size())));
        return;
      case 3:
        node.set_op_type(graph.node(below(graph.node_size())).op_type());
        return;
      case 4:
        if (node.input_size() > 0) {
          node.mutable_input()->RemoveLast();
        }
        return;
      case 5:
        change_constant(node);
        return;
      default:
        change_input(*graph.mutable_input(below(graph.input_size())));
    }
  }

 private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(generator_); }
  std::int64_t size() {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr std::array<std::int64_t, 12> sizes{
        0, 1, 2, 3, 7, 9, 12, -1, -2, 1 << 20, least, most};
    return sizes[static_cast<std::size_t>(below(static_cast<int>(sizes.size())))];
  }
  std::string some_value(const wire::GraphProto& graph) {
    if (below(3) == 0) {
      return graph.initializer(below(graph.initializer_size())).name();
    }
    const auto& node = graph.node(below(graph.node_size()));
    return node.output(below(node.output_size()));
  }
  void change_attribute(wire::NodeProto& node) {
    if (node.attribute_size() == 0) {
      return;
    }
    auto& attribute = *node.mutable_attribute(below(node.attribute_size()));
    if (attribute.ints_size() > 0) {
      attribute.set_ints(below(attribute.ints_size()), size());
    } else if (attribute.has_i()) {
      attribute.set_i(size());
    } else {
      attribute.set_name("other");
    }
  }
  void change_tensor(wire::TensorProto& tensor) {
    if (tensor.dims_size() > 0 && below(2) == 0) {
      tensor.mutable_dims()->SwapElements(0, tensor.dims_size() - 1);
    } else if (tensor.data_type() == integers && tensor.raw_data().size() >= sizeof(std::int64_t)) {
      const auto value = size();  // the first of them, as the file would hold it
      std::memcpy(tensor.mutable_raw_data()->data(), &value, sizeof value);
    } else if (tensor.has_raw_data() && !tensor.raw_data().empty()) {
      auto& bytes = *tensor.mutable_raw_data();
      auto& byte = bytes[static_cast<std::size_t>(below(static_cast<int>(bytes.size())))];
      byte = static_cast<char>(byte ^ (1 << below(8)));
    }
  }
  void change_constant(wire::NodeProto& node) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_t()) {
        change_tensor(*attribute.mutable_t());
      }
    }
  }
  void change_input(wire::ValueInfoProto& input) {
    auto& shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.mutable_dim(below(shape.dim_size()))->set_dim_value(size());
  }

  std::mt19937 generator_;
};

wire::ModelProto read_proto(const std::string& name) {
  std::ifstream in(data + name + "/model.onnx", std::ios::binary);
  wire::ModelProto model;
  REQUIRE(model.ParseFromIstream(&in));
  return model;
}

// Whether a network came out, which then has its shapes and its work.
bool loads(const std::string& path) {
  try {
    const auto model = load_onnx(path);
    CHECK(model.network.has_value() == model.report.runnable());
    return model.network && forward_flops(*model.network) >= 0;
  } catch (const onnx::OnnxError& error) {
    CHECK(std::string(error.what()).find(path) != std::string::npos);
    return false;
  }
}

}  // namespace

TEST_CASE("onnx: a changed transformer is a network, a refusal or an error") {
  const auto* const asked = std::getenv("RIGHTSIZE_ONNX_MUTATIONS");
  const int each = asked != nullptr ? std::atoi(asked) : 40;
  const TemporaryFolder folder;
  int networks = 0;
  int total = 0;
  for (const auto* name : {"bert_fixed", "gpt2", "torch_encoder", "vit_fixed"}) {
    const auto original = read_proto(name);
    for (int i = 0; i < each; ++i) {
      auto changed = original;
      Mutator mutator(static_cast<unsigned>(1000 + i));
      mutator.mutate(changed);
      mutator.mutate(changed);
      std::ofstream(folder / "model.onnx", std::ios::binary) << changed.SerializeAsString();
      networks += loads(folder / "model.onnx") ? 1 : 0;
      ++total;
    }
  }
  CHECK(networks > 0);      // some changes make no difference to what can be run
  CHECK(networks < total);  // others do
}
