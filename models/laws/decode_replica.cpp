#include "models/laws/decode_replica.h"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "models/laws/picture_prompts.h"

namespace rightsize {
namespace {

DecodeLoad share_of(const DecodeReplicas& replicas, DecodeLoad load) {
  load.sequences_per_s /= replicas.count;
  return load;
}

constexpr int places = 48;  // of a grid of sequences in flight

PromptCost cost_of(const DecodeWork& work, const DecodeGpu& gpu, const DecodeLoad& load) {
  const double rate = product_flops_per_s(work, gpu);
  return {.products_s = work.prompt_flops / rate,
          .attention_s = work.engines > 1 ? work.prompt_attention_flops / rate : 0,
          .engines = static_cast<double>(work.engines),
          .reduce_s = reduce_seconds(work, gpu, load.computed_tokens()) + tower_seconds(work, gpu)};
}

}  // namespace

DecodeReplica::DecodeReplica(const DecodeReplicas& replicas, const DecodeLoad& load)
    : work_(replicas.work),
      gpu_(replicas.gpu),
      load_(share_of(replicas, load)),
      count_(replicas.count),
      context_(mean_context(load)),
      cost_(cost_of(work_, gpu_, load_)),
      products_s_(cost_.products_s + cost_.reduce_s),
      most_(sequences_that_fit(work_, gpu_, load.tokens())) {
  const bool keeps_up = most_ > 0 && load_.sequences_per_s * products_s_ < 1;
  if (keeps_up && work_.expert_bytes > 0) {
    seen_.resize(places);
  }
  steady_ = keeps_up && growth(most_) < 1 && fill();
}

QueueMoments DecodeReplica::waiting() const {
  QueueMoments sum;
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

double DecodeReplica::joined() const {
  return steady_ ? std::min<double>(in_flight_.mean + 1, most_) : most_;
}

double DecodeReplica::own_prompt_s() const {
  return steady_ ? period(joined()).prompt_s : prompt_seconds(work_, gpu_, load_, most_);
}

double DecodeReplica::own_seconds() const {
  return own_prompt_s() + decode_step_seconds(work_, gpu_, joined(), load_.prompt_tokens);
}

double DecodeReplica::token_seconds(double z) const {
  const double beside = 1 + in_flight_.mean;
  const auto now = period(beside);
  const double handed_on = load_.sequences_per_s * now.more_s;
  // More come while prompts hold everybody up.
  const double held_up = 1 + std::pow(handed_on / (1 - handed_on), 2);
  const double crowd = beside + z * std::sqrt(2.0 / 3 * held_up * in_flight_.variance);
  const double crowded_s = period(crowd).seconds - now.seconds;
  // A long iteration is followed by long ones: the variance of many is more than so many times
  // one's.
  const double of_many = now.variance * (1 + handed_on) / (1 - handed_on);
  return now.seconds + crowded_s + z * std::sqrt(of_many / (count_ * load_.output_tokens));
}

// Of `n` sequences, or as many as fit; between whole numbers as well.
DecodeReplica::Period DecodeReplica::period(double n) const {
  const double together = std::min<double>(n, most_);
  const double step_s = decode_step_seconds(work_, gpu_, together, context_);
  if (work_.expert_bytes > 0) {
    return between(together, step_s);
  }
  // Prompts of an iteration are those that came during the last, which its prompts prolonged.
  const double rho = load_.sequences_per_s * products_s_;
  const double seconds = step_s / (1 - rho);
  return {seconds, rho * seconds * products_s_ / (1 - rho * rho), products_s_, products_s_};
}

DecodeReplica::Period DecodeReplica::of_experts(double n, double step_s) const {
  auto cost = cost_;
  cost.experts_s =
      (read_weight_bytes(work_, n + load_.computed_tokens()) - read_weight_bytes(work_, n)) /
      weight_bytes_per_s(gpu_);
  const auto joined = joined_prompts(cost, load_.sequences_per_s, step_s);
  return {joined.period_s, joined.variance, cost.seconds(1), joined.more_s};
}

const DecodeReplica::Period& DecodeReplica::seen(std::size_t place) const {
  auto& period = seen_[place];
  if (period.seconds == 0) {
    const double n = std::pow(most_, static_cast<double>(place) / (places - 1.0));
    const double step_s = decode_step_seconds(work_, gpu_, n, context_);
    period = of_experts(n, step_s);
    period.seconds /= step_s;
  }
  return period;
}

// Between those that are seen.
DecodeReplica::Period DecodeReplica::between(double n, double step_s) const {
  const double at = most_ == 1 ? 0 : (places - 1) * std::log(std::max(1.0, n)) / std::log(most_);
  const auto below = std::min<std::size_t>(static_cast<std::size_t>(at), places - 2);
  const auto& low = seen(below);
  const auto& high = seen(below + 1);
  const double share = at - static_cast<double>(below);
  const auto mean = [&](double Period::*which) {
    return (1 - share) * low.*which + share * high.*which;
  };
  return {step_s * mean(&Period::seconds),
          mean(&Period::variance),
          mean(&Period::prompt_s),
          mean(&Period::more_s)};
}

// p(n) / p(n - 1) of one alone.
double DecodeReplica::growth(double n) const {
  return load_.sequences_per_s * load_.output_tokens * period(n).seconds /
         std::min<double>(n, most_);
}

// Up to where nothing is left of the tail; false where that is nowhere.
bool DecodeReplica::fill() {
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
double DecodeReplica::crowding(double period_s) const {
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
QueueMoments DecodeReplica::waiting_beside(int n, double crowd) const {
  const auto now = period(n);
  const double spread = crowd * now.variance;
  // The iteration under way is longer than others: it is likelier to be met.
  const double met_s = now.seconds + spread / now.seconds;
  const double met_variance = spread * (1 + spread / (now.seconds * now.seconds));
  const double met_square = met_variance + met_s * met_s;
  // For its rest, and for the prompts that it let come.
  const double others = crowd * load_.sequences_per_s;
  const double waits = 0.5 + others * now.more_s;
  QueueMoments wait{
      waits * met_s,
      met_square / 12 + others * met_s * now.more_s * now.more_s + waits * waits * met_variance};
  if (n >= most_) {
    wait.mean += (n - most_ + 1) * load_.output_tokens * now.seconds / most_;
  }
  return wait;
}

}  // namespace rightsize
