// What answers about networks that hear leave out: their items are spectra of sound, and what makes
// these of sound files is no part of them.
#pragma once

#include <string>
#include <string_view>

#include "kernels/workload.h"

namespace rightsize {

// A sentence; with what a machine's vCPUs would have to do where its rate is known (above 0).
[[nodiscard]] std::string sound_left_out(double clips_per_s = 0);

// What whole programs were published to do beside the rate told here; "" where none were.
[[nodiscard]] std::string slower_whole_programs(std::string_view network, Phase phase);

}  // namespace rightsize
