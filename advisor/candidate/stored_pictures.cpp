#include "advisor/candidate/stored_pictures.h"

#include <fmt/format.h>

#include "kernels/work.h"

namespace rightsize {

std::string too_small_pictures(const NetworkFacts& facts,
                               DataFormat format,
                               std::uint64_t bytes,
                               std::uint64_t items,
                               const char* said_by) {
  constexpr double no_codec = 100;                          // packs a picture so far
  const double pixels = facts.input_bytes / sizeof(float);  // of a byte each
  const bool pictures = reads_pictures(facts.network) && format != DataFormat::synthetic;
  const double each = static_cast<double>(bytes) / static_cast<double>(items);
  return pictures && items > 0 && each < pixels / no_codec
             ? fmt::format(
                   "the data has {:.3g} bytes an item, of {:.3g} as pixels: is {} the size "
                   "of all {} items?",
                   each,
                   pixels,
                   said_by,
                   items)
             : "";
}

}  // namespace rightsize
