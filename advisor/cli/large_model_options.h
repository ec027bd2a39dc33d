// The flags of training large transformers that predict and advise have in common: what is trained,
// and how GPUs share a copy of the network.
#pragma once

#include <optional>

#include "advisor/cli/command.h"
#include "advisor/query/network_step.h"
#include "advisor/query/tuning_words.h"
#include "advisor/tokens/token_service.h"

namespace rightsize::cli {

void add_large_model_options(Options& options);

// By the flag of the key that does not fit.
[[noreturn]] void refuse_misfit(const Misfit& misfit);

// --tensor-parallel and --pipeline-parallel where they are given; where the work writes tokens for
// callers, the GPUs are those of a replica. Throws UsageError.
void read_model_parallel(const Values& values,
                         NetworkStep& step,
                         std::optional<TokenService>& service);

// --adapter, --optimizer, --master-weights and --accumulate where they are given, into a step whose
// other flags were read. Throws UsageError, also where they do not go with the step.
void read_tuning(const Values& values, NetworkStep& step);

}  // namespace rightsize::cli
