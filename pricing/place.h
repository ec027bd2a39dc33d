// Where an offer is sold, in words. A table that does not say has an empty region.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// "aws/us-east-1"; "oci, region not listed".
[[nodiscard]] std::string place_name(std::string_view provider, std::string_view region);

// "us-east-1"; "region not listed".
[[nodiscard]] std::string region_name(std::string_view region);

}  // namespace rightsize
