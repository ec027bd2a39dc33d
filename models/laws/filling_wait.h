// How long a request waits for its minibatch to fill, where that takes no longer than the window,
// or a step more (c B / rate <= window + step: who uses it looks, shared_replicas.cpp). The
// replicas of a front end that fills the emptiest get one request each in turn, so that all c of
// them begin within one round of requests. Who comes in the round k before the last waits for k c
// arrivals, or until its window ends:
//
//   P(wait > x) = 1/B sum over k = 0 .. B - 1 of P(Gamma(k c) > rate x),  x < window
//
// as single requests come at random; of bursts, groups of geometric size and mean g, k c and
// rate x are counted in 2 g - 1 requests (their index of dispersion). The Gamma's tail is Wilson &
// Hilferty's, "The Distribution of Chi-Square", PNAS 17 (1931): within 0.012 of it from a shape
// of 1 on, 0.05 at 1/2 (few replicas, in bursts). Where full minibatches are under way before it,
// it waits for the rest of one and for those: the overflow of the replicas taken for one that
// fills c B at a time.
#pragma once

#include "models/laws/overflow.h"
#include "models/laws/serving.h"

namespace rightsize {

class FillingWait {
 public:
  // `full_s` of a full minibatch; of less load than the replicas can do.
  FillingWait(const ServingLoad& load, double full_s);

  [[nodiscard]] double tail(double x_s) const;  // P(wait > x)
  [[nodiscard]] double mean() const;            // seconds
  [[nodiscard]] double longest_s() const;       // next to none is beyond
  [[nodiscard]] double mean_batch() const;      // of minibatches full or cut short by the window

 private:
  [[nodiscard]] double later(double x_s) const;

  double rate_;   // of what the rounds are counted in
  double round_;  // of requests, likewise
  double most_;   // of a minibatch
  double window_s_;
  double full_s_;
  Overflow overflow_;
};

}  // namespace rightsize
