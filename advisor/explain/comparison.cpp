#include "advisor/explain/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <tuple>

#include "advisor/explain/asked_ratio.h"
#include "advisor/full_name.h"
#include "advisor/judge/near_ties.h"
#include "advisor/judge/pair_chance.h"
#include "advisor/tokens/token_comparison.h"
#include "kernels/normal_distribution.h"
#include "pricing/hour_price.h"

namespace rightsize {
namespace {

Estimate ratio(const Estimate& first, const Estimate& second, double log_sd) {
  const double value = second.value / first.value;
  const double spread = std::exp(normal_90 * log_sd);
  return {value,
          value / spread,
          value * spread,
          first.confidence,
          "1",
          weaker(first.source, second.source)};
}

using AskedNames = std::array<OfferName, 2>;

// Which side is the better, by name; "" when neither satisfies.
std::string winner(const Comparison& comparison, const Option& a, const Option& b) {
  const bool second = comes_before(comparison.query, b, a);
  const Option& best = second ? b : a;
  return best.satisfies ? side_names(comparison)[second ? 1 : 0] : "";
}

void find_deadlines(const Evidence& evidence, const AskedNames& asked, Comparison& result) {
  const auto& [a, b] = result.sides;
  const auto outcome = [&](double hours) {
    Query query = result.query;
    query.deadline_s = hours * 3600;
    Appraiser appraiser(query, evidence);
    return winner(result, appraiser.appraise(asked[0]).option, appraiser.appraise(asked[1]).option);
  };
  // Below half the faster's lower bound neither can be had; beyond the slower's upper one both.
  const double low = std::min(a.option.hours.low, b.option.hours.low) / 2;
  const double high = std::max(a.option.hours.high, b.option.hours.high) * 2;
  constexpr int steps = 32;
  result.deadline_flips = find_flips(low, high, steps, outcome);
  result.at_any_deadline = outcome(high);
}

// By the load, and by how soon it must be answered.
void find_crossings(const Evidence& evidence, const AskedNames& asked, Comparison& result) {
  const auto outcome_with = [&](double Service::*number, double value) {
    Query query = result.query;
    (*query.service).*number = value;
    Appraiser appraiser(query, evidence);
    const auto option_of = [&](const OfferName& name) -> std::optional<Option> {
      try {
        return appraiser.appraise(name).option;
      } catch (const CannotDoJob&) {
        return std::nullopt;  // it answers that by no number of machines
      }
    };
    const auto first = option_of(asked[0]);
    const auto second = option_of(asked[1]);
    return first && second               ? winner(result, *first, *second)
           : first && first->satisfies   ? side_names(result)[0]
           : second && second->satisfies ? side_names(result)[1]
                                         : "";
  };
  const auto add = [&](const char* what, const char* unit, double Service::*number) {
    constexpr double widest = 20;
    const double now = (*result.query.service).*number;
    const auto outcome = [&](double value) { return outcome_with(number, value); };
    result.crossings.push_back({what,
                                unit,
                                find_flips_around(now, widest, outcome, 1e-3),
                                outcome(now * widest),
                                now / widest,
                                now * widest});
  };
  add("load", "requests/s", &Service::requests_per_s);
  add("latency asked for", "s", &Service::p99_s);
}

// The loser's price at which it would win, or the winner's at which it would lose.
void find_price(const Evidence& evidence, std::size_t side, Comparison& result) {
  const auto& moved = result.sides[side];
  const auto& other = result.sides[1 - side].option;
  const auto names = side_names(result);
  Appraiser appraiser(result.query, evidence);
  const double now = moved.option.price_per_hour.approximate();
  const auto outcome = [&](double price) {
    Offer offer = *moved.candidate.offer;
    set_hour_price(offer, Money(std::llround(price * 1e9), moved.option.price_per_hour.currency()));
    const auto judged = appraiser.appraise(offer);  // a dearer machine may want a faster disk
    if (!judged) {
      return other.satisfies ? names[1 - side] : "";
    }
    return side == 0 ? winner(result, judged->option, other)
                     : winner(result, other, judged->option);
  };
  constexpr double widest = 100;
  const auto flips = find_flips(now / widest, now * widest, 8, outcome);
  for (const auto& flip : flips) {
    if (flip.below == names[side]) {
      result.price_flips.push_back({side, flip.at, moved.option.price_per_hour.currency()});
    }
  }
}

}  // namespace

Ratios ratios_of(const Appraisal& first, const Appraisal& second, bool same_machine) {
  const double sd = ratio_log_sd(first.uncertain, second.uncertain, same_machine);
  const auto& [a, b] = std::tie(first.option, second.option);
  return {ratio(a.throughput, b.throughput, sd),
          ratio(a.hours, b.hours, sd),
          ratio(a.cost, b.cost, sd),
          sd,
          std::nullopt,
          std::nullopt};
}

double chance_of_first(const Ratios& ratios) {
  if (ratios.p_first_cheaper) {
    return *ratios.p_first_cheaper;
  }
  const double difference = std::log(ratios.cost.value);
  return ratios.log_sd > 0 ? normal_cdf(difference / ratios.log_sd) : difference > 0 ? 1.0 : 0.0;
}

std::optional<double> chance_of_first(const Ratios& ratios, const Objective& objective) {
  if (objective.time == 0) {
    return chance_of_first(ratios);
  }
  if (ratios.p_first_cheaper) {
    return std::nullopt;
  }
  // Hours and cost err together, by one factor: of their weighted mean it is the same.
  Ratios scores = ratios;
  scores.cost.value = objective.score(ratios.cost.value, ratios.hours.value);
  return chance_of_first(scores);
}

bool wins_typically(const Query& query, const Option& winner, const Option& loser) {
  return !query.serves() && query.objective == Objective{} && loser.satisfies &&
         winner.cost.value > loser.cost.value && !wins_near_tie(query, winner, loser);
}

std::array<std::string, 2> side_names(const Comparison& comparison) {
  const auto& [first, second] = comparison.sides;
  std::array names = {full_name(first.option), full_name(second.option)};
  if (names[0] != names[1]) {
    return names;
  }
  const auto in_full = [](const Option& option) {
    auto name = name_of(option);
    name.market.reset();
    name.by_month.reset();
    name.place = option.region.empty() ? "" : option.provider + "/" + option.region;
    return with_market(typed(name), option);
  };
  return {in_full(first.option), in_full(second.option)};
}

namespace {

// Of two that are compared one may not do the job at all: what is said then names the other.
std::array<Appraisal, 2> both_of(Appraiser& appraiser, const AskedNames& names) {
  std::array<std::optional<Appraisal>, 2> sides;
  std::array<std::string, 2> said;
  for (std::size_t i = 0; i < names.size(); ++i) {
    try {
      sides[i] = appraiser.appraise(names[i]);
      said[i] = full_name(sides[i]->option) + (sides[i]->option.satisfies
                                                   ? " can, and meets the constraints"
                                                   : " " + sides[i]->option.shortfall);
    } catch (const CannotDoJob& cannot) {
      said[i] = cannot.what();
    }
  }
  if (!sides[0] || !sides[1]) {
    const std::size_t unable = sides[0] ? 1 : 0;
    throw NothingSatisfies(said[unable] + "; " + said[1 - unable]);
  }
  return {*std::move(sides[0]), *std::move(sides[1])};
}

}  // namespace

Comparison compare(const Query& query,
                   const Evidence& evidence,
                   const std::string& first,
                   const std::string& second) {
  // The candidates may borrow a disk of the appraiser's; none of these outlives this function's
  // result but as a value that is no longer asked for its volume.
  Appraiser appraiser(query, evidence);
  AskedNames asked = {read_machine_name(evidence.catalog, first),
                      read_machine_name(evidence.catalog, second)};
  Comparison result;
  result.query = query;
  result.sides = both_of(appraiser, asked);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    auto place = std::move(asked[i].place);
    asked[i] = name_of(result.sides[i].option);  // the very machine, in the place asked for
    asked[i].place = std::move(place);
  }
  result.better = comes_before(query, result.sides[1].option, result.sides[0].option) ? 1 : 0;
  result.ratios = ratios_between({query, result.sides[0]}, {query, result.sides[1]});
  result.p_first_cheaper = chance_of_first(result.ratios);
  result.p_first_better =
      query.serves() ? chance_of_first(result.ratios, query.objective)
                     : 1 - chance_of_beating(result.sides[0].uncertain, result.sides[1].uncertain);
  if (query.tokens) {
    find_token_flips(evidence, result);
  } else {
    query.service ? find_crossings(evidence, asked, result)
                  : find_deadlines(evidence, asked, result);
    for (std::size_t side = 0; side < result.sides.size(); ++side) {
      find_price(evidence, side, result);
    }
  }
  for (auto& side : result.sides) {
    side.candidate.disk.volume = nullptr;
  }
  return result;
}

}  // namespace rightsize
