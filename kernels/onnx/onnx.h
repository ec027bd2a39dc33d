// Networks the user brings as ONNX files: graph, weights, and an account of what we cannot run.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/network.h"
#include "kernels/onnx/model.h"

namespace rightsize {

// Nodes of one operator that no layer of ours stands for.
struct UnsupportedOperator {
  std::string op;  // "Resize", "com.microsoft::FusedConv"
  int count = 0;   // nodes
  std::optional<double>
      flops;          // forward, per item, of all of them; nullopt where shapes are unknown
  std::string why;    // of the first
  std::string first;  // the first node's name
};

// What was found in a file. Nothing is dropped silently: every node that leads to the output is a
// layer, a constant, another view of the same numbers, or in `unsupported`.
struct OnnxReport {
  std::string path;
  std::string producer;  // "pytorch 2.1.0"
  std::int64_t opset = 0;
  std::map<std::string, int> operators;  // nodes that lead to the output, by operator
  double supported_flops = 0;            // forward, per item
  std::vector<UnsupportedOperator> unsupported;
  bool positions_first = false;  // the output is items x positions x classes, not classes first
  int unexamined = 0;            // nodes behind one whose output shape is not known
  std::vector<std::string> obstacles;  // other reasons why it cannot run, as sentences
  std::vector<std::string> notes;      // what differs from the file though it runs

  [[nodiscard]] bool runnable() const { return unsupported.empty() && obstacles.empty(); }
  // Of all known forward FLOPs, between 0 and 1; nullopt where the operator's own are unknown.
  [[nodiscard]] std::optional<double> share(const UnsupportedOperator& unsupported) const;
  // Why it cannot run, in one sentence or more; empty where it can.
  [[nodiscard]] std::string reason() const;
};

struct OnnxModel {
  std::optional<Network> network;  // where report.runnable()
  std::vector<ParameterValues> parameters;
  OnnxReport report;
};

// A name that ends in ".onnx" is a path.
[[nodiscard]] bool is_onnx_path(std::string_view name);

// Whether it names a file: an ONNX path, or that of a config.json, with parts behind it or without.
[[nodiscard]] bool is_network_file(std::string_view name);

// The path of a network's file as an absolute one, relative ones starting from `folder` (empty: the
// working directory), so that records of one file agree on its name. Other names are given back.
[[nodiscard]] std::string rooted_network(const std::string& name, const std::string& folder);

// Tokens per item where a file leaves them open and nobody says how many: it is noted.
inline constexpr int default_sequence = 128;

// The first graph output gets a softmax loss. `sequence`: tokens per item where the file leaves
// them open, 0 for default_sequence. Throws onnx::OnnxError for a file that is no usable ONNX
// model, and for a sequence that a file does not leave open; operators we lack are no error but in
// the report.
[[nodiscard]] OnnxModel load_onnx(const std::string& path, int sequence = 0);

}  // namespace rightsize
