// The learned values of a network, their gradients and moments, in the layouts the kernels like.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/cpu/lowering.h"
#include "kernels/network.h"

namespace rightsize::cpu {

// What a parameter is when training starts: constant + deviation * normal noise.
struct Start {
  float constant = 0;
  float deviation = 0;
  std::int64_t ids_below = 0;  // > 0: whole numbers from 0 on, drawn evenly, instead
};

struct Parameter {
  std::string name;  // "conv1.weights"
  dnnl::memory::dims dims;
  Start start;
  bool decays = false;  // weights do; biases, scales and shifts do not
  Tensor value;
  Tensor gradient;       // empty for running statistics and at inference
  Tensor momentum;       // when training; of Adam the first moment
  Tensor second_moment;  // Adam only
};

struct UpdateOptions;  // optimizer.h

class Parameters {
 public:
  explicit Parameters(Optimizer optimizer) : optimizer_(optimizer) {}

  // At inference `desc` is kept as it is; in training the master copy is FP32 in the same layout.
  Parameter add(Lowering& lowering,
                std::string name,
                const dnnl::memory::desc& desc,
                Start start,
                bool decays);
  // A table of which a step updates some rows in place: no gradient of it is kept, nor momentum.
  Parameter add_table(Lowering& lowering,
                      std::string name,
                      const dnnl::memory::desc& desc,
                      Start start);
  // A running statistic: read and written by the network, never by the optimizer.
  Parameter add_statistic(Lowering& lowering, std::string name, std::int64_t count, float start);
  // The same of any shape and type: what a network remembers from step to step.
  Parameter add_state(Lowering& lowering,
                      std::string name,
                      const dnnl::memory::desc& desc,
                      Start start);

  // True at the first call for a parameter: several layers may use it, and all but the first that
  // emits a backward pass add to the gradient.
  [[nodiscard]] bool starts_gradient(std::string_view name);

  // Writes the starting values; the same for a given seed whatever the layout and thread count.
  void initialise(dnnl::stream& stream, std::uint64_t seed);

  // Emits the network's optimizer (optimizer.h). `step` counts from 0 and outlives the program.
  void emit_update(Lowering& lowering, const UpdateOptions& options, const std::uint64_t& step);

  // In forward_backward, where nothing else reads them: gradients stay until the step has ended.
  void hold_gradients(Lowering& lowering) const;

  [[nodiscard]] std::span<const Parameter> all() const { return parameters_; }
  [[nodiscard]] const Parameter& find(std::string_view name) const;  // throws EngineError

 private:
  Optimizer optimizer_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> started_;  // parameters whose gradient has been begun
};

// Dense row-major FP32, whatever the layout and type inside.
[[nodiscard]] std::vector<float> read(const Tensor& tensor, dnnl::stream& stream);
void write(const Tensor& tensor, std::span<const float> values, dnnl::stream& stream);

// Dense row-major FP32 of these dimensions.
[[nodiscard]] dnnl::memory::desc plain(const dnnl::memory::dims& dims);

}  // namespace rightsize::cpu
