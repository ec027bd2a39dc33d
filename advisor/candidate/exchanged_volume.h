// A class of disks with its prices in another currency: a machine and its disk make one bill.
#pragma once

#include <optional>
#include <string>

#include "advisor/query/query.h"
#include "pricing/volume.h"

namespace rightsize {

// nullopt where the class has no price, or the query no rate that brings it to `currency`.
[[nodiscard]] std::optional<VolumeClass> exchanged_volume(const VolumeClass& volume,
                                                          const std::string& currency,
                                                          const Query& query);

}  // namespace rightsize
