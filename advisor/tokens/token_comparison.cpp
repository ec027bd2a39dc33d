#include "advisor/tokens/token_comparison.h"

#include <cmath>

#include "advisor/tokens/token_field.h"
#include "pricing/hour_price.h"

namespace rightsize {
namespace {

// Both, in every way to share their GPUs: another load may want another.
std::vector<Candidate> both(const Evidence& evidence, const Comparison& comparison) {
  CandidateMaker maker(comparison.query,
                       evidence.catalog,
                       evidence.gpu_rates,
                       evidence.cpu_speeds,
                       evidence.model.cpu());
  std::vector<Candidate> field;
  Refusal refusal;
  for (const auto& side : comparison.sides) {
    const auto& now = side.candidate;
    for (const auto& way : maker.ways(*now.offer)) {
      if (auto candidate = maker.make(*now.offer, now.disk, way, refusal)) {
        field.push_back(*std::move(candidate));
      }
    }
  }
  return field;
}

// Which of the two is taken, by name.
class Asking {
 public:
  Asking(TokenField& field, const std::vector<Candidate>& candidates, const Comparison& comparison)
      : field_(field),
        candidates_(candidates),
        comparison_(comparison),
        names_(side_names(comparison)) {}

  [[nodiscard]] std::string chosen(const Query& query, const Supposal& supposal) {
    const auto best = field_.best_of(query, supposal);
    if (!best) {
      return "";
    }
    const auto* first = comparison_.sides[0].candidate.offer;
    return names_[candidates_[*best].offer == first ? 0 : 1];
  }

 private:
  TokenField& field_;
  const std::vector<Candidate>& candidates_;
  const Comparison& comparison_;
  std::array<std::string, 2> names_;
};

template <typename Ask>
Crossing crossing(const char* what, const char* unit, double now, const Ask& ask) {
  constexpr double widest = 20;
  return {what,
          unit,
          find_flips_around(now, widest, ask, 1e-3),
          ask(now * widest),
          now / widest,
          now * widest};
}

void find_crossings(const Query& query, Asking& asking, Comparison& comparison) {
  const auto& tokens = *query.tokens;
  comparison.crossings.push_back(
      crossing("load", "sequences/s", tokens.sequences_per_s, [&](double sequences_per_s) {
        Query other = query;
        other.tokens->sequences_per_s = sequences_per_s;
        return asking.chosen(other, {});
      }));
  const auto add_limit = [&](const char* what, double DecodeLimits::*limit) {
    comparison.crossings.push_back(crossing(what, "s", tokens.limits.*limit, [&](double seconds) {
      Query other = query;
      other.tokens->limits.*limit = seconds;
      return asking.chosen(other, {});
    }));
  };
  if (std::isfinite(tokens.limits.first_token_s)) {
    add_limit("first token asked for", &DecodeLimits::first_token_s);
  }
  if (std::isfinite(tokens.limits.token_s) && tokens.output_tokens > 1) {
    add_limit("pace of tokens asked for", &DecodeLimits::token_s);
  }
}

// The loser's price at which it would win, or the winner's at which it would lose.
void find_prices(Asking& asking, std::size_t side, Comparison& comparison) {
  const auto& moved = comparison.sides[side];
  const auto& money = moved.option.price_per_hour;
  const auto& asked = comparison.query;
  const auto outcome = [&](double price) {
    Offer offer = *moved.candidate.offer;
    set_hour_price(offer, Money(std::llround(price * 1e9), money.currency()));
    return asking.chosen(asked,
                         {[&](const Candidate& c) { return c.offer == moved.candidate.offer; },
                          [&](Candidate& c) { c.offer = &offer; },
                          0});
  };
  constexpr double widest = 100;
  const double now = money.approximate();
  for (const auto& flip : find_flips(now / widest, now * widest, 8, outcome)) {
    if (flip.below == side_names(comparison)[side]) {
      comparison.price_flips.push_back({side, flip.at, money.currency()});
    }
  }
}

}  // namespace

void find_token_flips(const Evidence& evidence, Comparison& comparison) {
  const auto candidates = both(evidence, comparison);
  const auto& query = comparison.query;
  TokenField field(query, evidence, candidates);
  Asking asking(field, candidates, comparison);
  find_crossings(query, asking, comparison);
  for (std::size_t side = 0; side < comparison.sides.size(); ++side) {
    find_prices(asking, side, comparison);
  }
}

}  // namespace rightsize
