#include "profiler/campaign/shard.h"

#include <charconv>
#include <cstdint>
#include <limits>

#include "profiler/whole_number.h"

namespace rightsize {
namespace {

// FNV-1a's bits know little of each other: its lowest is a parity of the text. The finalizer of
// SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
std::uint64_t mixed(std::uint64_t hash) {
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
  return hash ^ (hash >> 31);
}

}  // namespace

std::optional<CampaignShard> parse_shard(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    return std::nullopt;
  }
  const auto index = whole_number(text.substr(0, slash));
  const auto count = whole_number(text.substr(slash + 1));
  if (!index || !count || *index < 1 || *index > *count ||
      *count > std::numeric_limits<int>::max()) {
    return std::nullopt;
  }
  return CampaignShard{static_cast<int>(*index), static_cast<int>(*count)};
}

bool falls_into(const CampaignShard& shard, const std::string& run_id) {
  std::uint64_t hash = 0;
  std::from_chars(run_id.data(), run_id.data() + run_id.size(), hash, 16);
  const auto part = mixed(hash) % static_cast<std::uint64_t>(shard.count);
  return part == static_cast<std::uint64_t>(shard.index - 1);
}

void keep_shard(std::vector<RunSpec>& runs, const CampaignShard& shard) {
  std::erase_if(runs, [&](const RunSpec& run) { return !falls_into(shard, run_id(run)); });
}

}  // namespace rightsize
