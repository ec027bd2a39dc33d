// What a program that trains keeps of every parameter it trains, by two choices of it. In mixed
// precision (Micikevicius et al., ICLR 2018) parameters, gradients and what the optimizer remembers
// are FP32, and kernels read a copy in 16 bits; without masters there are 16 bits alone. AdamW
// remembers two moments, in 8 bits with Dettmers et al. (ICLR 2022), or as factors of the second
// one that are small beside the matrices (Adafactor: Shazeer and Stern, ICML 2018, without a first
// moment); SGD has one. The engines train with masters and the network's own optimizer.
#pragma once

#include <compare>

#include "kernels/workload.h"

namespace rightsize {

// sgd: with momentum. adam: AdamW (Loshchilov and Hutter, ICLR 2019).
enum class Optimizer { sgd, adam };

// Of who trains; own: Network::optimizer.
enum class OptimizerChoice { own, sgd, adamw, adamw_8bit, adafactor };

struct TrainingState {
  OptimizerChoice optimizer = OptimizerChoice::own;
  bool masters = true;

  [[nodiscard]] bool usual() const { return optimizer == OptimizerChoice::own && masters; }
  auto operator<=>(const TrainingState&) const = default;
};

// Bytes of one trained parameter.
struct StateBytes {
  double parameter = 4;  // a master, or the only one there is
  double gradient = 4;
  double moments = 8;
  double copy = 0;     // of a master, for the kernels
  double updated = 0;  // read and written by the optimizer in a step

  [[nodiscard]] double kept() const { return parameter + gradient + moments; }  // beside the copy
};

// Of a network whose own optimizer is `own`. A phase without an update keeps no moments.
[[nodiscard]] StateBytes state_bytes(const TrainingState& state,
                                     Optimizer own,
                                     Phase phase,
                                     Precision precision);

}  // namespace rightsize
