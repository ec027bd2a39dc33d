#include "models/laws/decode_latency.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace rightsize {
namespace {

constexpr double z_95 = 1.6448536269514722;
constexpr double z_99 = 2.3263478740408408;

struct Moments {
  double mean = 0;
  double variance = 0;
};

DecodeLoad share_of(const DecodeReplicas& replicas, DecodeLoad load) {
  load.sequences_per_s /= replicas.count;
  return load;
}

// Of all together, limits aside.
double most_sequences_per_s(const DecodeReplicas& replicas, DecodeLoad lengths) {
  lengths.sequences_per_s = 0;
  return replicas.count * serve_decode(replicas.work, replicas.gpu, lengths).most_sequences_per_s;
}

// From the head of an iteration to that of the next, with the prompts that come in it.
struct Period {
  double seconds = 0;
  double prompt_s = 0;  // of each of them
  double rho = 0;       // their share
};

// One of the replicas at one load, with what its queue is made of.
class Replica {
 public:
  Replica(const DecodeReplicas& replicas, const DecodeLoad& load)
      : work_(replicas.work),
        gpu_(replicas.gpu),
        load_(share_of(replicas, load)),
        count_(replicas.count),
        context_(mean_context(load)),
        reduce_s_(reduce_seconds(work_, gpu_, load.prompt_tokens)),
        products_s_(work_.prompt_flops / gpu_.flops_per_s + reduce_s_),
        most_(sequences_that_fit(work_, gpu_, load.prompt_tokens + load.output_tokens)) {
    steady_ = most_ > 0 && load_.sequences_per_s * products_s_ < 1 && growth(most_) < 1 && fill();
  }

  [[nodiscard]] bool steady() const { return steady_; }

  // What the first token waits for beyond its own prompt and iteration.
  [[nodiscard]] Moments waiting() const {
    Moments sum;
    double squares = 0;
    const double crowd = crowding(period(std::max(1.0, in_flight_.mean)).seconds);
    for (std::size_t n = 1; n < p_.size(); ++n) {
      const auto of = waiting_beside(static_cast<int>(n), crowd);
      sum.mean += p_[n] * of.mean;
      squares += p_[n] * (of.variance + of.mean * of.mean);
    }
    sum.variance = std::max(0.0, squares - sum.mean * sum.mean);
    return sum;
  }

  // The sequences of the iteration that one joins, itself among them.
  [[nodiscard]] double joined() const {
    return steady_ ? std::min<double>(in_flight_.mean + 1, most_) : most_;
  }
  [[nodiscard]] double own_prompt_s() const {
    return steady_ ? period(joined()).prompt_s : prompt_seconds(work_, gpu_, load_, most_);
  }

  // The prompt and an iteration, in the mean.
  [[nodiscard]] double own_seconds() const {
    return own_prompt_s() + decode_step_seconds(work_, gpu_, joined(), load_.prompt_tokens);
  }

  // A sequence's mean time between tokens, `z` standard deviations above its middle.
  [[nodiscard]] double token_seconds(double z) const {
    const double beside = 1 + in_flight_.mean;
    const auto [middle, prompt_s, rho] = period(beside);
    // More come while prompts hold everybody up.
    const double held_up = 1 + std::pow(rho / (1 - rho), 2);
    const double crowd = beside + z * std::sqrt(2.0 / 3 * held_up * in_flight_.variance);
    const double crowded_s = period(crowd).seconds - middle;
    // A life is a busy period that its own tokens start and prompts prolong.
    const double undisturbed_s = load_.output_tokens * middle * (1 - rho);
    const double interrupted_s =
        z * prompt_s *
        std::sqrt(load_.sequences_per_s * undisturbed_s / (count_ * std::pow(1 - rho, 3))) /
        load_.output_tokens;
    return middle + crowded_s + interrupted_s;
  }

 private:
  // Of `n` sequences, or as many as fit; between whole numbers as well.
  [[nodiscard]] Period period(double n) const {
    const double together = std::min<double>(n, most_);
    const double per_s = load_.sequences_per_s;
    const double step_s = decode_step_seconds(work_, gpu_, together, context_);
    const bool experts = work_.expert_bytes > 0;
    const double prompt_s = experts ? prompt_seconds(work_, gpu_, load_, together) : products_s_;
    if (!experts || per_s * (step_s + prompt_s) <= 1) {
      const double rho = per_s * prompt_s;
      return {step_s / (1 - rho), prompt_s, rho};
    }
    // More than one to an iteration, for which experts are read once.
    const double seconds = std::max(step_s / (1 - per_s * products_s_),
                                    (step_s + prompt_s - reduce_s_) / (1 - per_s * reduce_s_));
    const double rho = 1 - step_s / seconds;
    return {seconds, rho / per_s, rho};
  }

