#include "advisor/judge/best_of_field.h"

#include <algorithm>
#include <numeric>

#include "advisor/judge/standing_order.h"

namespace rightsize {

void BestOfField::consider(std::size_t place, const Standing& other) {
  if (!other.satisfies) {
    return;
  }
  if (!standing || better(other, *standing) || (!better(*standing, other) && place < index)) {
    standing = other;
    index = place;
  }
}

std::vector<std::size_t> places_by(std::span<const double> least) {
  std::vector<std::size_t> places(least.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return least[a] < least[b];
  });
  return places;
}

void ask_first(std::size_t place, std::vector<std::size_t>& order) {
  const auto found = std::find(order.begin(), order.end(), place);
  std::rotate(order.begin(), found, found + 1);
}

}  // namespace rightsize
