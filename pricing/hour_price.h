// Another price of an offer's hour.
#pragma once

#include "pricing/offer.h"

namespace rightsize {

// What the hour is made of goes with it in proportion, so that what is paid for whether it works or
// not stays that; of a price in another currency, or where there was none, no parts are known.
void set_hour_price(Offer& offer, const Money& per_hour);

}  // namespace rightsize