  // p(n) / p(n - 1) of one alone.
  [[nodiscard]] double growth(double n) const {
    return load_.sequences_per_s * load_.output_tokens * period(n).seconds /
           std::min<double>(n, most_);
  }

  // Up to where nothing is left of the tail; false where that is nowhere.
  bool fill() {
    constexpr double nothing = 1e-7;
    constexpr std::size_t longest = 20'000;
    p_ = {0};  // logarithms
    double likeliest = 0;
    const double midway = (1 - 1.0 / count_) / 2;  // of the steps of all from n - 1 to n
    const double last = count_ * std::log(growth(most_));
    const double negligible = std::log(nothing * -std::expm1(last));
    while (p_.size() < longest) {
      const auto n = static_cast<int>(p_.size());
      p_.push_back(p_.back() + (n < most_ ? count_ * std::log(growth(n - midway)) : last));
      likeliest = std::max(likeliest, p_.back());
      if (p_.back() < likeliest + negligible) {
        break;
      }
    }
    double sum = 0;
    for (auto& p : p_) {
      p = std::exp(p - likeliest);
      sum += p;
    }
    double squares = 0;
    for (std::size_t n = 0; n < p_.size(); ++n) {
      p_[n] /= sum;
      const double in_service = std::min<double>(static_cast<double>(n), most_);
      in_flight_.mean += p_[n] * in_service;
      squares += p_[n] * in_service * in_service;
    }
    in_flight_.variance = std::max(0.0, squares - in_flight_.mean * in_flight_.mean);
    return p_.size() < longest;
  }

  // How many come to the replica within two iterations of one that does, over what would by chance:
  // every count-th of those that come by chance does (Erlang's renewals).
  [[nodiscard]] double crowding(double period_s) const {
    constexpr double iterations = 2;  // its own, and the one before
    const double by_chance = iterations * load_.sequences_per_s * period_s;
    if (count_ == 1 || !(by_chance > 1e-9)) {
      return count_ == 1 ? 1 : 0;
    }
    double sum = 0;
    double next = 1;
    for (int k = 1; next > 1e-3 && sum < by_chance; ++k) {
      next = boost::math::gamma_p(static_cast<double>(k) * count_, count_ * by_chance);
      sum += next;
    }
    return std::min(1.0, sum / by_chance);
  }

  // Of one that finds n > 0.
  [[nodiscard]] Moments waiting_beside(int n, double crowd) const {
    const auto [period_s, prompt_s, rho] = period(n);
    // Prompts of an iteration are those that came during the last, which its prompts prolonged.
    const double spread =
        crowd * load_.sequences_per_s * period_s * prompt_s * prompt_s / (1 - rho * rho);
    // The iteration under way is longer than others: it is likelier to be met.
    const double met_s = period_s + spread / period_s;
    const double met_variance = spread * (1 + spread / (period_s * period_s));
    const double met_square = met_variance + met_s * met_s;
    const double waits = 0.5 + crowd * rho;  // for its rest, and for the prompts that it let come
    Moments wait{waits * met_s,
                 met_square / 12 + crowd * load_.sequences_per_s * met_s * prompt_s * prompt_s +
                     waits * waits * met_variance};
    if (n >= most_) {
      wait.mean += (n - most_ + 1) * load_.output_tokens * period_s / most_;
    }
    return wait;
  }

  const DecodeWork& work_;
  const DecodeGpu& gpu_;
  DecodeLoad load_;
  int count_ = 1;
  double context_ = 0;
  double reduce_s_ = 0;    // of a prompt
  double products_s_ = 0;  // of one for which nothing is read
  int most_ = 0;
  bool steady_ = false;
  std::vector<double> p_;  // of n in flight or waiting
  Moments in_flight_;
};

double quantile_of(const Moments& moments, double share) {
  const double shape = moments.mean * moments.mean / moments.variance;
  if (moments.variance <= 1e-12 * moments.mean * moments.mean || !(shape > 1e-100)) {
    return moments.mean;  // next to never does anybody wait
  }
  const boost::math::gamma_distribution<double> gamma(shape, moments.variance / moments.mean);
  return boost::math::quantile(gamma, share);
}

}  // namespace

