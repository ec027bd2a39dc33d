// What to know of the chosen price before renting: its age and date, what of it is assumed, and
// what was doubted when its table was read.
#pragma once

#include <string>
#include <string_view>

#include "advisor/recommendation.h"
#include "models/laws/cpu_speed.h"
#include "pricing/catalog.h"

namespace rightsize {

// Whether the price is the user's assumption (--reserved-discount), and in no table.
[[nodiscard]] bool has_assumed_price(const Option& option);

// The day of a price as people read it: "as of 2026-07-30", "undated", or "as given" of one that
// the user said and nobody published.
[[nodiscard]] std::string dated(std::string_view as_of);

// Adds to the warnings of an answer that chose `offer`.
void warn_of_price(const Catalog& catalog, const Offer& offer, Recommendation& answer);

// The same of the CPUs that price tables name and no law knows, of whatever is listed.
void warn_of_cpus(const CpuSpeeds& cpu_speeds, Recommendation& answer);

}  // namespace rightsize
