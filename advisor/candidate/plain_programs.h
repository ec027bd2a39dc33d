// Programs that train language models without what published figures were made with: sequences
// packed to one length, attention and losses fused.
#pragma once

#include <string>

#include "advisor/query/network_step.h"
#include "kernels/network.h"

namespace rightsize {

// How much slower than the rate told here such programs were published to train `network`; "" of
// other steps and networks, and where a program with habits of its own is named ("PyTorch (NeMo)").
// Of models/calibration/asked_blind_training.csv: those of Hugging Face's libraries as they come.
[[nodiscard]] std::string slower_plain_programs(const Network& network, const NetworkStep& step);

}  // namespace rightsize
