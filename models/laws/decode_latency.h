// How long callers of a language model wait: quantiles of the time to the first token and of the
// time between tokens, and the largest load that keeps both within limits. Sequences come by chance
// (Poisson) to one replica (decode.h); each brings a prompt and leaves after its last token.
//
// Prompts take a share rho = arrivals x prompt of the time, so an iteration of n sequences comes
// every T(n) = t(n) / (1 - rho); of a mixture of experts rho is n's too, as a prompt lasts longer
// beside few (decode.h). Then n are in flight with the probabilities of a symmetric queue, whatever
// the sequences' lengths are distributed like:
//   p(n) ~ product of arrivals x output T(k) / min(k, most), k = 1 .. n
// where `most` fit; beyond, they wait. Kelly, "Reversibility and Stochastic Networks", 1979,
// section 3.3. The first token waits for the rest of the iteration under way and for the prompts
// that came during it, then for its own prompt and an iteration. Prompts of an iteration are those
// that came during the last, so they feed themselves (a gated queue): their variance is arrivals x
// T / (1 - rho^2). Mean and variance of the waiting over p(n), a gamma distribution through both.
// The time between tokens is a sequence's own mean: the others' number, averaged over its life, has
// two thirds of their variance (as of an infinite-server queue), and the prompts that interrupt it
// are those of a busy period that its own iterations start, or that came during its own prompt.
//
// Where lengths spread (length_spread.h) p(n) is of their means; prompts' variance counts in an
// iteration's, the third moment of theirs in the one that is met, and the first token's own prompt
// is any (first_token.h); the pace of short outputs varies more (token_pace.h). Of c replicas those
// that were there do not leave in turn: p(n) to the power of 1 / (1 - (1 - 1 / c) E min(x, x')) of
// two outputs, over their mean: the variance of sequences that came in turn and stay by chance.
//
// Of c replicas that take sequences in turn all have as many but for a few: p(n) to the power of c,
// as each step of a replica's number is c of theirs. Who comes within a sequence's life is who is
// in flight at its end, so that variance, too, is a c-th; who else comes within an iteration is
// counted by the renewals of an Erlang law.
//
// Where sequences come in bursts, of a geometric number with mean b (Poisson's variance times
// 2 b - 1), that exponent has (2 b - 1) / c in place of 1 / c; those of its burst that a replica
// has in turn before a sequence, r / (1 - r) of them in the mean with r = (1 - 1 / b)^c, and as
// many after it, have their prompts in its iteration and write beside it.
//
// Against simulate/decode (decode_played_test): up to 0.7 of what it can write within 20 %, a
// median of the first token within 25 %, where a prompt takes few iterations; where it takes thirty
// (4096 tokens on an A100) p99 is a third too low; of several replicas tokens within 10 %, a first
// token within 25 %. Above 0.85 both laws fall short; largest_... stops there.
#pragma once

#include <functional>
#include <limits>

#include "models/laws/decode.h"

namespace rightsize {

// Seconds; infinite where saturated or too small. Of one token of output token_* are NaN: none.
struct DecodeLatency {
  double first_token_p50_s = std::numeric_limits<double>::infinity();
  double first_token_p95_s = std::numeric_limits<double>::infinity();
  double first_token_p99_s = std::numeric_limits<double>::infinity();
  double token_p50_s = std::numeric_limits<double>::infinity();
  double token_p95_s = std::numeric_limits<double>::infinity();
  double token_p99_s = std::numeric_limits<double>::infinity();
  // In the mean; saturated: of all that fit.
  double joined = 0;    // sequences of the iteration that one joins, itself among them
  double prompt_s = 0;  // of a prompt in it
};

// What 99 of 100 sequences are to keep; infinite: no limit. Of one token token_s does not bind.
struct DecodeLimits {
  double first_token_s = std::numeric_limits<double>::infinity();
  double token_s = std::numeric_limits<double>::infinity();
};

// Replicas of one kind behind one front end.
struct DecodeReplicas {
  DecodeWork work;  // of one GPU of a replica
  DecodeGpu gpu;
  int count = 1;
};

// `load.sequences_per_s` > 0 and of all replicas together, here and below.
[[nodiscard]] DecodeLatency decode_latency(const DecodeReplicas& replicas, const DecodeLoad& load);

// How far these laws are from the played replicas: standard deviation of ln(played p99 / p99 here)
// of the first token and of the time between tokens (tests/bench/decode_grid.cpp; models/README.md
// has how much of that grid lies within them).
struct DecodeLatencySd {
  double first_token = 0;
  double token = 0;
};
[[nodiscard]] DecodeLatencySd decode_latency_log_sd(const DecodeReplicas& replicas,
                                                    const DecodeLoad& load);

// `law_deviations`, here and below: the laws are taken to be short by so many of those.
[[nodiscard]] bool decodes_within(const DecodeReplicas& replicas,
                                  const DecodeLoad& load,
                                  const DecodeLimits& limits,
                                  double law_deviations = 0);

// What limits are held against: for who holds many against the same replicas.
struct DecodeTail {
  bool steady = false;       // else nothing is within anything
  double first_token_s = 0;  // 99 of 100 within, of the first token
  double token_s = 0;        // and of the pace; of one token 0
  DecodeLatencySd law_sd;
};
[[nodiscard]] DecodeTail decode_tail(const DecodeReplicas& replicas, const DecodeLoad& load);
[[nodiscard]] bool is_within(const DecodeTail& tail,
                             const DecodeLimits& limits,
                             double law_deviations = 0);

// Beyond this share of what replicas can write a little more load is much more waiting, and these
// laws fall short of it.
inline constexpr double fullest_load = 0.85;

// The largest load within the limits, at most fullest_load of what they can write; 0 where not even
// a sequence now and then is. `lengths.sequences_per_s` is not read.
[[nodiscard]] double largest_sequences_per_s(const DecodeReplicas& replicas,
                                             const DecodeLoad& lengths,
                                             const DecodeLimits& limits,
                                             double law_deviations = 0);

// How many machines of `machine.count` replicas each write `load` within the limits, at most 0.85
// of what they can write; 0 where `most` are not enough.
[[nodiscard]] int decode_machines_needed(const DecodeReplicas& machine,
                                         const DecodeLoad& load,
                                         const DecodeLimits& limits,
                                         int most,
                                         double law_deviations = 0);
// The same, where `enough(machines)` knows whether so many are.
[[nodiscard]] int decode_machines_needed(const DecodeReplicas& machine,
                                         const DecodeLoad& load,
                                         int most,
                                         const std::function<bool(int machines)>& enough);

// False where not even a sequence that never waits for another is within the limits.
[[nodiscard]] bool may_be_within(const DecodeReplicas& machine,
                                 const DecodeLoad& load,
                                 const DecodeLimits& limits);

}  // namespace rightsize
