// `doctor --bench`: the machine's baseline, measured, kept, and compared with another's.
#pragma once

#include <optional>
#include <string>

#include "advisor/cli/command.h"
#include "profiler/baseline/baseline.h"

namespace rightsize::cli {

void add_baseline_options(Options& options);

// Measures, keeps the result where `stored_baseline` finds it, and prints it. Returns an exit code.
int run_baseline(Context& context, const Values& values, const std::string& format);

// A detail of --bench without it would be passed over in silence: throws UsageError.
void refuse_bench_options(const Values& values);

// The baseline kept for this machine; nullopt when there is none, or it is another machine's.
[[nodiscard]] std::optional<Baseline> stored_baseline();

}  // namespace rightsize::cli
