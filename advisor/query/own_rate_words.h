// What is said of rates that the user measured: what other GPUs take from them, or why they have no
// part in an answer.
#pragma once

#include <string>
#include <vector>

#include "models/laws/published_rate.h"

namespace rightsize {

struct Query;
struct Configuration;

// "412/s of one A10G at batch 64 in fp16, as job.toml:12 says".
[[nodiscard]] std::string words_of(const MeasuredRate& rate);

// A sentence for each. Throws as measured_rates() does.
[[nodiscard]] std::vector<std::string> own_rate_sentences(const Query& query);

// A sentence for each that has no part in the answer (it is of another network, say), or is five
// times as fast or as slow as what is known of the same.
[[nodiscard]] std::vector<std::string> own_rate_warnings(const Query& asked);
[[nodiscard]] std::vector<std::string> own_rate_warnings(const Configuration& asked);

}  // namespace rightsize
