#include "kernels/training_state.h"

namespace rightsize {
namespace {

OptimizerChoice optimizer_of(const TrainingState& state, Optimizer own) {
  return state.optimizer != OptimizerChoice::own ? state.optimizer
         : own == Optimizer::adam                ? OptimizerChoice::adamw
                                                 : OptimizerChoice::sgd;
}

// Of a parameter whose master, or only one, has `element` bytes.
double moment_bytes(OptimizerChoice optimizer, double element) {
  constexpr double quantized = 1 + 4.0 / 256;  // a scale in FP32 for every 256 (bitsandbytes)
  switch (optimizer) {
    case OptimizerChoice::own:
    case OptimizerChoice::adamw:
      return 2 * element;
    case OptimizerChoice::adamw_8bit:
      return 2 * quantized;
    case OptimizerChoice::adafactor:
      return 0;
    case OptimizerChoice::sgd:
      return element;
  }
  return 0;
}

}  // namespace

StateBytes state_bytes(const TrainingState& state,
                       Optimizer own,
                       Phase phase,
                       Precision precision) {
  const double narrow = bytes_per_element(precision);
  const double element = state.masters ? sizeof(float) : narrow;
  const auto optimizer = optimizer_of(state, own);
  const double moments = moment_bytes(optimizer, element);
  StateBytes bytes;
  bytes.parameter = element;
  bytes.gradient = element;
  bytes.moments = phase == Phase::forward_backward ? 0 : moments;
  bytes.copy = narrow < element ? narrow : 0;
  // The gradient is read, once more where its rows and columns are summed up first.
  const double reads = optimizer == OptimizerChoice::adafactor ? 2 : 1;
  bytes.updated = 2 * element + reads * element + 2 * moments;
  return bytes;
}

}  // namespace rightsize
