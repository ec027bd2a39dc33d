// The items of one minibatch, and the tokens of a text, that a question may ask for: one limit for
// job files, flags and the rows of a batch file. The laws of a minibatch's time end there
// (minibatch_rates.h), and so does the search for the largest that a GPU's memory holds
// (gpu_memory.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "models/laws/minibatch_rates.h"

namespace rightsize {

inline constexpr int most_items_in_batch = most_requests_in_minibatch;
static_assert(most_items_in_batch == 65'536, "batch_grammar says so");

inline constexpr std::string_view batch_grammar =
    "a whole number of items per GPU, from 1 to 65536, where the laws of a minibatch end";

[[nodiscard]] constexpr bool is_batch(double items) {
  return items >= 1 && items <= most_items_in_batch;
}

inline constexpr int most_items_in_update = 4'194'304;
inline constexpr std::string_view global_batch_grammar =
    "items that all GPUs together take in an update, from 1 to 4194304";

[[nodiscard]] constexpr bool is_global_batch(std::int64_t items) {
  return items >= 1 && items <= most_items_in_update;
}

inline constexpr int most_text_tokens = 1'048'576;
inline constexpr std::string_view token_count_grammar = "tokens of a sequence, from 1 to 1048576";

[[nodiscard]] constexpr bool is_token_count(std::int64_t tokens) {
  return tokens >= 1 && tokens <= most_text_tokens;
}

}  // namespace rightsize
