// Prompts that are computed in one iteration together, where together they take less than one by
// one: experts are read once for all, and GPUs with attention for themselves share it the better,
// the more come. k of them take
//   S(k) = k reduce + max(k products + max(0, 1 - k / engines) attention, experts)
// and are those that came during the iteration before, so that long iterations feed long ones. Of
// iterations without prompts, a share p that last `step`, and of others, which last u in the mean,
// next to each other by chance (arrivals by Poisson at rate a),
//   p = p exp(-a step) + (1 - p) exp(-a u),  u = step + E S(K),
//   E K = a (p step + (1 - p) u) / (1 - p).
#pragma once

namespace rightsize {

struct PromptCost {
  double products_s = 0;   // of each, its part of attention among them
  double attention_s = 0;  // of one that no engine shares; 0: all do
  double engines = 1;
  double experts_s = 0;  // read once for all
  double reduce_s = 0;   // of each, and what it takes to see its pictures

  [[nodiscard]] double seconds(double prompts) const;
  [[nodiscard]] double seconds_of_one_more(double prompts) const;
};

struct JoinedPrompts {
  double period_s = 0;  // from the head of an iteration to that of the next, in the mean
  double variance = 0;  // of that
  double more_s = 0;    // by which one more prompt prolongs an iteration that has some
};

// `per_s` > 0 come, at which their products leave time for iterations of `step_s`; what one takes
// has a variance of `variance` squares of its mean.
[[nodiscard]] JoinedPrompts joined_prompts(const PromptCost& cost,
                                           double per_s,
                                           double step_s,
                                           double variance = 0);

}  // namespace rightsize
