#include "profiler/campaign/nearest.h"

#include <algorithm>

#include "kernels/edit_distance.h"

namespace rightsize {
namespace {

// A slip in three letters or two: "foo" is no slip of "slo", of which it has one letter.
std::size_t most_slips(std::string_view word) {
  return std::max<std::size_t>((word.size() + 1) / 3, 1);
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = 1 + most_slips(word);
  for (const auto candidate : known) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace rightsize
