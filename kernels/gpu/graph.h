// A network compiled for one device, phase, batch and precision: three flat programs over one
// arena, and the whole step as one captured CUDA graph.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/gpu/fusion.h"
#include "kernels/gpu/lowering.h"
#include "kernels/gpu/operation.h"
#include "kernels/gpu/parameters.h"
#include "kernels/gpu/plugin_abi.h"
#include "kernels/gpu/rank_exchange.h"
#include "kernels/network.h"

namespace rightsize::gpu {

class Graph {
 public:
  // Allocates, tunes, runs once on zeros and initialises: afterwards nothing is allocated.
  Graph(const Network& network, const abi::Options& options);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Launches on the device's stream. evaluate leaves out the update and the count of steps.
  void launch_step();
  void launch_evaluation();

  [[nodiscard]] const Device& device() const { return device_; }
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] std::size_t memory_bytes() const { return budget_.used(); }
  [[nodiscard]] std::size_t workspace_bytes() const { return lowering_.bytes(shared_.workspace); }

  // Of the attention layers, one after the other and each once: "fused (own)"; empty without any.
  // Fused: the scores of a query are never stored. Cached: one position against those before it.
  [[nodiscard]] std::string attention_kernel() const;

  // Where a batch goes: FP32 NCHW images or int32 ids, int32 labels; nothing where a step reads
  // none. Of an engine that preprocesses: pixels in the place of images, and one Picture per item.
  // And where the step's results are.
  [[nodiscard]] std::size_t input_bytes() const;
  [[nodiscard]] std::size_t picture_table_bytes() const;
  [[nodiscard]] std::int64_t token_count() const;
  [[nodiscard]] std::int64_t label_count() const;  // decoding, there is no loss to compute
  [[nodiscard]] Picture* pictures() const { return lowering_.address_as<Picture>(pictures_); }
  [[nodiscard]] float* images() const { return lowering_.address_as<float>(images_); }
  [[nodiscard]] std::int32_t* tokens() const {
    return lowering_.address_as<std::int32_t>(shared_.tokens);
  }
  [[nodiscard]] std::int32_t* labels() const {
    return lowering_.address_as<std::int32_t>(shared_.labels);
  }
  [[nodiscard]] StepState* state() const { return lowering_.address_as<StepState>(shared_.state); }

  // In the program's order (NCHW, KCRS); after an evaluation, output with keep_outputs only.
  [[nodiscard]] std::vector<float> output(std::string_view layer) const;
  [[nodiscard]] std::vector<float> gradient(std::string_view parameter) const;

 private:
  void add_all_parameters();
  void lower_input();
  void lower_forward();
  void lower_backward();
  void lower_update();
  [[nodiscard]] std::unique_ptr<Operation> make_node(const Node& node);
  void allocate();
  void warm_up();
  void initialise();
  void capture();
  [[nodiscard]] UpdateOptions update_options() const;
  void run(const Program& program) const;

  Network network_;  // decode: as it runs at one position
  std::int64_t sequence_;
  abi::Options options_;
  MemoryBudget budget_;
  Device device_;
  Plan plan_;
  Lowering lowering_;
  SharedBuffers shared_;
  int images_;
  int pictures_;
  Parameters parameters_;
  RankExchange exchange_;
  std::vector<std::unique_ptr<Operation>> operations_;  // by node; none for the input
  std::vector<Tensor> outputs_;                         // by node
  Program forward_;
  Program backward_;
  Program update_;
  DeviceBuffer arena_;
  CapturedGraph step_;
};

}  // namespace rightsize::gpu
