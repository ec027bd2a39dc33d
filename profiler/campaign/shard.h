// One part of a campaign, for machines that share its runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/measure/run_spec.h"

namespace rightsize {

// The `index`-th of `count` parts, counted from 1. Which part a run falls into depends on its
// content hash alone: adding runs to a campaign moves none of the others.
struct CampaignShard {
  int index = 1;
  int count = 1;
};

// "2/4"; nullopt for anything else, and for parts that do not exist.
[[nodiscard]] std::optional<CampaignShard> parse_shard(std::string_view text);

[[nodiscard]] bool falls_into(const CampaignShard& shard, const std::string& run_id);

// Leaves the runs of the part, in their order.
void keep_shard(std::vector<RunSpec>& runs, const CampaignShard& shard);

}  // namespace rightsize
