// The options that describe one setting for predict and simulate.
#pragma once

#include "advisor/cli/command.h"
#include "models/setting.h"

namespace rightsize::cli {

void add_setting_options(Options& options);

// Throws UsageError naming the option.
[[nodiscard]] Setting setting_from(const Values& values);

}  // namespace rightsize::cli
