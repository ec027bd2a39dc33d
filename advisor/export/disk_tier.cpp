#include "advisor/export/disk_tier.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace rightsize {
namespace {

// What a tier promises (docs.skypilot.co/en/latest/reference/yaml-spec.html).
struct Tier {
  std::string_view name;
  double bytes_per_s;
};
constexpr std::array tiers{
    Tier{"low", 90e6}, Tier{"medium", 220e6}, Tier{"high", 400e6}, Tier{"ultra", 4000e6}};
constexpr std::size_t low = 0;
constexpr std::size_t medium = 1;
constexpr std::size_t high = 2;
constexpr std::size_t ultra = 3;

// The class that a range of tiers buys: _get_disk_type() of skypilot-org/skypilot's
// sky/clouds/aws.py, gcp.py and azure.py; other clouds know no "ultra". "low" is a magnetic disk on
// AWS, "ultra" io2 with 20000 IOPS, of which SkyPilot itself warns that it costs some $2 an hour.
struct ClassTiers {
  std::string_view provider;
  std::string_view disk;  // empty: any
  std::string_view bought;
  std::size_t lowest;
  std::size_t highest;
};
constexpr std::array rows{ClassTiers{"aws", "io2", "io2", ultra, ultra},
                          ClassTiers{"aws", "", "gp3", medium, high},
                          ClassTiers{"gcp", "pd-standard", "pd-standard", low, low},
                          ClassTiers{"gcp", "pd-balanced", "pd-balanced", medium, medium},
                          ClassTiers{"gcp", "pd-ssd", "pd-ssd", high, high},
                          ClassTiers{"azure", "", "Premium_LRS", medium, high},
                          ClassTiers{"", "", "", low, high}};

const ClassTiers& tiers_of(const Option& option) {
  return *std::find_if(rows.begin(), rows.end(), [&](const ClassTiers& row) {
    return (row.provider.empty() || row.provider == option.provider) &&
           (row.disk.empty() || row.disk == option.disk_class);
  });
}

}  // namespace

std::string disk_tier_line(const Option& option) {
  const auto& known = tiers_of(option);
  auto tier = known.lowest;
  while (tier < known.highest && tiers[tier].bytes_per_s < option.disk_bytes_per_s) {
    ++tier;
  }
  const bool another = !known.bought.empty() && known.bought != option.disk_class;
  return fmt::format("  disk_tier: {}  # {}: {:.0f} MB/s [{}]{}\n",
                     tiers[tier].name,
                     option.disk_class,
                     option.disk_bytes_per_s / 1e6,
                     to_string(option.disk_source),
                     another ? fmt::format("; SkyPilot buys {} in its place", known.bought) : "");
}

}  // namespace rightsize
