// Who comes to a server, and when: a rate, with requests alone or together, or a file of instants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/cli/command.h"
#include "advisor/query/query.h"
#include "models/laws/serving.h"
#include "models/simulate/time.h"

namespace rightsize::cli {

// As --arrivals says, or, where it does not, the job's [service].
[[nodiscard]] std::string arrivals_text(const Values& values, const std::optional<Query>& job);

// Fills in the load's rate and how many come together; returns the instants of a file, else none.
// Throws UsageError naming the option, or the file and its line.
[[nodiscard]] std::vector<simulate::Nanoseconds> arrivals_of(const Values& values,
                                                             const std::optional<Query>& job,
                                                             const std::string& text,
                                                             ServingLoad& load);

}  // namespace rightsize::cli
