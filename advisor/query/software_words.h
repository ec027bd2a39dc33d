// The words of people and papers for the software that ran a network: frameworks and their years.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/network_step.h"
#include "models/laws/published_rate.h"

namespace rightsize {

// The frameworks that figures were published with, for errors that list them: the one nearest to
// what was written first. "PyTorch, TensorFlow, XLA, MXNet, PaddlePaddle, ... or Torch7",
// and what a program that writes tokens is for.
[[nodiscard]] std::string known_frameworks(std::string_view written);

// "era", "current", or a year: up to 2018 is the era. nullopt where a word is none of these.
[[nodiscard]] std::optional<Stack> stack_meant(std::string_view text);

// What ran the network, as the GPU law tells it apart.
struct Software {
  std::optional<Stack> stack;
  std::string framework;  // as in calibration/gpu_rates.csv; empty: not said
};

// "PyTorch", "TF 1.7", "MXNet (2018)", "era": a framework, the years, or both, each as a word of
// its own; what stands beside them ("NGC") is a remark. nullopt for words that are
// neither, and for programs no figure was published with, whatever their names hold.
[[nodiscard]] std::optional<Software> software_meant(std::string_view text);

// Where several networks go by one name: that of the step's framework, "alexnet-owt" where PyTorch
// runs "alexnet".
void take_form_of_framework(NetworkStep& step);

}  // namespace rightsize
