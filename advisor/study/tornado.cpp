#include "advisor/study/tornado.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>

#include <fmt/format.h>

#include "advisor/full_name.h"

namespace rightsize {
namespace {

// Nobody publishes how wrong a price or a data set's size is: what one may want to suppose.
constexpr double supposed_factor = 1.1;

enum class Ends { interval, supposed };  // what its ends are

class Mover {
 public:
  Mover(const Query& query, const Evidence& evidence, const Appraisal& appraisal)
      : query_(query), evidence_(evidence), appraisal_(appraisal) {}

  // The cost when `move` has changed the candidate; nothing where it cannot be judged.
  [[nodiscard]] std::optional<double> cost(Ends ends,
                                           const std::function<void(Candidate&)>& move) const {
    Candidate candidate = appraisal_.candidate;
    move(candidate);
    Refusal refusal;
    const auto query = ends == Ends::interval ? without_margin(candidate) : query_;
    if (!query) {
      return std::nullopt;
    }
    Judge judge(*query, evidence_);
    const auto judged = judge.judge(candidate, refusal);
    return judged ? std::optional(judged->option.cost.value) : std::nullopt;
  }

  [[nodiscard]] const Appraisal& appraisal() const { return appraisal_; }

 private:
  // A fleet is rented with a margin for all that is uncertain. At the end of an interval that has
  // happened which the margin is for: there the fleet is as large as it then has to be, as it is at
  // the ends of the interval of its cost.
  [[nodiscard]] std::optional<Query> without_margin(const Candidate& candidate) const {
    Query query = query_;
    if (query.tokens && !query.tokens->machines) {
      query.tokens->machines = token_machines_needed(*query.tokens, *candidate.tokens, 1);
      return *query.tokens->machines > 0 ? std::optional(query) : std::nullopt;
    }
    if (query.service && !query.service->machines) {
      Refusal refusal;
      const auto server = Judge(query_, evidence_).server(candidate, refusal);
      query.service->machines = server ? machines_needed(*query.service, *server, 1) : 0;
      return *query.service->machines > 0 ? std::optional(query) : std::nullopt;
    }
    return query;
  }

