// The CPU behind a name, and what is said of a network's rate there when it was never measured.
#pragma once

#include <string>

#include "models/laws/cpu_kind.h"
#include "models/laws/cpu_speed.h"

namespace rightsize {

// `words`: an EC2 type ("c5.18xlarge") or what people call CPUs; the usual CPU of the years where
// they say nothing.
[[nodiscard]] CpuKind cpu_kind_named(const CpuSpeeds& cpu_speeds,
                                     const std::string& words,
                                     bool era);

// "CPU Skylake: 2.8 GHz, 64 FP32 operations a cycle and core, scaled from published figures ..."
[[nodiscard]] std::string cpu_law_words(const CpuKind& cpu);

}  // namespace rightsize
