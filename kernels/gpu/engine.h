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

  // Of images and tokens the one that the network reads, and labels where there is a loss.
  abi::StepResult step(abi::Run run,
                       const float* images,
                       const std::int32_t* tokens,
                       const std::int32_t* labels);
  // Of an engine that preprocesses.
  abi::StepResult step(abi::Run run, const abi::Pictures& batch, const std::int32_t* labels);

  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] const Graph& graph() const { return graph_; }
  [[nodiscard]] const std::string& description() const { return description_; }

  std::string last_error;

 private:
  // One part of a batch: its page-locked place here, and how much there may be of it.
  struct Part {
    explicit Part(std::size_t most) : bytes(most), pinned(most) {}
    void stage(const void* values, std::size_t count) const;
    void stage(const void* values) const { stage(values, bytes); }
    void upload(void* target, const Stream& stream, std::size_t count) const;
    void upload(void* target, const Stream& stream) const { upload(target, stream, bytes); }

    std::size_t bytes;
    PinnedBuffer pinned;
  };

  abi::StepResult finish(abi::Run run, double staging_s);

  Graph graph_;
  Part images_;  // or pixels
  Part tokens_;
  Part labels_;
  Part pictures_;
  PinnedBuffer state_;
  Event start_, copied_, done_;
  std::string description_;
};

}  // namespace rightsize::gpu