  const Query& query_;
  const Evidence& evidence_;
  const Appraisal& appraisal_;
};

using Move = std::function<void(Candidate&, double factor)>;

// What the answer rests on, and how far each may be off.
struct Input {
  std::string what;
  double spread = 1;
  std::string range;
  Move move;
  Ends ends = Ends::interval;
  std::string_view flips_of = {};  // the sensitivity that knows where the answer changes
};

// What is taken beyond a flip, seen from the option. One that stands where it flips, to rounding,
// has itself on one side.
const std::string& taken_beyond(const Flip& flip, double factor, const std::string& option) {
  return flip.below == option   ? flip.above
         : flip.above == option ? flip.below
         : factor < 1           ? flip.below
                                : flip.above;
}

std::optional<Swing> swing(const Mover& mover, const Input& input, const Sensitivity* known) {
  const auto at = [&](double factor) {
    return mover.cost(input.ends, [&](Candidate& candidate) { input.move(candidate, factor); });
  };
  const auto low = at(1 / input.spread);
  const auto high = at(input.spread);
  if (!low || !high || std::abs(*high - *low) < 1e-3 * mover.appraisal().option.cost.value) {
    return std::nullopt;
  }
  Swing result{input.what, 1 / input.spread, input.spread, input.range, *low, *high, {}};
  for (const auto& flip : known == nullptr ? std::vector<Flip>{} : known->flips) {
    const double factor = flip.at / known->now.value_or(1);
    if (const auto cost = at(factor)) {
      const auto option = full_name(mover.appraisal().option);
      result.flips.push_back({factor, *cost, taken_beyond(flip, factor, option)});
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

// The model's own error is not an input of the candidate: it scales a job's time, which moves what
// the bill has by the time, and a service's by whole machines, as both speeds together do.
std::optional<Swing> model_swing(const Query& query,
                                 const Evidence& evidence,
                                 const Appraisal& appraisal) {
  const double spread = spread_of(std::abs(appraisal.prediction.model_sd));
  const auto& option = appraisal.option;
  const Judge judge(query, evidence);
  Outlook machines;
  machines.nodes = option.nodes;
  const auto bill = judge.bill_of(appraisal.candidate, machines, *appraisal.candidate.offer);
  const double slow = bill(option.hours.value * spread);
  const double fast = bill(option.hours.value / spread);
  if (std::isinf(slow) || slow - fast < 1e-3 * option.cost.value) {
    return std::nullopt;
  }
  return Swing{"throughput by the model",
               1 / spread,
               spread,
               interval_words(Source::fitted),
               slow,
               fast,
               {}};
}

// A price is its offer's: `offers` keeps those of other prices while candidates point to them.
Move price_move(std::deque<Offer>& offers) {
  return [&offers](Candidate& candidate, double factor) {
    offers.push_back(*candidate.offer);
    offers.back().parts.clear();  // of another price
    auto& price = offers.back().price_per_hour;
    price = Money(std::llround(price.approximate() * factor * 1e9), price.currency());
    candidate.offer = &offers.back();
  };
}

std::vector<Input> inputs_of(const Appraisal& appraisal, std::deque<Offer>& offers) {
  const auto& candidate = appraisal.candidate;
  const auto& unsure = candidate.uncertainty;
  return {
      {"speed of the " + appraisal.option.gpu,
       spread_of(unsure.accelerator),
       interval_words(candidate.rate_source),
       [](Candidate& c, double f) { c.scale_gpu(f); },
       Ends::interval,
       "speed of"},
      {"speed of its CPUs",
       spread_of(unsure.cpu_speed),
       interval_words(candidate.cpu_source),
       [](Candidate& c, double f) { c.scale_cpu(f); }},
      {"speed of the disk",
       spread_of(unsure.disk),
       interval_words(candidate.disk.source),
       [](Candidate& c, double f) { c.setting.disk.bytes_per_s *= f; }},
      {"price per hour", supposed_factor, "assumed", price_move(offers), Ends::supposed, "price"},
      {"bytes of the data set",
       supposed_factor,
       "assumed",
       [](Candidate& c, double f) {
         c.setting.dataset_bytes =
             static_cast<std::uint64_t>(static_cast<double>(c.setting.dataset_bytes) * f);
       },
       Ends::supposed}};
}

Input model_input(const Appraisal& appraisal) {
  return {"throughput by the model",
          spread_of(std::abs(appraisal.prediction.model_sd)),
          interval_words(Source::fitted),
          [](Candidate& c, double f) {
            c.scale_gpu(f);
            c.scale_cpu(f);
          }};
}

const Sensitivity* sensitivity_of(const std::vector<Sensitivity>& all, std::string_view start) {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const auto& row) { return row.what.starts_with(start); });
  return start.empty() || found == all.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Swing> swings(const Query& query,
                          const Evidence& evidence,
                          const Appraisal& appraisal,
                          const std::vector<Sensitivity>& sensitivities) {
  const Mover mover(query, evidence, appraisal);
  std::deque<Offer> offers;
  auto inputs = inputs_of(appraisal, offers);
  if (query.service) {
    inputs.push_back(model_input(appraisal));
  }
  std::vector<Swing> all;
  for (const auto& input : inputs) {
    const auto* known = sensitivity_of(sensitivities, input.flips_of);
    if (auto found = swing(mover, input, known)) {
      all.push_back(*std::move(found));
    }
  }
  if (auto model = query.serves() ? std::nullopt : model_swing(query, evidence, appraisal)) {
    all.push_back(*std::move(model));
  }
  std::stable_sort(all.begin(), all.end(), [](const Swing& a, const Swing& b) {
    return std::abs(a.cost_at_high - a.cost_at_low) > std::abs(b.cost_at_high - b.cost_at_low);
  });
  return all;
}

}  // namespace rightsize