// Set to bench_decode_grid's root mean squares by hand; of no load the laws are exact.
DecodeLatencySd decode_latency_log_sd(const DecodeReplicas& replicas, const DecodeLoad& load) {
  const double most = most_sequences_per_s(replicas, load);
  const double share = most > 0 ? std::min(1.0, load.sequences_per_s / most) : 1;
  const double one = 1.0 / replicas.count;
  const double rare = std::min(1.0, share / 0.03);
  // Beside few, each that comes has more experts read.
  const double experts = replicas.work.expert_bytes > 0 ? 0.09 * std::exp(-4 * share) : 0;
  return {rare * (0.15 + 0.30 * share * share * (1 - one)),
          rare * std::hypot(0.02 + 0.32 * std::pow(share, 2.5) * one, experts)};
}

DecodeLatency decode_latency(const DecodeReplicas& replicas, const DecodeLoad& load) {
  DecodeLatency latency;
  const Replica replica(replicas, load);
  latency.joined = replica.joined();
  latency.prompt_s = replica.own_prompt_s();
  if (!replica.steady()) {
    return latency;
  }
  const auto wait = replica.waiting();
  const double own_s = replica.own_seconds();
  latency.first_token_p50_s = own_s + quantile_of(wait, 0.50);
  latency.first_token_p95_s = own_s + quantile_of(wait, 0.95);
  latency.first_token_p99_s = own_s + quantile_of(wait, 0.99);
  const auto token_s = [&](double z) {
    return load.output_tokens == 1 ? std::numeric_limits<double>::quiet_NaN()
                                   : replica.token_seconds(z);
  };
  latency.token_p50_s = token_s(0);
  latency.token_p95_s = token_s(z_95);
  latency.token_p99_s = token_s(z_99);
  return latency;
}

bool decodes_within(const DecodeReplicas& replicas,
                    const DecodeLoad& load,
                    const DecodeLimits& limits,
                    double law_deviations) {
  const Replica replica(replicas, load);
  if (!replica.steady()) {
    return false;
  }
  const auto sd = law_deviations == 0 ? DecodeLatencySd{} : decode_latency_log_sd(replicas, load);
  const double token_s = limits.token_s * std::exp(-law_deviations * sd.token);
  const double first_s = limits.first_token_s * std::exp(-law_deviations * sd.first_token);
  const bool paced = load.output_tokens == 1 || replica.token_seconds(z_99) <= token_s;
  return paced && (std::isinf(first_s) ||
                   replica.own_seconds() + quantile_of(replica.waiting(), 0.99) <= first_s);
}

double largest_sequences_per_s(const DecodeReplicas& replicas,
                               const DecodeLoad& lengths,
                               const DecodeLimits& limits,
                               double law_deviations) {
  DecodeLoad load = lengths;
  const double most = most_sequences_per_s(replicas, lengths);
  load.sequences_per_s = most * 1e-6;
  const auto within = [&] { return decodes_within(replicas, load, limits, law_deviations); };
  if (!(most > 0) || !within()) {
    return 0;
  }
  double low = load.sequences_per_s;
  double high = fullest_load * most;
  constexpr int halvings = 24;
  for (int i = 0; i < halvings; ++i) {
    load.sequences_per_s = (low + high) / 2;
    (within() ? low : high) = load.sequences_per_s;
  }
  load.sequences_per_s = fullest_load * most;
  return within() ? load.sequences_per_s : low;
}

int decode_machines_needed(const DecodeReplicas& machine,
                           const DecodeLoad& load,
                           const DecodeLimits& limits,
                           int most,
                           double law_deviations) {
  // The last digits of a largest load aside.
  const double fewest =
      load.sequences_per_s / (fullest_load * most_sequences_per_s(machine, load)) * (1 - 1e-6);
  if (!(fewest <= most)) {
    return 0;
  }
  const auto enough = [&](int machines) {
    DecodeReplicas all = machine;
    all.count *= machines;
    return decodes_within(all, load, limits, law_deviations);
  };
  int low = std::max(0, static_cast<int>(std::ceil(fewest)) - 1);  // too full, or none
  int high = low + 1;
  for (int more = 1; high < most && !enough(high); more *= 2) {
    low = high;
    high = std::min(most, high + more);
  }
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (enough(middle) ? high : low) = middle;
  }
  return enough(high) ? high : 0;
}

}  // namespace rightsize
