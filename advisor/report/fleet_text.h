// A Fleet rendered: what every job should rent, the sum, what today costs, and one machine for all.
#pragma once

#include <string>
#include <vector>

#include "advisor/fleet/fleet.h"
#include "advisor/report/style.h"

namespace rightsize::report {

[[nodiscard]] std::string works_of(const Fleet& fleet);  // "2 services and 3 jobs"
// "2 services and 3 jobs: ~$1,234 a month."
[[nodiscard]] std::string fleet_headline(const Fleet& fleet);
// What is said below the table: of today, of jobs without a machine, of one kind for all.
[[nodiscard]] std::vector<std::string> fleet_sentences(const Fleet& fleet);
// What each job's own answer warns of; what several do is said once, of all of them.
[[nodiscard]] std::vector<std::string> fleet_warnings(const Fleet& fleet);
// A line for each job's machine, "aws/g6e.xlarge"; none where no machine satisfies.
[[nodiscard]] std::string fleet_names(const Fleet& fleet);
[[nodiscard]] std::string fleet_text(const Fleet& fleet, const Style& style);
[[nodiscard]] std::string fleet_markdown(const Fleet& fleet);

}  // namespace rightsize::report
