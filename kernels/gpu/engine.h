// One engine behind the border: a Graph, a pinned place for the batch, and two clocks.
#pragma once

#include <string>

#include "kernels/gpu/buffer.h"
#include "kernels/gpu/graph.h"
#include "kernels/gpu/plugin_abi.h"
#include "kernels/gpu/stream.h"

namespace rightsize::gpu {

class PluginEngine {
 public:
  PluginEngine(const Network& network, const abi::Options& options);

  abi::StepResult step(abi::Run run, const float* images, const std::int32_t* labels);
  // Of an engine that preprocesses.
  abi::StepResult step(abi::Run run, const abi::Pictures& batch, const std::int32_t* labels);

  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const std::string& description() const { return description_; }

  std::string last_error;

 private:
  void stage(const float* images, const std::int32_t* labels);
  abi::StepResult finish(abi::Run run, double staging_s);

  Graph graph_;
  std::size_t image_bytes_;
  std::size_t label_bytes_;
  PinnedBuffer images_;
  PinnedBuffer labels_;
  PinnedBuffer pictures_;
  PinnedBuffer state_;
  Event start_, copied_, done_;
  std::string description_;
};

}  // namespace rightsize::gpu
