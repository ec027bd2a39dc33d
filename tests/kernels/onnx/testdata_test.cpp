// The ONNX project's own test models (Debian: libonnx-testdata), where they are installed, or a
// folder of others in their layout (export_torchvision.py): every one either gives the outputs that
// come with it or is refused. None may be silently wrong.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/onnx_file.h"
#include "support/temporary_folder.h"

namespace {

using namespace rightsize;
namespace fs = std::filesystem;
namespace wire = onnx::wire;

constexpr double tolerance = 1e-4;

fs::path testdata() {
  const char* const place = std::getenv("RIGHTSIZE_ONNX_TESTDATA");
  return place != nullptr ? place : "/usr/share/libonnx-testdata/data";
}

struct Outcome {
  std::string verdict;  // matches, unsupported, refused, WRONG
  std::string detail;
};

wire::ModelProto read_proto(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  wire::ModelProto model;
  if (!model.ParseFromIstream(&in)) {
    throw std::runtime_error("cannot parse " + path.string());
  }
  return model;
}

// The first input stays one; the others (weights, shapes, axes) become initializers.
void fix_inputs(wire::ModelProto& model, const fs::path& data) {
  std::set<std::string> initialised;
  for (const auto& tensor : model.graph().initializer()) {
    initialised.insert(tensor.name());
  }
  int index = 0;
  for (const auto& input : model.graph().input()) {
    if (initialised.count(input.name()) > 0) {
      continue;
    }
    if (index > 0) {
      std::ifstream in(data / fmt::format("input_{}.pb", index), std::ios::binary);
      auto& tensor = *model.mutable_graph()->add_initializer();
      if (!tensor.ParseFromIstream(&in)) {
        throw std::runtime_error("an input is no tensor");
      }
      tensor.set_name(input.name());
    }
    ++index;
  }
}

Outcome compare(const OnnxModel& model, const wire::ModelProto& proto, const fs::path& data) {
  const auto input = test::read_tensor_file((data / "input_0.pb").string());
  const auto expected = test::read_tensor_file((data / "output_0.pb").string());
  const bool tokens = model.network->reads_tokens();
  const auto fed = static_cast<std::int64_t>(tokens ? input.ints.size() : input.floats.size());
  if (fed % model.network->input.elements() != 0) {
    return {"WRONG", "the input's shape"};
  }
  const auto& last = proto.graph().node(proto.graph().node_size() - 1).op_type();
  try {
    auto seen = tokens
                    ? test::infer_tokens(model, {input.ints.begin(), input.ints.end()})
                    : test::infer(model, input.floats, last == "Softmax" || last == "LogSoftmax");
    if (last == "LogSoftmax") {
      std::transform(seen.begin(), seen.end(), seen.begin(), [](float v) { return std::log(v); });
    }
    const auto error = test::relative_error(seen, expected.floats);
    // Rounding to FP16 is left to the run, and said.
    constexpr double half_rounding = 1e-3;
    const bool noted = !model.report.notes.empty() && last == "Cast";
    return {error < (noted ? half_rounding : tolerance) ? "matches" : "WRONG",
            fmt::format("error {:.2g}", error)};
  } catch (const EngineError& refusal) {
    return {"WRONG", refusal.what()};  // the report had called it runnable
  }
}

Outcome run(const fs::path& folder, const std::string& path) {
  const auto data = folder / "test_data_set_0";
  wire::ModelProto proto;
  try {
    proto = read_proto(folder / "model.onnx");
    fix_inputs(proto, data);
    std::ofstream out(path, std::ios::binary);
    proto.SerializeToOstream(&out);
  } catch (const std::runtime_error& why) {
    return {"skipped", why.what()};
  }
  try {
    const auto model = load_onnx(path);
    return model.network ? compare(model, proto, data)
                         : Outcome{"unsupported", model.report.reason()};
  } catch (const onnx::OnnxError& error) {
    return {"unsupported", error.what()};
  }
}

}  // namespace

TEST_CASE("onnx: no model of the ONNX project is silently wrong") {
  if (!fs::is_directory(testdata())) {
    MESSAGE("skipped: no ", testdata().string(), "; apt-get install libonnx-testdata");
    return;
  }
  const TemporaryFolder temporary;
  std::map<std::string, int> verdicts;
  const bool talks = std::getenv("RIGHTSIZE_ONNX_VERBOSE") != nullptr;
  for (const auto* group :
       {"node", "pytorch-converted", "pytorch-operator", "simple", "torchvision"}) {
    if (!fs::is_directory(testdata() / group)) {
      continue;
    }
    for (const auto& entry : fs::directory_iterator(testdata() / group)) {
      const auto name = entry.path().filename().string();
      const auto outcome = run(entry.path(), temporary / (name + ".onnx"));
      ++verdicts[outcome.verdict];
      if (talks) {
        fmt::print("{:12} {}: {}\n", outcome.verdict, name, outcome.detail);
      }
      CHECK_MESSAGE(outcome.verdict != "WRONG", name, ": ", outcome.detail);
    }
  }
  for (const auto& [verdict, count] : verdicts) {
    fmt::print("{} {}\n", count, verdict);
  }
  const bool of_project = fs::is_directory(testdata() / "node");
  CHECK(verdicts["matches"] >= (of_project ? 100 : 1));
}
