#include "models/laws/decode_replica.h"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/gamma.hpp>

#include "models/laws/picture_prompts.h"
#include "models/laws/token_pace.h"

namespace rightsize {
namespace {

DecodeLoad share_of(const DecodeReplicas& replicas, DecodeLoad load) {
  load.sequences_per_s /= replicas.count;
  return load;
}

// How much less the number in flight varies of one of `count` replicas in turn than where sequences
// come to it by chance: its arrivals a count-th, and not at all whether one that came is still
// there, which is of the lengths.
double evenness(int count, const DecodeLoad& load) {
  return 1 / (1 - load.outputs().shorter_of_two() * (1 - load.dispersion() / count));
}

// Of those of its burst that come before a sequence, a geometric number, those that its replica has
// in turn; after it as many.
double mates_before(int count, const DecodeLoad& load) {
  const double another = 1 - 1 / load.burst;  // chance that one more comes
  const double to_it = std::pow(another, count);
  return to_it / (1 - to_it);
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
      evenly_(evenness(count_, load)),
      mates_(mates_before(count_, load)),
      context_(mean_context(load)),
      prompts_{load.prompt_cv(), work_.prompt_curve},
      by_length_(prompts_.variance()),
      cost_(cost_of(work_, gpu_, load_)),
      products_s_(cost_.products_s + cost_.reduce_s),
      most_(sequences_that_fit(work_, gpu_, load)) {
  const bool keeps_up = most_ > 0 && load_.sequences_per_s * products_s_ < 1;
  if (keeps_up && work_.expert_bytes > 0) {
    seen_.resize(places);
  }
  steady_ = keeps_up && growth(most_) < 1 && fill();
}

QueueMoments DecodeReplica::waiting() const {
  QueueMoments sum;
  double squares = 0;
  constexpr double iterations = 2;  // its own, and the one before
  const auto usual = period(std::max(1.0, in_flight_.mean));
  const double crowd = crowding(iterations * met(usual, 0).mean);
  for (std::size_t n = 1; n < p_.size(); ++n) {
    const auto of = waiting_beside(static_cast<int>(n), crowd);
    sum.mean += p_[n] * of.mean;
    squares += p_[n] * (of.variance + of.mean * of.mean);
  }
  sum.variance = std::max(0.0, squares - sum.mean * sum.mean);
  // Prompts of its burst, before it and after, are in its iteration.
  sum.mean += 2 * mates_ * usual.more_s;
  sum.variance += 2 * mates_ * (1 + mates_ + by_length_) * usual.more_s * usual.more_s;
  return sum;
}

double DecodeReplica::joined() const {
  return steady_ ? std::min<double>(in_flight_.mean + 1 + 2 * mates_, most_) : most_;
}

double DecodeReplica::own_prompt_s() const {
  return steady_ ? period(joined()).prompt_s : prompt_seconds(work_, gpu_, load_, most_);
}

FirstToken DecodeReplica::first_token() const {
  return {waiting(), own_prompt(), decode_step_seconds(work_, gpu_, joined(), load_.prompt_tokens)};
}

OwnPrompt DecodeReplica::own_prompt() const {
  const double seconds = own_prompt_s();
  const double products_s =
      cost_.products_s + std::max(0.0, 1 - 1 / cost_.engines) * cost_.attention_s;
  const double read_s = seconds - cost_.reduce_s;
  const bool reading = read_s > products_s * (1 + 1e-9);
  return {products_s, cost_.reduce_s, reading ? read_s : 0, prompts_};
}

double DecodeReplica::token_seconds(double z) const {
  // Those of its burst are there as long as they write, which began when it did.
  const double beside = 1 + in_flight_.mean + 2 * mates_ * load_.outputs().shorter_of_two();
  const auto now = period(beside);
  const double handed_on = load_.sequences_per_s * now.more_s;
  // More come while prompts hold everybody up.
  const double held_up = 1 + std::pow(handed_on / (1 - handed_on), 2);
  const double crowd = beside + z * std::sqrt(2.0 / 3 * held_up * in_flight_.variance);
  const double crowded_s = z == 0 ? 0 : (period(crowd).seconds - now.seconds) / z;
  // A long iteration is followed by long ones: the variance of many is more than so many times
  // one's.
  const double of_many = now.variance * (1 + handed_on) / (1 - handed_on);
  // Turns even out when prompts come, not how long they are.
  const double in_turn = (load_.dispersion() / count_ + by_length_) / (1 + 2 * mates_ + by_length_);
  // Each brings those that come while it is computed.
  const double own = crowding(now.prompt_s) * load_.sequences_per_s * now.prompt_s;
  const double brought = now.more_s / (1 - handed_on);
  return TokenPace{.mean_s = now.seconds,
                   .prompts_s = now.seconds - decode_step_seconds(work_, gpu_, beside, context_),
                   .crowd_s = crowded_s,
                   .prompts_s2 = of_many * in_turn / load_.output_tokens,
                   .during_own_s = own * brought,
                   .during_own_s2 = own * brought * brought * (1 + by_length_) / (1 - handed_on),
                   .output_tokens = static_cast<double>(load_.output_tokens),
                   .outputs = load_.outputs()}
      .seconds(z);
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
  return {seconds,
          (1 + 2 * mates_ + by_length_) * rho * seconds * products_s_ / (1 - rho * rho),
          products_s_,
          products_s_};
}

DecodeReplica::Period DecodeReplica::of_experts(double n, double step_s) const {
  auto cost = cost_;
  cost.experts_s =
      (read_weight_bytes(work_, n + load_.computed_tokens()) - read_weight_bytes(work_, n)) /
      weight_bytes_per_s(gpu_);
  const auto joined = joined_prompts(cost, load_.sequences_per_s, step_s, 2 * mates_ + by_length_);
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
  const double midway = std::max(0.0, 1 - 1 / evenly_) / 2;  // of all's steps from n - 1 to n
  const double last = evenly_ * std::log(growth(most_));
  const double negligible = std::log(nothing * -std::expm1(last));
  while (p_.size() < longest) {
    const auto n = static_cast<int>(p_.size());
    p_.push_back(p_.back() + (n < most_ ? evenly_ * std::log(growth(n - midway)) : last));
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

// How many come to the replica within `seconds` of one that does, over what would by chance: every
// count-th of those that come by chance does (Erlang's renewals).
double DecodeReplica::crowding(double seconds) const {
  const double by_chance = load_.sequences_per_s * seconds;
  const double count = count_ / load_.dispersion();  // of bursts, that come by chance
  if (count <= 1 || !(by_chance > 1e-9)) {
    return count <= 1 ? 1 : 0;
  }
  double sum = 0;
  double next = 1;
  for (int k = 1; next > 1e-3 && sum < by_chance; ++k) {
    next = boost::math::gamma_p(k * count, count * by_chance);
    sum += next;
  }
  return std::min(1.0, sum / by_chance);
}

// The iteration under way is longer than others: it is likelier to be met.
QueueMoments DecodeReplica::met(const Period& usual, double crowd) const {
  // Turns do not even out how long prompts are.
  const double spread = (crowd + by_length_) / (1 + by_length_) * usual.variance;
  // Of a gamma distribution, and what long prompts skew it beyond.
  const double handed_on = load_.sequences_per_s * usual.more_s;
  const double skewed = load_.sequences_per_s * std::pow(usual.more_s, 3) * (prompts_.cube() - 1) /
                        (1 - std::pow(handed_on, 3));
  return {usual.seconds + spread / usual.seconds,
          spread * (1 + spread / (usual.seconds * usual.seconds)) + skewed};
}

// Of one that finds n > 0.
QueueMoments DecodeReplica::waiting_beside(int n, double crowd) const {
  const auto now = period(n);
  const auto [met_s, met_variance] = met(now, crowd);
  const double met_square = met_variance + met_s * met_s;
  // For its rest, and for the prompts that it let come.
  const double others = crowd * load_.sequences_per_s;
  const double waits = 0.5 + others * now.more_s;
  QueueMoments wait{waits * met_s,
                    met_square / 12 + others * met_s * (1 + by_length_) * now.more_s * now.more_s +
                        waits * waits * met_variance};
  if (n >= most_) {
    wait.mean += (n - most_ + 1) * load_.output_tokens * now.seconds / most_;
  }
  return wait;
}

}  // namespace rightsize
