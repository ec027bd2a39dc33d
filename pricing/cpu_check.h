// Whether the CPUs that a price table names are CPUs: a name that nobody knows decides nothing, and
// its row is judged as if it had none.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/catalog.h"
#include "pricing/offer.h"

namespace rightsize {

// What is wrong with the name of a CPU and what to write instead; "" where it is known. Who knows
// CPUs says so: the laws are in another room.
using CpuDoubt = std::function<std::string(std::string_view)>;

// Adds to `issues`, once per name and not once per row.
void check_cpus(std::span<const Offer> offers,
                const CpuDoubt& doubt,
                std::vector<PriceIssue>& issues);

}  // namespace rightsize
