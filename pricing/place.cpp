#include "pricing/place.h"

namespace rightsize {

std::string region_name(std::string_view region) {
  return std::string(region.empty() ? "region not listed" : region);
}

std::string place_name(std::string_view provider, std::string_view region) {
  return std::string(provider) + (region.empty() ? ", " : "/") + region_name(region);
}

}  // namespace rightsize
