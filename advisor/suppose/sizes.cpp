#include "advisor/suppose/sizes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "pricing/monthly.h"

namespace rightsize {
namespace {

// Sizes of one family: "g6e.xlarge" and "g6e.4xlarge", "n1-standard-8" and "n1-standard-16",
// "Standard_NC24ads_A100_v4" and "Standard_NC48ads_A100_v4": names that differ after the point, or
// in one number. What stands before a dash is the generation: "c2d-highcpu-16" and "c4d-highcpu-16"
// are of two.
bool same_family(const std::string& a, const std::string& b) {
  const auto point = a.find('.');
  if (point != std::string::npos) {
    return b.starts_with(a.substr(0, point + 1));
  }
  if (const auto dash = a.find('-');
      dash != std::string::npos && !b.starts_with(a.substr(0, dash + 1))) {
    return false;
  }
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t start = 0;
  while (start < a.size() && start < b.size() && a[start] == b[start]) {
    ++start;
  }
  while (start > 0 && digit(a[start - 1])) {
    --start;
  }
  const auto rest = [&](const std::string& name) {
    const auto end =
        std::find_if_not(name.begin() + static_cast<std::ptrdiff_t>(start), name.end(), digit);
    return std::string(end, name.end());
  };
  return rest(a) == rest(b);
}

std::optional<double> between(std::optional<double> a, std::optional<double> b, double share) {
  return a && b ? std::optional(std::lerp(*a, *b, share)) : std::nullopt;
}

}  // namespace

SizesAround sizes_around(const Catalog& catalog, const Offer& like, SizeBy by, double size) {
  SizesAround sizes;
  auto& [below, above, share, exact] = sizes;
  for (const auto& offer : catalog.offers()) {
    const bool same = offer.provider == like.provider && offer.region == like.region &&
                      offer.market == like.market && offer.book == like.book &&
                      offer.gpu == like.gpu && offer.gpus == like.gpus && (offer.*by) &&
                      offer.arch == like.arch && offer.cpu == like.cpu &&
                      is_monthly(offer) == is_monthly(like);
    if (!same || !same_family(offer.instance, like.instance)) {
      continue;
    }
    const double sold = *(offer.*by);
    const auto nearer = [&](const Offer* kept) {
      return kept == nullptr || std::abs(sold - size) < std::abs(*(kept->*by) - size) ||
             (sold == *(kept->*by) && offer.instance == like.instance);  // itself, not its equal
    };
    if (sold <= size && nearer(below)) {
      below = &offer;
    }
    if (sold >= size && nearer(above)) {
      above = &offer;
    }
  }
  exact = sizes.known() && *(below->*by) == *(above->*by);
  if (sizes.known() && !exact) {
    share = (size - *(below->*by)) / (*(above->*by) - *(below->*by));
  }
  return sizes;
}

std::optional<DiskCap> cap_around(const Catalog& catalog,
                                  const SizesAround& sizes,
                                  const VolumeClass& volume) {
  if (!sizes.known()) {
    return std::nullopt;
  }
  const auto cap = [&](const Offer& offer) {
    return catalog.disk_cap(offer.provider, offer.instance, volume.name);
  };
  const auto* below = cap(*sizes.below);
  const auto* above = cap(*sizes.above);
  if (below == nullptr || above == nullptr) {
    return std::nullopt;
  }
  DiskCap result = *below;
  result.mbps = between(below->mbps, above->mbps, sizes.share);
  result.iops = between(below->iops, above->iops, sizes.share);
  return result;
}

}  // namespace rightsize
