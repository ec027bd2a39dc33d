// The learned values of a network on the device: FP32 masters, momenta and gradients, and at 16
// bits the copies the kernels read. Filters lie channels last (KRSC).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/gpu/buffer.h"
#include "kernels/gpu/device.h"
#include "kernels/gpu/lowering.h"
#include "kernels/gpu/optimizer_kernels.h"
#include "kernels/network.h"
#include "kernels/workload.h"

namespace rightsize::gpu {

// k filters of c x area values; a vector of n is {n, 1, 1}.
struct FilterShape {
  std::int64_t k = 0;
  std::int64_t c = 1;
  std::int64_t area = 1;

  [[nodiscard]] std::int64_t elements() const { return k * c * area; }
};

// What a parameter is when training starts: constant + deviation * normal noise.
struct Start {
  float constant = 0;
  float deviation = 0;
};

enum class Role {
  weights,    // decays; read in the compute type; its gradient has the compute type
  table,      // as weights, with an FP32 gradient: rows, and whole layers, are added up in it
  vector,     // read in FP32, FP32 gradient
  bias,       // as vector, and read in the compute type too (cuDNN's fused convolution)
  statistic,  // read and written by the network, never by the optimizer
  cache,      // the same in the compute type: what a network remembers from step to step
};

// Buffers of a Lowering; -1 where there is none.
struct Parameter {
  std::string name;  // "conv1.weights"
  FilterShape shape;
  Start start;
  Role role = Role::vector;
  int master = -1;         // FP32; without a backward pass only where the kernels read FP32
  int compute = -1;        // what the kernels read in the compute type; may be `master`
  int gradient = -1;       // none without a backward pass
  int moment = -1;         // SGD's velocity, Adam's first; none without an update
  int second_moment = -1;  // Adam's
  ElementType compute_type = ElementType::f32;
  ElementType gradient_type = ElementType::f32;
};

struct UpdateOptions {
  Optimizer optimizer = Optimizer::sgd;
  float decay = 0;
  SgdFactors sgd{};
  AdamFactors adam{};
};

class Parameters {
 public:
  Parameters(Lowering& lowering, ElementType type, Phase phase, Optimizer optimizer)
      : lowering_(lowering), type_(type), phase_(phase), optimizer_(optimizer) {}

  // In the CPU engine's order: the index is part of each parameter's random key.
  void add(std::string name, FilterShape shape, Start start, Role role);
  // True at the first call for a parameter: several layers may use it, and all but the first that
  // emits a backward pass add to the gradient.
  [[nodiscard]] bool starts_gradient(const Parameter& parameter);

  // Emits nothing that runs: every gradient lives to this point, to be read after the step.
  void hold_gradients() const;
  // Emits the update of everything learned; `state` is the buffer of a StepState.
  void emit_update(const Device& device, const UpdateOptions& options, int state);

  // After the arena is bound: tables of the optimizer, then the starting values.
  void bind(const Device& device, MemoryBudget& budget, const UpdateOptions& options);
  void initialise(const Device& device, std::uint64_t seed);

  [[nodiscard]] std::span<const Parameter> all() const { return parameters_; }
  [[nodiscard]] const Parameter& find(std::string_view name) const;  // throws GpuError (invalid)

  // Values in the program's order (KCRS).
  [[nodiscard]] std::vector<float> value(const Device& device, const Parameter& parameter) const;
  [[nodiscard]] std::vector<float> gradient(const Device& device, const Parameter& parameter) const;
  void write(const Device& device, const Parameter& parameter, std::span<const float> values) const;

 private:
  [[nodiscard]] std::vector<float> read(const Device& device,
                                        int buffer,
                                        ElementType type,
                                        const FilterShape& shape) const;

  Lowering& lowering_;
  ElementType type_;
  Phase phase_;
  Optimizer optimizer_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> started_;  // parameters whose gradient has been begun
  DeviceBuffer entries_;
  DeviceBuffer chunks_;
  int chunk_count_ = 0;
};

// `count` values of `type` at `data`, as FP32 on the host. Waits for the stream.
[[nodiscard]] std::vector<float> download(const Device& device,
                                          const void* data,
                                          ElementType type,
                                          std::int64_t count);

}  // namespace rightsize::gpu
