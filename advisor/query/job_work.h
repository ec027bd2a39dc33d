// What a job puts its items through. Nearly all is asked of networks; of what has none there is no
// batch to choose, no precision to compute in and no part for a GPU. Which it is, is told here.
#pragma once

#include <string_view>

#include "advisor/query/network_step.h"

namespace rightsize {

// program: one of the user's that was profiled ("program:NAME", candidate/own_program.h).
// preprocessing: pictures are made into a data set, by rightsize's own loader.
enum class JobWork { network, program, preprocessing };

[[nodiscard]] JobWork work_of(const NetworkStep& step);

[[nodiscard]] inline bool has_network(const NetworkStep& step) {
  return work_of(step) == JobWork::network;
}

// Why a GPU has no part in it; "" of a network.
[[nodiscard]] std::string_view why_gpu_idle(const NetworkStep& step);

inline constexpr std::string_view no_gpu_preprocesses = "preprocessing leaves a GPU nothing to do";
inline constexpr std::string_view program_leaves_gpu_idle =
    "a program of your own was measured on vCPUs, and leaves a GPU nothing to do";

}  // namespace rightsize
