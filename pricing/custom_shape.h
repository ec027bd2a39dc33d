// Machines cut to measure: as many vCPUs, GiB and GPUs as one likes, each at its price.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pricing/custom_family.h"
#include "pricing/offer.h"

namespace rightsize {

// One machine of the family, "custom-8-30720" or "custom-8-30720+1xT4"; nullopt outside its limits:
// 1 or an even number of vCPUs, memory in steps of 256 MiB between the two ratios, as many GPUs as
// it is sold with.
[[nodiscard]] std::optional<Offer> custom_offer(const CustomFamily& family,
                                                std::int64_t vcpus,
                                                std::int64_t memory_mib,
                                                std::int64_t gpus = 0);

// The smallest machine of the family that has at least so much of each; nullopt where it has none.
[[nodiscard]] std::optional<Offer> smallest_holding(const CustomFamily& family,
                                                    std::int64_t vcpus,
                                                    std::int64_t memory_mib,
                                                    std::int64_t gpus);

// The smallest of them, with the fewest GPUs.
[[nodiscard]] Offer smallest_custom_offer(const CustomFamily& family);

// A range of machines over the family's limits: 1 to max_vcpus, and the least, 2, 4 and the most
// GiB for each of them, with every number of GPUs.
[[nodiscard]] std::vector<Offer> custom_offers(const CustomFamily& family);

}  // namespace rightsize
