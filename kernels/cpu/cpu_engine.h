// The CPU engine with its insides open: the seam for gradient checks and per-step timing. Users
// take make_cpu_engine (engine.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/engine.h"

namespace rightsize::cpu {

class Graph;

struct StepTime {
  std::string name;  // "conv1.forward", "reorder", "sgd.update"
  double seconds = 0;
};

class CpuEngine final : public Engine {
 public:
  CpuEngine(const Network& network, const EngineOptions& options, bool keep_outputs = false);
  ~CpuEngine() override;

  StepResult step(const Batch& batch) override;
  void load_parameters(std::span<const ParameterValues> parameters) override;
  [[nodiscard]] std::uint64_t memory_bytes() const override;
  [[nodiscard]] std::map<std::string, std::string> software() const override;

  // Forward (and backward when training) without an update, so that it can be repeated exactly;
  // what a recurrent layer carries from step to step stays as it was.
  StepResult evaluate(const Batch& batch);
  // The learned values' gradients as they lie in memory (blocked layouts, padding with zeros):
  // the same order and sizes in every engine of this network, batch and thread count. Between
  // evaluate() and update() they may be replaced, by those of all ranks for instance.
  [[nodiscard]] std::vector<std::span<float>> gradient_buffers() const;
  // The end of a step: the optimizer's part (phase train only), and the state that recurrent layers
  // carry on from what was evaluated last.
  void update();
  // One full step, each part timed on its own.
  std::vector<StepTime> timed_step(const Batch& batch);

  // Dense row-major values, by name: "conv1.weights", "fc.bias", "bn.scale", "bn.mean" (running).
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  [[nodiscard]] std::vector<float> parameter(std::string_view name) const;
  void set_parameter(std::string_view name, std::span<const float> values);
  // After evaluate(); empty for running statistics.
  [[nodiscard]] std::vector<float> gradient(std::string_view name) const;
  // After evaluate() with keep_outputs; a fused layer shows what it ends in: its normalisation's
  // or its ReLU's output.
  [[nodiscard]] std::vector<float> output(std::string_view layer) const;

 private:
  StepResult result(double seconds) const;

  int threads_;
  Phase phase_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace rightsize::cpu
