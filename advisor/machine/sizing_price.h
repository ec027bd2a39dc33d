// What the machine that size finds would cost: cut to measure where a table prices its GPU by the
// unit, and as the cheapest machine that is sold and holds it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "advisor/machine/sizing.h"
#include "pricing/catalog.h"
#include "pricing/custom_shape.h"

namespace rightsize {

struct PricedShape {
  Offer offer;
  std::string disk;            // "pd-ssd 151 GiB"; "" where none is rented
  bool disk_is_enough = true;  // false: no disk that is sold there reads so fast, none is billed
  Bill hour;
  std::optional<Bill> job;  // for SizingPrice::hours
};

struct SizingPrice {
  std::string shape;              // "2 vCPU / 6 GiB / 1 x T4": the needs, in whole vCPUs
  std::optional<Estimate> hours;  // of the job with the GPU as busy as asked; none is told: nullopt
  std::optional<PricedShape> by_the_unit;
  std::vector<std::string> sold_by_the_unit;  // the GPUs that are, where this one is not
  std::optional<PricedShape> standard;
};

// On demand, of the book of today and of `families`; nullopt where the sizing found no machine.
[[nodiscard]] std::optional<SizingPrice> price_sizing(const Sizing& sizing,
                                                      const Configuration& asked,
                                                      const Catalog& catalog,
                                                      std::span<const CustomFamily> families);

}  // namespace rightsize
