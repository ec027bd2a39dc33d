// The sizes of one family of instances that are sold on either side of a number of vCPUs or of GiB:
// what somebody supposes between them costs, and lets through to its disks, what lies between
// theirs.
#pragma once

#include <optional>

#include "pricing/catalog.h"

namespace rightsize {

// By which sizes are told apart: Offer::vcpus or Offer::memory_gib.
using SizeBy = std::optional<double> Offer::*;

struct SizesAround {
  const Offer* below = nullptr;
  const Offer* above = nullptr;  // where one is sold with just so much, of as much
  double share = 0;              // of the way from below to above, 0 to 1
  bool exact = false;            // `below` is sold with just so much

  [[nodiscard]] bool known() const { return below != nullptr && above != nullptr; }
};

// With the same GPUs and architecture, of the same place, market and book as `like`, and paid for
// by the month where it is.
[[nodiscard]] SizesAround sizes_around(const Catalog& catalog,
                                       const Offer& like,
                                       SizeBy by,
                                       double size);

// What such a size lets through to a volume of that class, linear between both; nullopt where a
// table lacks one of them.
[[nodiscard]] std::optional<DiskCap> cap_around(const Catalog& catalog,
                                                const SizesAround& sizes,
                                                const VolumeClass& volume);

}  // namespace rightsize
