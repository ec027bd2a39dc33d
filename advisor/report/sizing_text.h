// A sizing as people and programs read it: needs, curves, and memory against disk.
#pragma once

#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/machine/sizing.h"
#include "advisor/report/chart.h"
#include "advisor/report/style.h"
#include "advisor/report/table.h"

namespace rightsize::report {

[[nodiscard]] Table needs_table(const Sizing& sizing);
// Its rows: resource, least, interval, because.
[[nodiscard]] std::vector<std::vector<std::string>> needs_rows(const Sizing& sizing);
[[nodiscard]] std::string sizing_text(const Configuration& asked,
                                      const Sizing& sizing,
                                      const Style& style);

// How busy the accelerator is by vCPUs, with the least number in its interval.
[[nodiscard]] XyChart sizing_chart(const Sizing& sizing);

// Schema rightsize/size/1.
[[nodiscard]] boost::json::object sizing_to_json(const Sizing& sizing);

}  // namespace rightsize::report
