// One of the replicas that write tokens, at one load: what its queue is made of (decode_latency.h
// has the law), and what a sequence waits for in it.
#pragma once

#include <vector>

#include "models/laws/decode_latency.h"
#include "models/laws/first_token.h"
#include "models/laws/joined_prompts.h"

namespace rightsize {

class DecodeReplica {
 public:
  // `replicas` is borrowed; `load` is that of all of them together.
  DecodeReplica(const DecodeReplicas& replicas, const DecodeLoad& load);

  // False where more comes than it can write, or nothing fits.
  [[nodiscard]] bool steady() const { return steady_; }

  // What the first token waits for, its own prompt and iteration.
  [[nodiscard]] FirstToken first_token() const;

  // The sequences of the iteration that one joins, itself among them.
  [[nodiscard]] double joined() const;
  [[nodiscard]] double own_prompt_s() const;  // in the mean

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

  [[nodiscard]] QueueMoments waiting() const;
  [[nodiscard]] OwnPrompt own_prompt() const;
  [[nodiscard]] Period period(double n) const;
  [[nodiscard]] Period of_experts(double n, double step_s) const;
  [[nodiscard]] Period between(double n, double step_s) const;
  [[nodiscard]] const Period& seen(std::size_t place) const;
  [[nodiscard]] double growth(double n) const;
  bool fill();
  [[nodiscard]] double crowding(double seconds) const;
  [[nodiscard]] QueueMoments met(const Period& usual, double crowd) const;
  [[nodiscard]] QueueMoments waiting_beside(int n, double crowd) const;

  const DecodeWork& work_;
  const DecodeGpu& gpu_;
  DecodeLoad load_;
  int count_ = 1;
  // By which replicas that take sequences in turn spread them the more evenly.
  double evenly_ = 1;
  double mates_ = 0;  // of its burst before a sequence, and as many after it
  double context_ = 0;
  PromptSpread prompts_;
  double by_length_ = 0;  // variance of what a prompt takes, over the square of its mean
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
