// An offer by the name that people type.
#pragma once

#include <string>

#include "pricing/offer.h"

namespace rightsize {

// "g5.xlarge" or "aws/g5.xlarge".
[[nodiscard]] inline bool has_name(const Offer& offer, const std::string& name) {
  return offer.instance == name || offer.provider + "/" + offer.instance == name;
}

}  // namespace rightsize
