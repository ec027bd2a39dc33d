// What a spot market does to a job: how often machines are taken, what a checkpoint and a new start
// cost. Assumed where the job file does not say; the answer names it.
#pragma once

#include <optional>

#include "models/laws/spot.h"
#include "pricing/billing.h"

namespace rightsize {

struct Interruptions {
  double per_hour = 0.02;              // assumed: clouds publish 5-20 % a month up to 5 % an hour
  std::optional<double> checkpoint_s;  // empty: the network's parameters and optimizer on its disk
  double restart_s = 300;              // of machine and program; what is read back comes to it
  std::optional<double> longest_life_h;  // empty: the market's own rule
  bool stated = false;                   // by the user, in some part
  bool hazard_stated = false;            // per_hour is
  bool restart_stated = false;
};

// Assumed, of a disk of which nothing is known.
constexpr double checkpoint_bytes_per_s = 200e6;

// What goes over each machine's disk, bytes.
struct SpotFiles {
  double written = 0;    // at a checkpoint
  double read_back = 0;  // at a new start
};

// Of a job on `nodes` machines, each of which writes its part of the state. Weights that are not
// trained are no part of it and read anew.
[[nodiscard]] SpotFiles spot_files(double checkpoint_bytes, double frozen_bytes, int nodes);

// What it takes to write and to read that on a disk of `disk_bytes_per_s` (0: not known), unless
// the times are stated, and how long the market's machines live by `rule`.
[[nodiscard]] SpotTerms spot_terms(const Interruptions& interruptions,
                                   const BillingRule& rule,
                                   const SpotFiles& files,
                                   double disk_bytes_per_s);

}  // namespace rightsize
