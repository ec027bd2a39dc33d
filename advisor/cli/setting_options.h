// The options that describe one setting for predict and simulate.
#pragma once

#include "advisor/cli/command.h"
#include "models/setting.h"

namespace rightsize::cli {

// Of ln(vCPU speed): this machine's CPU is not the shipped model's.
constexpr double other_cpu_log_sd = 0.25;

// --network, --phase, --batch, --data, --items, --bytes.
void add_work_options(Options& options);
// These, and --gpu-rate, --cpus, --memory and the like: a machine by its parts.
void add_setting_options(Options& options);

// Throws UsageError naming the option.
[[nodiscard]] Setting setting_from(const Values& values);

}  // namespace rightsize::cli
