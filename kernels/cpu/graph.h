// A network compiled for one phase, batch and thread count: three flat programs over one arena.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <oneapi/dnnl/dnnl.hpp>

#include "kernels/cpu/arena.h"
#include "kernels/cpu/fusion.h"
#include "kernels/cpu/lowering.h"
#include "kernels/cpu/operation.h"
#include "kernels/cpu/parameters.h"
#include "kernels/engine.h"

namespace rightsize::cpu {

class Graph {
 public:
  // `keep_outputs`: every layer's output stays readable after a step (tests), at the price of
  // memory.
  Graph(const Network& network, const EngineOptions& options, bool keep_outputs);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Points the steps at this batch; its memory must stay until the programs have run.
  void bind(const Batch& batch);
  // After a step: the next one draws new masks and, decoding, writes the next position.
  void advance();
  void run(const Program& program);

  [[nodiscard]] const Program& forward() const { return forward_; }
  [[nodiscard]] const Program& backward() const { return backward_; }
  [[nodiscard]] const Program& update() const { return update_; }

  [[nodiscard]] RunState& state() { return state_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const Tensor& output(std::string_view layer) const;
  [[nodiscard]] dnnl::stream& stream() { return stream_; }
  [[nodiscard]] std::size_t memory_bytes() const { return arena_->size(); }
  // Whether a step counts hits.
  [[nodiscard]] bool classifies() const {
    return network_.layers.back().kind == LayerKind::softmax_loss;
  }
  [[nodiscard]] bool reads_labels() const {
    return classifies() || network_.layers.back().kind == LayerKind::detection_loss;
  }
  // Of the attention layers, one after the other and each once: "fused (own)"; empty without any.
  // Fused: the scores of a query are never stored. Cached: one position against those before it.
  [[nodiscard]] std::string attention_kernel() const;

 private:
  void lower_forward(const EngineOptions& options, bool keep_outputs);
  // Begins or ends a stretch of layers that are passed several times, where `layer` does.
  void follow_passes(std::size_t layer);
  [[nodiscard]] std::vector<Tensor> inputs_of(std::size_t layer);
  void lower_backward();
  [[nodiscard]] std::unique_ptr<Operation> operation_of(std::size_t layer, std::uint64_t seed);
  [[nodiscard]] std::size_t value_of(int layer) const;
  [[nodiscard]] const Layer* norm_of(std::size_t layer) const;  // taken in by a convolution
  void check_sizes(const Batch& batch) const;
  [[nodiscard]] std::int64_t label_count() const;
  void check_ids(std::span<const std::int32_t> ids,
                 std::int64_t count,
                 std::string_view what) const;

  Network network_;
  Fusion fusion_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  RunState state_;
  Lowering lowering_;
  Parameters parameters_;
  std::int64_t items_ = 0;
  std::int64_t sequence_ = 0;  // tokens of an item; decode: what the cache holds
  std::int64_t prompt_ = 0;    // decode: where a sequence starts, and starts again when it is full
  Tensor images_;              // empty where the network reads tokens
  std::vector<std::unique_ptr<Operation>> operations_;  // by layer; empty where fused away
  std::vector<Tensor> outputs_;                         // by layer
  Program forward_;
  Program backward_;
  Program update_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace rightsize::cpu
