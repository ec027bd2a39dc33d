// Offers that are one machine to the job: they differ in where they are, and what they cost.
#pragma once

#include <span>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

class OfferConstraints;

struct Shape {
  std::vector<const Offer*> offers;  // at least one; as the catalogue has them

  // Any of them, for what they have in common: everything but region, market, price and its date.
  [[nodiscard]] const Offer& machine() const { return *offers.front(); }
};

// The offers within the place, market and book asked for; borrowed. In the catalogue's order of
// their first.
[[nodiscard]] std::vector<Shape> shapes_in_scope(std::span<const Offer> offers,
                                                 const OfferConstraints& constraints);

}  // namespace rightsize
