// `campaign --slurm` and `--collect`: the runs of a campaign on the nodes of a Slurm cluster.
#pragma once

#include "advisor/cli/command.h"
#include "advisor/cli/measuring.h"

namespace rightsize::cli {

void add_cluster_options(Options& options);
[[nodiscard]] bool wants_cluster(const Values& values);

// Submits what the store lacks (--slurm), or takes in what the tasks have written (--collect); with
// --wait both, one after the other. Throws UsageError, SlurmError, StoreError.
int share_campaign(Context& context, const Values& values, const Measurement& wanted);

}  // namespace rightsize::cli
