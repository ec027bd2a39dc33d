#include "advisor/interruption.h"

#include <algorithm>

namespace rightsize {
namespace {

constexpr double checkpoint_bytes_per_s = 200e6;  // assumed, of a network disk
constexpr double least_checkpoint_s = 1;          // a file is opened, written and synced

}  // namespace

SpotTerms spot_terms(const Interruptions& interruptions,
                     const Offer& offer,
                     double checkpoint_bytes) {
  const bool preemptible = offer.provider == "gcp" && offer.book == "era-2017";
  SpotTerms terms;
  terms.interruptions_per_hour = interruptions.per_hour;
  terms.checkpoint_s = interruptions.checkpoint_s.value_or(
      std::max(least_checkpoint_s, checkpoint_bytes / checkpoint_bytes_per_s));
  terms.restart_s = interruptions.restart_s;
  terms.longest_life_h = interruptions.longest_life_h.value_or(preemptible ? 24 : 0);
  return terms;
}

}  // namespace rightsize
