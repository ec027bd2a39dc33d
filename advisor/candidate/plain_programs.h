// Programs that train language models without what published figures were made with: sequences
// packed to one length, attention and losses fused.
#pragma once

#include <string>

#include "advisor/query/network_step.h"
#include "kernels/network.h"

namespace rightsize {

// How many times as long as told here such programs were published to take: those of Hugging Face's
// libraries as they come (models/calibration/blind_errors.py, of asked_blind_training.csv and
// plain_training.csv: Alpaca is the slowest).
inline constexpr double least_plain_times = 1.4;
inline constexpr double most_plain_times = 4.4;

// That in words for who trains `network`; "" of other steps and networks, and where a program with
// habits of its own is named ("PyTorch (NeMo)"). A rate that is told so is no such program's,
// whatever it is written in.
[[nodiscard]] std::string slower_plain_programs(const Network& network, const NetworkStep& step);

}  // namespace rightsize
