#include "advisor/tornado.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

#include <fmt/format.h>

namespace rightsize {
namespace {

// Nobody publishes how wrong a price or a data set's size is: what one may want to suppose.
constexpr double supposed = 1.1;

class Mover {
 public:
  Mover(const Query& query, const Evidence& evidence, const Appraisal& appraisal)
      : query_(query), evidence_(evidence), appraisal_(appraisal) {}

  // The cost when `move` has changed the candidate; nothing where it cannot be judged.
  [[nodiscard]] std::optional<double> cost(const std::function<void(Candidate&)>& move) const {
    Candidate candidate = appraisal_.candidate;
    move(candidate);
    std::string reason;
    Judge judge(query_, evidence_);
    const auto judged = judge.judge(candidate, reason);
    return judged ? std::optional(judged->option.cost.value) : std::nullopt;
  }

  [[nodiscard]] const Appraisal& appraisal() const { return appraisal_; }

 private:
  const Query& query_;
  const Evidence& evidence_;
  const Appraisal& appraisal_;
};

using Move = std::function<void(Candidate&, double factor)>;

std::optional<Swing> swing(const Mover& mover,
                           const std::string& input,
                           double spread,
                           const std::string& range,
                           const Move& move,
                           const Sensitivity* known) {
  const auto at = [&](double factor) {
    return mover.cost([&](Candidate& candidate) { move(candidate, factor); });
  };
  const auto low = at(1 / spread);
  const auto high = at(spread);
  if (!low || !high || std::abs(*high - *low) < 1e-3 * mover.appraisal().option.cost.value) {
    return std::nullopt;
  }
  Swing result{input, 1 / spread, spread, range, *low, *high, {}};
  for (const auto& flip : known == nullptr ? std::vector<Flip>{} : known->flips) {
    const double factor = flip.at / known->now.value_or(1);
    if (const auto cost = at(factor)) {
      result.flips.push_back({factor, *cost, factor < 1 ? flip.below : flip.above});
    }
  }
  return result;
}

double spread_of(double log_sd) {
  return std::exp(normal_90 * log_sd);
}

std::string interval_words(Source source) {
  return fmt::format("90% interval, {}", to_string(source));
}

// The model's own error is not an input of the candidate: it scales a job's cost as it scales time,
// and a service's by whole machines, as both speeds together do.
std::optional<Swing> model_swing(const Appraisal& appraisal) {
  const double spread = spread_of(std::abs(appraisal.prediction.model_sd));
  if (spread < 1.001) {
    return std::nullopt;
  }
  const double cost = appraisal.option.cost.value;
  return Swing{"throughput by the model",
               1 / spread,
               spread,
               interval_words(Source::fitted),
               cost * spread,
               cost / spread,
               {}};
}

}  // namespace

std::vector<Swing> swings(const Query& query,
                          const Evidence& evidence,
                          const Appraisal& appraisal,
                          const std::vector<Sensitivity>& sensitivities) {
  const Mover mover(query, evidence, appraisal);
  const auto& candidate = appraisal.candidate;
  const auto& unsure = candidate.uncertainty;
  const auto known = [&](std::string_view start) -> const Sensitivity* {
    const auto found = std::find_if(sensitivities.begin(),
                                    sensitivities.end(),
                                    [&](const auto& row) { return row.what.starts_with(start); });
    return found == sensitivities.end() ? nullptr : &*found;
  };
  std::deque<Offer> offers;  // stays where it is while candidates point into it
  const std::optional<Swing> found[] = {
      swing(
          mover,
          "speed of the " + appraisal.option.gpu,
          spread_of(unsure.accelerator),
          interval_words(candidate.rate_source),
          [](Candidate& c, double f) { c.scale_gpu(f); },
          known("speed of")),
      swing(
          mover,
          "speed of its CPUs",
          spread_of(unsure.cpu_speed),
          interval_words(candidate.cpu_source),
          [](Candidate& c, double f) { c.scale_cpu(f); },
          nullptr),
      swing(
          mover,
          "speed of the disk",
          spread_of(unsure.disk),
          interval_words(candidate.disk.source),
          [](Candidate& c, double f) { c.setting.disk.bytes_per_s *= f; },
          nullptr),
      swing(
          mover,
          "price per hour",
          supposed,
          "assumed",
          [&](Candidate& c, double f) {
            offers.push_back(*c.offer);
            offers.back().parts.clear();  // of another price
            auto& price = offers.back().price_per_hour;
            price = Money(std::llround(price.approximate() * f * 1e9), price.currency());
            c.offer = &offers.back();
          },
          known("price")),
      swing(
          mover,
          "bytes of the data set",
          supposed,
          "assumed",
          [](Candidate& c, double f) {
            c.setting.dataset_bytes =
                static_cast<std::uint64_t>(static_cast<double>(c.setting.dataset_bytes) * f);
          },
          nullptr),
      query.service ? swing(
                          mover,
                          "throughput by the model",
                          spread_of(std::abs(appraisal.prediction.model_sd)),
                          interval_words(Source::fitted),
                          [](Candidate& c, double f) {
                            c.scale_gpu(f);
                            c.scale_cpu(f);
                          },
                          nullptr)
                    : model_swing(appraisal)};
  std::vector<Swing> all;
  for (const auto& one : found) {
    if (one) {
      all.push_back(*one);
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Swing& a, const Swing& b) {
    return std::abs(a.cost_at_high - a.cost_at_low) > std::abs(b.cost_at_high - b.cost_at_low);
  });
  return all;
}

}  // namespace rightsize
