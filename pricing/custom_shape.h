// Machines cut to measure: as many vCPUs and GiB as one likes, each at its price.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

// price = vCPUs x per_vcpu + GiB x per_gib.
struct CustomFamily {
  std::string provider;
  std::string name;  // "custom" of "custom-8-16384"
  std::string region;
  Market market = Market::on_demand;
  Money per_vcpu;
  Money per_gib;
  double min_gib_per_vcpu = 0;
  double max_gib_per_vcpu = 0;
  std::int64_t max_vcpus = 0;
  std::string book;
  std::string as_of;
  std::string source;
};

// Throws PricingError naming file, line and field.
[[nodiscard]] std::vector<CustomFamily> parse_custom_families(std::string_view csv,
                                                              std::string_view table);
// The families this binary ships (tables/custom.csv).
[[nodiscard]] std::vector<CustomFamily> shipped_custom_families();

// One machine of the family; nullopt outside its limits: 1 or an even number of vCPUs, memory in
// steps of 256 MiB between the two ratios.
[[nodiscard]] std::optional<Offer> custom_offer(const CustomFamily& family,
                                                std::int64_t vcpus,
                                                std::int64_t memory_mib);

// A range of machines over the family's limits: 1 to max_vcpus, and 1, 2, 4 and the most GiB each.
[[nodiscard]] std::vector<Offer> custom_offers(const CustomFamily& family);

}  // namespace rightsize
