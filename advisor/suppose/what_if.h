// One instance with something supposed of it: more vCPUs, another disk, a lower price. Judged as an
// offer is, so that everything that decides an answer decides this one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/explain/comparison.h"
#include "advisor/suppose/supposition.h"

namespace rightsize {

struct WhatIf {
  Query query;
  Query supposed_query;  // of a service with another load; else the same
  Supposition supposition;
  std::optional<Option> now;  // empty: it cannot do the job as it is
  std::string cannot_now;     // why; otherwise ""
  std::optional<Option> supposed;
  std::string reason;  // why it could not do the job, when `supposed` is empty
  Ratios ratios;       // supposed over now
  // What advise takes, "" when nothing satisfies: with the tables as they are, and with this one
  // instance as supposed.
  std::string chosen_now;
  std::string chosen_supposed;
  bool chosen_typically = false;  // over this one by what they typically cost alone
  bool chosen_near_tie = false;   // over this one, whose cost is the lesser (judge/near_ties.h)
  int chosen_machines = 0;  // of this instance, where as many as it takes are still the answer
  std::vector<std::string> notes;  // what was assumed on the way, a sentence each

  // Whether the instance can do the job both ways, so that they are set side by side.
  [[nodiscard]] bool does_both() const { return supposed && now; }
  // The instance as it can do the job: as it is, or else as supposed. One of them there is.
  [[nodiscard]] const Option& able() const { return now ? *now : *supposed; }
};

// `instance` empty: the one advise takes, or the nearest miss. Where it cannot do the job as it is,
// and something of the job alone is supposed, that is answered. Throws UsageError and CannotDoJob
// as Appraiser::appraise does, and UsageError for a supposition that makes no sense of it.
[[nodiscard]] WhatIf what_if(const Query& asked,
                             const Evidence& evidence,
                             const std::string& instance,
                             const Supposition& supposition);

// Schema "rightsize/what-if/1".
[[nodiscard]] boost::json::object to_json(const WhatIf& what_if);

}  // namespace rightsize
