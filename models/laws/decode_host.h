// What a program that serves makes of a replica where it differs from what is said of all
// (decode.h): its host's time, memory that its kernels work in, rates that they reach, sequences
// that it takes.
#pragma once

#include <string_view>

#include "models/laws/decode.h"

namespace rightsize {

// `replica` of such GPUs as that program has it; `software` is a canonical name
// (decode_software.h), or empty: any.
[[nodiscard]] DecodeGpu served_by(DecodeGpu replica, const GpuSpec& gpu, std::string_view software);

// Whether its host's time is part of that.
[[nodiscard]] bool counts_host(std::string_view software);

}  // namespace rightsize
