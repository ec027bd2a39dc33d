#include "pricing/gpu_share.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace rightsize {
namespace {

// "L4/8" -> 8; 1 of a whole GPU.
int parts_in(std::string_view gpu) {
  const auto slash = gpu.rfind('/');
  int parts = 1;
  if (slash != std::string_view::npos) {
    const auto digits = gpu.substr(slash + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), parts);
  }
  return std::max(1, parts);
}

}  // namespace

void name_share(Offer& offer) {
  if (offer.gpu.empty() || !(offer.gpus > 0) || offer.gpus >= 1) {
    return;
  }
  const double parts = std::round(1 / offer.gpus);
  constexpr double rounded = 0.02;  // tables have 0.33 and 0.167
  if (parts > 1 && std::abs(parts * offer.gpus - 1) < rounded) {
    offer.gpu += fmt::format("/{:.0f}", parts);
    offer.gpus = 1;
    offer.gpu_memory_gib.reset();
  }
}

Offer with_counted_share(Offer offer) {
  if (const int parts = parts_in(offer.gpu); parts > 1) {
    offer.gpu.erase(offer.gpu.rfind('/'));
    offer.gpus /= parts;
  }
  return offer;
}

double whole_gpus(const Offer& offer) {
  return offer.gpus / parts_in(offer.gpu);
}

}  // namespace rightsize
