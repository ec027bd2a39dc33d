// An offer by the name that people type.
#pragma once

#include <string>
#include <string_view>

#include "pricing/offer.h"

namespace rightsize {

// "g5.xlarge" or "aws/g5.xlarge"; of one that is sold with two CPUs, "acme/big@Skylake" is that
// with the CPU its table calls so.
[[nodiscard]] inline bool has_name(const Offer& offer, std::string_view name) {
  const auto at = name.find('@');
  if (at != std::string_view::npos) {
    if (name.substr(at + 1) != offer.cpu) {
      return false;
    }
    name = name.substr(0, at);
  }
  if (name == offer.instance) {
    return true;
  }
  const auto slash = offer.provider.size();
  return name.size() > slash && name.starts_with(offer.provider) && name[slash] == '/' &&
         name.substr(slash + 1) == offer.instance;
}

}  // namespace rightsize
