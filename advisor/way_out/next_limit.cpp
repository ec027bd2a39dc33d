#include "advisor/way_out/next_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate/constraint.h"
#include "advisor/candidate/shape.h"
#include "advisor/judge/judge.h"
#include "advisor/judge/mishap.h"

namespace rightsize {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// What one candidate at one offer has to be given to be in time and affordable with the wanted
// confidence.
struct Needed {
  const Offer* offer = nullptr;
  double seconds = 0;
  double money = 0;  // in the query's currency
};

bool is_spot(const Offer* offer) {
  return offer->market == Market::spot;
}

class Needs {
 public:
  Needs(const Evidence& evidence, const Query& query)
      : query_(query),
        judge_(query, evidence),
        maker_(
            query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu()),
        deviations_(deviations_at(query.confidence)) {}

  // Of every candidate that the search looks at, or of those with that GPU.
  std::vector<Needed> of(const Catalog& catalog, std::string_view gpu = {}) {
    const OfferConstraints constraints(query_);
    Refusal refusal;
    for (const auto& shape : shapes_in_scope(catalog.offers(), constraints)) {
      if (constraints.refusal_of(shape.machine()) || (!gpu.empty() && shape.machine().gpu != gpu)) {
        continue;
      }
      for (const auto& candidate : maker_.all(shape.machine(), refusal).made) {
        add(shape, candidate);
      }
    }
    return std::move(needs_);
  }

 private:
  void add(const Shape& shape, const Candidate& candidate) {
    Refusal refusal;
    const auto stays = judge_.outlook(candidate, refusal);
    if (!stays) {
      return;
    }
    const bool any_spot = std::any_of(shape.offers.begin(), shape.offers.end(), is_spot);
    const auto taken_away =
        any_spot ? judge_.interrupted(candidate, *stays, refusal) : std::nullopt;
    const auto& rule = judge_.rule_of(shape.machine());
    for (const Offer* offer : shape.offers) {
      if (const auto& outlook = is_spot(offer) ? taken_away : stays) {
        add(candidate, *outlook, *offer, rule);
      }
    }
  }

  // By the rule of Judge::standing, turned round.
  void add(const Candidate& candidate,
           const Outlook& outlook,
           const Offer& offer,
           const BillingRule& rule) {
    if (!query_.serves()) {
      const double hours = outlook.hours_at(deviations_);
      needs_.push_back({&offer, 3600 * hours, judge_.bill_of(candidate, outlook, offer)(hours)});
    } else if (judge_.is_in_time(outlook)) {
      needs_.push_back({&offer, 0, judge_.standing(candidate, outlook, offer, rule).cost});
    }
  }

  const Query& query_;
  Judge judge_;
  CandidateMaker maker_;
  double deviations_;
  std::vector<Needed> needs_;
};

// The one that takes least of `what` among those that keep to both limits; nullptr: none does.
const Needed* least(const std::vector<Needed>& needs,
                    double Needed::*what,
                    double seconds,
                    double money) {
  const Needed* best = nullptr;
  for (const auto& need : needs) {
    if (need.seconds <= seconds && need.money <= money &&
        (best == nullptr || need.*what < best->*what)) {
      best = &need;
    }
  }
  return best;
}

// Three digits at most, upwards: what is named has to be enough, the last digits of a double too.
double rounded_up(double value, double finest) {
  const double unit = std::max(finest, std::pow(10, std::floor(std::log10(value)) - 2));
  return std::ceil(value * (1 + 1e-9) / unit) * unit;
}

struct Rounded {
  double value = 0;  // seconds, or money
  std::string words;
};

Rounded deadline_for(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
    double finest;
    double until;
  };
  constexpr std::array<Unit, 3> units{
      {{1, "s", 1, 120}, {60, "m", 1, 7200}, {3600, "h", 0.01, unlimited}}};
  const auto& unit = *std::find_if(
      units.begin(), units.end(), [&](const Unit& one) { return seconds < one.until; });
  const double value = rounded_up(seconds / unit.seconds, unit.finest);
  return {value * unit.seconds, fmt::format("--deadline {:.6g}{}", value, unit.name)};
}

Rounded budget_for(double money) {
  constexpr double cent = 0.01;
  const double value = rounded_up(money, cent);
  return {value, fmt::format("--budget {:.{}f}", value, value < 100 ? 2 : 0)};
}

std::string at(const Needed& need) {
  return fmt::format(" ({}/{})", need.offer->provider, need.offer->instance);
}

// Each limit moved alone, or, where neither is enough, both.
std::vector<std::string> ways(const std::vector<Needed>& needs, const Query& query) {
  const double deadline = query.deadline_s.value_or(unlimited);
  const double budget = query.budget ? query.budget->approximate() : unlimited;
  std::vector<std::string> found;
  if (query.deadline_s) {
    if (const auto* need = least(needs, &Needed::seconds, unlimited, budget)) {
      found.push_back(deadline_for(need->seconds).words + at(*need));
    }
  }
  if (query.budget) {
    if (const auto* need = least(needs, &Needed::money, deadline, unlimited)) {
      found.push_back(budget_for(need->money).words + at(*need));
    }
  }
  const auto* soonest = least(needs, &Needed::seconds, unlimited, unlimited);
  if (found.empty() && soonest != nullptr) {
    const auto later = deadline_for(soonest->seconds);
    const auto* need = least(needs, &Needed::money, later.value, unlimited);
    found.push_back(later.words + " " + budget_for(need->money).words + at(*need));
  }
  return found;
}

bool met(const std::vector<Needed>& needs, const Query& query) {
  const double deadline = query.deadline_s.value_or(unlimited);
  const double budget = query.budget ? query.budget->approximate() : unlimited;
  return least(needs, &Needed::money, deadline, budget) != nullptr;
}

std::string limits_of(const Query& query) {
  return query.deadline_s && query.budget ? "the deadline and the budget"
         : query.deadline_s               ? "the deadline"
         : query.serves()                 ? "the budget, a month's,"
                                          : "the budget";
}

}  // namespace

std::optional<std::vector<std::string>> limits_to_move(const Evidence& evidence,
                                                       const Query& query,
                                                       std::string_view gpu) {
  const auto needs = Needs(evidence, query).of(evidence.catalog, gpu);
  if (needs.empty()) {
    return std::nullopt;
  }
  return met(needs, query) ? std::vector<std::string>{} : ways(needs, query);
}

void add_limit_step(const Evidence& evidence, const Query& query, std::vector<std::string>& steps) {
  if (!query.deadline_s && !query.budget) {
    return;
  }
  const auto found = ways(Needs(evidence, query).of(evidence.catalog), query);
  if (!found.empty()) {
    steps.push_back(fmt::format("no offer meets {} with {:.4g} % confidence; one does with {}",
                                limits_of(query),
                                100 * query.confidence,
                                fmt::join(found, ", or one with ")));
  }
}

}  // namespace rightsize
