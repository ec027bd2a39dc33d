// A plan's jobs as rows: what each is to run on, and what it runs on today.
#pragma once

#include <string>

#include "advisor/fleet/fleet.h"
#include "advisor/report/table.h"

namespace rightsize::report {

// For people; and for programs, with the columns of one job's options, empty where no machine
// satisfies.
[[nodiscard]] Table fleet_table(const Fleet& fleet);
[[nodiscard]] Table fleet_data(const Fleet& fleet);

// The job's own name, or else its file.
[[nodiscard]] std::string job_label(const Query& query);

[[nodiscard]] std::string sum_text(const Estimate& cost);  // "~$10.20 ($8.11 … $14.02)"

}  // namespace rightsize::report
