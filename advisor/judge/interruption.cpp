#include "advisor/judge/interruption.h"

#include <algorithm>

namespace rightsize {
namespace {

constexpr double least_checkpoint_s = 1;  // a file is opened, written and synced

}  // namespace

SpotFiles spot_files(double checkpoint_bytes, double frozen_bytes, int nodes) {
  const double part = checkpoint_bytes / nodes;
  return {part, part + frozen_bytes};
}

SpotTerms spot_terms(const Interruptions& interruptions,
                     const BillingRule& rule,
                     const SpotFiles& files,
                     double disk_bytes_per_s) {
  const double bytes_per_s = disk_bytes_per_s > 0 ? disk_bytes_per_s : checkpoint_bytes_per_s;
  const double lifetime_s =
      rule.spot_lifetime ? static_cast<double>(rule.spot_lifetime->count()) : 0;
  SpotTerms terms;
  terms.interruptions_per_hour = interruptions.per_hour;
  terms.checkpoint_s = interruptions.checkpoint_s.value_or(
      std::max(least_checkpoint_s, files.written / bytes_per_s));
  terms.restart_s =
      interruptions.restart_s + (interruptions.restart_stated ? 0 : files.read_back / bytes_per_s);
  terms.longest_life_h = interruptions.longest_life_h.value_or(lifetime_s / 3600);
  return terms;
}

}  // namespace rightsize
