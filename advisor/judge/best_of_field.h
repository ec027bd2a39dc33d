// The best of a field of candidates that are asked one after the other: the likely best first, so
// that most others are known to be dearer before they are worked out.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "advisor/judge/judge.h"

namespace rightsize {

// Of those asked so far, in whatever order.
struct BestOfField {
  std::optional<Standing> standing;  // empty: none satisfies
  std::size_t index = 0;             // its place in the field

  // Takes one that satisfies and is better, or as good and earlier in the field.
  void consider(std::size_t place, const Standing& other);
};

// The places of a field by what is known of each, the least first; of equals the earlier.
[[nodiscard]] std::vector<std::size_t> places_by(std::span<const double> least);

// Whoever was taken last is likely to be again: it goes to the front of those to ask.
void ask_first(std::size_t place, std::vector<std::size_t>& order);

}  // namespace rightsize
