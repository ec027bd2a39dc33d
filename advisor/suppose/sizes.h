// The sizes of one family of instances that are sold on either side of a number of vCPUs: what
// somebody supposes between them costs, and lets through to its disks, what lies between theirs.
#pragma once

#include <optional>

#include "pricing/catalog.h"

namespace rightsize {

struct SizesAround {
  const Offer* below = nullptr;
  const Offer* above = nullptr;  // the same where one is sold with just so many
  double share = 0;              // of the way from below to above, 0 to 1

  [[nodiscard]] bool known() const { return below != nullptr && above != nullptr; }
  [[nodiscard]] bool exact() const { return known() && *below->vcpus == *above->vcpus; }
};

// With the same GPUs and architecture, of the same place, market and book as `like`.
[[nodiscard]] SizesAround sizes_around(const Catalog& catalog, const Offer& like, double vcpus);

// What such a size lets through to a volume of that class, linear between both; nullopt where a
// table lacks one of them.
[[nodiscard]] std::optional<DiskCap> cap_around(const Catalog& catalog,
                                                const SizesAround& sizes,
                                                const VolumeClass& volume);

}  // namespace rightsize
