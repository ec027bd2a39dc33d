#include "advisor/disk_for_job.h"

#include <algorithm>

#include "advisor/disk_choice.h"

namespace rightsize {

DiskSpeed disk_for_job(const DiskSpeed& speed,
                       bool shuffle,
                       std::uint64_t bytes,
                       std::uint64_t items) {
  const double item_bytes =
      static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, items));
  return shuffle ? speed : read_in_sequence(speed, item_bytes);
}

}  // namespace rightsize
