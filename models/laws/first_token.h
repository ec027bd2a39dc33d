// When the first token of a sequence comes: after what it waits for (a gamma distribution through
// mean and variance, decode_latency.h), its own prompt, whose length may differ from others', and
// an iteration.
#pragma once

#include "models/laws/length_spread.h"

namespace rightsize {

struct QueueMoments {
  double mean = 0;  // seconds that are waited, or sequences in flight
  double variance = 0;
};

// Of a prompt that takes k of what one takes in the mean: k reduce + max(k products, experts).
struct OwnPrompt {
  double products_s = 0;
  double reduce_s = 0;
  double experts_s = 0;  // read for it, however long it is; 0 where its products take longer
  PromptSpread spread;

  [[nodiscard]] double seconds(double z) const;     // of the one whose length is at z
  [[nodiscard]] double z_of(double seconds) const;  // of the longest within them; -infinity: none
};

struct FirstToken {
  QueueMoments wait;
  OwnPrompt prompt;
  double iteration_s = 0;

  [[nodiscard]] double quantile(double share) const;
  [[nodiscard]] bool is_within(double share, double limit_s) const;
};

}  // namespace rightsize
