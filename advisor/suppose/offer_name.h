// An offer by the name that people type.
#pragma once

#include <string_view>
#include <vector>

#include "pricing/catalog.h"
#include "pricing/offer.h"

namespace rightsize {

// "g5.xlarge" or "aws/g5.xlarge"; of one that is sold with two CPUs, "acme/big@Skylake" is that
// with the CPU its table calls so.
[[nodiscard]] bool has_name(const Offer& offer, std::string_view name);

// All of that name, wherever and however they are sold.
[[nodiscard]] std::vector<const Offer*> offers_named(const Catalog& catalog, std::string_view name);

}  // namespace rightsize
