#include "pricing/attaches.h"

#include <algorithm>
#include <array>

namespace rightsize {
namespace {

// As instances begin.
constexpr std::array<std::string_view, 15> hyperdisk_only{"a3-ultragpu-",
                                                          "a4-",
                                                          "a4x-",
                                                          "c4-",
                                                          "c4a-",
                                                          "c4d-",
                                                          "c4n-",
                                                          "g4-",
                                                          "h4d-",
                                                          "m4-",
                                                          "m4n-",
                                                          "n4-",
                                                          "n4a-",
                                                          "n4d-",
                                                          "x4-"};

bool is_hyperdisk(std::string_view volume) {
  return volume.starts_with("hyperdisk");
}

bool takes_hyperdisk_only(std::string_view instance) {
  return std::any_of(hyperdisk_only.begin(), hyperdisk_only.end(), [&](std::string_view series) {
    return instance.starts_with(series);
  });
}

}  // namespace

bool attaches(std::string_view provider, std::string_view instance, std::string_view volume) {
  return provider != "gcp" || is_hyperdisk(volume) || !takes_hyperdisk_only(instance);
}

bool is_offered_with(std::string_view provider,
                     std::string_view instance,
                     std::string_view volume) {
  return provider != "gcp" || is_hyperdisk(volume) == takes_hyperdisk_only(instance);
}

}  // namespace rightsize
