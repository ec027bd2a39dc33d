#include "advisor/candidate/lmdb_pictures.h"

#include <fmt/format.h>

namespace rightsize {

std::string encoded_in_lmdb(DataFormat format, double bytes_per_item, double input_bytes) {
  const double pixel_bytes = input_bytes / sizeof(float);
  if (format != DataFormat::lmdb || bytes_per_item <= 0 || bytes_per_item >= pixel_bytes) {
    return "";
  }
  return fmt::format(
      "lmdb is read as decoded pixels, and {:.0f} kB an item cannot be: the network's picture "
      "alone "
      "has {:.0f} kB; if they are JPEGs the vCPUs have far more to do: ask with recordio, whose "
      "items are decoded one by one as well",
      bytes_per_item / 1e3,
      pixel_bytes / 1e3);
}

}  // namespace rightsize
