// predict and size for a job file with [service]: what a machine answers in time, and how many of
// them the load takes.
#pragma once

#include <functional>
#include <optional>

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"
#include "advisor/machine/estimator.h"
#include "advisor/machine/sizing_price.h"

namespace rightsize::cli {

// What the machine of a sizing costs, as the flags ask.
using SizingPricer = std::function<std::optional<SizingPrice>(
    const Configuration& asked, const Sizing& sizing, Estimator& estimator)>;

// Both require `asked.service`.
int predict_service(Context& context, const Values& values, const Configuration& asked);
int size_service(Context& context,
                 const Values& values,
                 const Configuration& asked,
                 const SizingPricer& price_of);

}  // namespace rightsize::cli
