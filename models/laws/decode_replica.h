// One of the replicas that write tokens, at one load: what its queue is made of (decode_latency.h
// has the law), and what a sequence waits for in it.
#pragma once

#include <vector>

#include "models/laws/decode_latency.h"
#include "models/laws/joined_prompts.h"

namespace rightsize {

struct QueueMoments {
  double mean = 0;  // seconds that are waited, or sequences in flight
  double variance = 0;
};

class DecodeReplica {
 public:
  // `replicas` is borrowed; `load` is that of all of them together.
  DecodeReplica(const DecodeReplicas& replicas, const DecodeLoad& load);

  // False where more comes than it can write, or nothing fits.
  [[nodiscard]] bool steady() const { return steady_; }

  // What the first token waits for beyond its own prompt and iteration.
  [[nodiscard]] QueueMoments waiting() const;

  // The sequences of the iteration that one joins, itself among them.
  [[nodiscard]] double joined() const;
  [[nodiscard]] double own_prompt_s() const;

  // The prompt and an iteration, in the mean.
  [[nodiscard]] double own_seconds() const;

  // A sequence's mean time between tokens, `z` standard deviations above its middle.
  [[nodiscard]] double token_seconds(double z) const;

 private:
  // From the head of an iteration to that of the next, with the prompts that come in it.
  struct Period {
    double seconds = 0;
    double variance = 0;  // of them, as prompts come by chance
    double prompt_s = 0;  // of one prompt alone
    double more_s = 0;    // by which another prolongs an iteration that has one
  };

  [[nodiscard]] Period period(double n) const;
  [[nodiscard]] Period of_experts(double n, double step_s) const;
  [[nodiscard]] Period between(double n, double step_s) const;
  [[nodiscard]] const Period& seen(std::size_t place) const;
  [[nodiscard]] double growth(double n) const;
  bool fill();
  [[nodiscard]] double crowding(double period_s) const;
  [[nodiscard]] QueueMoments waiting_beside(int n, double crowd) const;

  const DecodeWork& work_;
  const DecodeGpu& gpu_;
  DecodeLoad load_;
  int count_ = 1;
  double context_ = 0;
  PromptCost cost_;        // but for what is read
  double products_s_ = 0;  // of a prompt for which nothing is read
  int most_ = 0;
  // Of experts, at so many from 1 to most_, evenly in their logarithm; seconds are over the
  // iteration's without prompts, 0 of those that nobody asked for yet. A queue asks for thousands,
  // a few dozen say all.
  mutable std::vector<Period> seen_;
  bool steady_ = false;
  std::vector<double> p_;  // of n in flight or waiting
  QueueMoments in_flight_;
};

}  // namespace rightsize
