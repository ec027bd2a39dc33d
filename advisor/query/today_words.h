// What a job file or a flag says of today: how often a job is run, and on which machine.
#pragma once

#include <string_view>

#include "advisor/query/query.h"
#include "advisor/query/toml_fields.h"

namespace rightsize {

// From one run in eight years.
[[nodiscard]] bool is_runs_per_month(double runs);
inline constexpr std::string_view runs_per_month_grammar = "from 0.01 to 1000000";

// Of a service, which runs all month.
inline constexpr std::string_view no_runs_of_service =
    "none: it is of jobs, and what a service costs is a month's already";

// runs_per_month and current of [job], once `query` says whether it serves. Which machine that is
// the catalogue says later (right_sizing/current_machine.h). Throws UsageError naming the place.
void read_today(TomlFields job, Query& query);

}  // namespace rightsize
