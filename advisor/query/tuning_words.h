// What is trained of a network and what is kept of it, as people write it: adapters, the optimizer,
// master weights, minibatches that go through before one update; and what goes with what. One rule
// for job files, flags and tables of machines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/network_step.h"

namespace rightsize {

// "adamw-8bit" and what others call it ("adamw_bnb_8bit", "PagedAdamW8bit"); nullopt: not known.
[[nodiscard]] std::optional<OptimizerChoice> parse_optimizer(std::string_view text);
[[nodiscard]] std::string_view to_string(OptimizerChoice optimizer);  // "" of own
inline constexpr std::string_view optimizer_grammar = "adamw, adamw-8bit, adafactor or sgd";

// "fp32": masters beside the 16 bits that kernels read; "none": 16 bits alone. nullopt: neither.
[[nodiscard]] std::optional<bool> parse_master_weights(std::string_view text);
inline constexpr std::string_view master_weights_grammar =
    "fp32 (beside the 16 bits that kernels read), or none";

inline constexpr int most_accumulated = 65536;

inline constexpr int most_chunks = 1000;
inline constexpr const char* virtual_pipeline_grammar =
    "parts of the layers that each stage has, from 1; without it the fastest";

// What does not go with the rest of a step, and what would.
struct Misfit {
  const char* key;  // as in a job file
  std::string expected;
};

// nullopt where nothing speaks against the step's tuning, and against how GPUs share its layers.
[[nodiscard]] std::optional<Misfit> tuning_misfit(const NetworkStep& step);
[[nodiscard]] std::optional<Misfit> sharing_misfit(const NetworkStep& step);

// "lora:16", "adamw-8bit, no master weights, 8 minibatches an update"; "" where all is as usual.
[[nodiscard]] std::string tuning_words(const NetworkStep& step);

// The same of the state alone: "adamw-8bit, no master weights".
[[nodiscard]] std::string state_words(const TrainingState& state);

}  // namespace rightsize
