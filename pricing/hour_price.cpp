#include "pricing/hour_price.h"

namespace rightsize {

void set_hour_price(Offer& offer, const Money& per_hour) {
  const Money before = offer.price_per_hour;
  offer.price_per_hour = per_hour;
  if (per_hour.currency() != before.currency() || before.is_zero()) {
    offer.parts.clear();
  }
  for (auto& part : offer.parts) {
    part.per_hour = part.per_hour.times(per_hour.nanos(), before.nanos());
  }
}

}  // namespace rightsize
