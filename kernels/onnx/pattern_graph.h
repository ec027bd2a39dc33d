// A graph as patterns are looked for in it: who makes a value, and who alone reads it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

class PatternGraph {
 public:
  // Of the needed nodes; all three must outlive it.
  PatternGraph(std::vector<Node>& nodes,
               const std::vector<bool>& needed,
               const std::map<std::string, Tensor>& initializers);

  [[nodiscard]] std::vector<Node>& nodes() { return nodes_; }
  // nullptr where no node makes it, or none of this operator.
  [[nodiscard]] const Node* maker(const std::string& value) const;
  [[nodiscard]] const Node* maker(const std::string& value, const char* op) const;
  // The one node that reads this node's output, if it is of this operator; nullptr also for
  // nullptr.
  [[nodiscard]] Node* reader(const Node* node, const char* op) const;
  // All that do.
  [[nodiscard]] std::vector<Node*> readers(const std::string& value) const;

  [[nodiscard]] std::optional<double> scalar(const std::string& value) const;
  // The other operand of two where one is this constant; empty where none is.
  [[nodiscard]] std::string operand_beside(const Node* node, double constant) const;

  // The other of two operands; empty where there is none.
  [[nodiscard]] static std::string other(const Node& node, const std::string& operand);
  static void become(Node& node, const char* op, std::vector<std::string> inputs);

 private:
  std::vector<Node>& nodes_;
  const std::map<std::string, Tensor>& initializers_;
  std::map<std::string, const Node*> makers_;
  std::map<std::string, std::vector<Node*>> readers_;
};

}  // namespace rightsize::onnx
