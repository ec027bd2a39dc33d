#include "pricing/attaches.h"

#include <algorithm>
#include <array>
#include <span>

namespace rightsize {
namespace {

// As instances begin.
constexpr std::array<std::string_view, 16> hyperdisk_only{"a3-ultragpu-",
                                                          "a4-",
                                                          "a4x-",
                                                          "c4-",
                                                          "c4a-",
                                                          "c4d-",
                                                          "c4n-",
                                                          "ct6e-",
                                                          "g4-",
                                                          "h4d-",
                                                          "m4-",
                                                          "m4n-",
                                                          "n4-",
                                                          "n4a-",
                                                          "n4d-",
                                                          "x4-"};

// Hosts of TPUs before v6e (cloud.google.com/tpu/docs/setup-persistent-disk).
constexpr std::array<std::string_view, 3> pd_balanced_only{"ct4p-", "ct5lp-", "ct5p-"};

bool begins_with_one(std::string_view instance, std::span<const std::string_view> series) {
  return std::any_of(series.begin(), series.end(), [&](std::string_view one) {
    return instance.starts_with(one);
  });
}

bool is_hyperdisk(std::string_view volume) {
  return volume.starts_with("hyperdisk");
}

bool takes_hyperdisk_only(std::string_view instance) {
  return begins_with_one(instance, hyperdisk_only);
}

bool takes_pd_balanced_only(std::string_view instance) {
  return begins_with_one(instance, pd_balanced_only);
}

}  // namespace

bool attaches(std::string_view provider, std::string_view instance, std::string_view volume) {
  if (provider != "gcp") {
    return true;
  }
  return takes_pd_balanced_only(instance) ? volume == "pd-balanced"
                                          : is_hyperdisk(volume) || !takes_hyperdisk_only(instance);
}

bool is_offered_with(std::string_view provider,
                     std::string_view instance,
                     std::string_view volume) {
  return attaches(provider, instance, volume) &&
         (provider != "gcp" || is_hyperdisk(volume) == takes_hyperdisk_only(instance));
}

}  // namespace rightsize
