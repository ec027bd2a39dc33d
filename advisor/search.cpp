#include "advisor/search.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "advisor/candidate/candidate.h"
#include "advisor/candidate/constraint.h"
#include "advisor/candidate/no_disk.h"
#include "advisor/candidate/scope.h"
#include "advisor/candidate/shape.h"
#include "advisor/judge/judge.h"
#include "advisor/judge/near_ties.h"
#include "advisor/judge/rank_chances.h"
#include "advisor/judge/standing_order.h"
#include "advisor/premises.h"
#include "advisor/rejections.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// Machines that stay, and machines that are taken away: what a job does on them differs.
constexpr std::size_t kind_of(const Offer& offer) {
  return offer.market == Market::spot ? 1 : 0;
}

using Refusals = std::array<Refusal, 2>;  // by kind of market

// A candidate of one shape with what it would do to the job, by kind of market.
struct Choice {
  Candidate candidate;
  std::array<std::optional<Outlook>, 2> outlooks;
};

// An offer with the best that it can do.
struct Placed {
  const Offer* offer = nullptr;
  const Choice* choice = nullptr;
  Standing standing;

  [[nodiscard]] const Outlook& outlook() const { return *choice->outlooks[kind_of(*offer)]; }
};

class Search {
 public:
  Search(const Query& query, const Evidence& evidence, const SearchOptions& options)
      : query_(query),
        evidence_(evidence),
        options_(options),
        constraints_(query),
        maker_(
            query, evidence.catalog, evidence.gpu_rates, evidence.cpu_speeds, evidence.model.cpu()),
        judge_(query, evidence) {}

  Recommendation run() {
    const auto shapes = shapes_in_scope(evidence_.catalog.offers(), constraints_);
    if (shapes.empty()) {
      throw UsageError(nothing_in_scope(query_, evidence_.catalog));
    }
    for (const auto& shape : shapes) {
      consider(shape);
    }
    return conclude();
  }

 private:
  void consider(const Shape& shape) {
    if (const auto refusal = constraints_.refusal_of(shape.machine())) {
      for (const Offer* offer : shape.offers) {
        rejections_.add(*refusal, *offer);
      }
      return;
    }
    Refusals refusals;
    auto choices = choices_of(shape, refusals);
    // Where each choice lies: here, and from the first offer that takes it on among choices_. They
    // were judged from the last to the first, and of equals the first that is named is taken.
    std::vector<Choice*> at(choices.size());
    std::transform(choices.rbegin(), choices.rend(), at.begin(), [](Choice& c) { return &c; });
    std::vector<bool> kept(choices.size());
    for (const Offer* offer : shape.offers) {
      Standing standing;
      const auto which = best_of(at, *offer, standing);
      if (!which) {
        rejections_.add(refusals[kind_of(*offer)], *offer);
        continue;
      }
      if (!kept[*which]) {
        at[*which] = &choices_.emplace_back(std::move(*at[*which]));
        kept[*which] = true;
      }
      place({offer, at[*which], standing});
    }
  }

  // Of what the offer can do the best, with its standing; nullopt where it can do nothing.
  std::optional<std::size_t> best_of(const std::vector<Choice*>& choices,
                                     const Offer& offer,
                                     Standing& best) const {
    std::optional<std::size_t> which;
    const auto& rule = judge_.rule_of(offer);
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (const auto& outlook = choices[i]->outlooks[kind_of(offer)]) {
        const auto standing = judge_.standing(choices[i]->candidate, *outlook, offer, rule);
        if (!which || better_way(standing, best)) {
          best = standing;
          which = i;
        }
      }
    }
    return which;
  }

  // Every disk, batch and number of nodes of the shape that can do the job, and why the others
  // cannot.
  std::vector<Choice> choices_of(const Shape& shape, Refusals& refusals) {
    Refusal refusal{std::string(no_disk_is_large_enough)};
    auto candidates = maker_.all(shape.machine(), refusal);
    candidates_ += candidates.tried * shape.offers.size();
    refusals.fill(refusal);
    const bool taken_away = std::any_of(
        shape.offers.begin(), shape.offers.end(), [](const Offer* o) { return kind_of(*o) == 1; });
    return judged(candidates.made, taken_away, refusals);
  }

  // From the last way to the first, and so they lie: the largest minibatch mostly takes the fewest
  // machines.
  std::vector<Choice> judged(std::vector<Candidate>& made, bool taken_away, Refusals& refusals) {
    std::vector<Choice> choices;
    choices.reserve(made.size());
    int most = std::numeric_limits<int>::max();
    std::array<bool, 2> told{};
    const auto tell = [&](std::size_t kind, const Refusal& why) {
      if (!told[kind] && !why.reason.empty()) {
        refusals[kind] = why;
        told[kind] = true;
      }
    };
    for (auto candidate = made.rbegin(); candidate != made.rend(); ++candidate) {
      Refusal why;
      auto outlook = judge_.outlook(*candidate, why, most);
      if (!outlook) {
        tell(0, why);
        tell(1, why);
        continue;
      }
      if (fewest_machines_win() && judge_.is_in_time(*outlook)) {
        most = std::min(most, outlook->nodes);
      }
      Choice& choice = choices.emplace_back(std::move(*candidate));
      choice.candidate.minibatches = {};  // the outlook has their times, and thousands are kept
      if (taken_away) {
        choice.outlooks[1] = judge_.interrupted(choice.candidate, *outlook, why);
        tell(1, why);
      }
      choice.outlooks[0] = std::move(outlook);
    }
    return choices;
  }

  // Of ways of one machine that are in time: a service reads nothing, so they differ in their
  // minibatches alone, and what takes more machines costs more.
  [[nodiscard]] bool fewest_machines_win() const {
    return query_.service && !query_.service->machines && !query_.budget &&
           query_.objective == Objective{};
  }

  void place(const Placed& placed) {
    if (placed.standing.satisfies) {
      passed_.push_back(placed);
      return;
    }
    rejections_.add(
        {judge_.shortfall(
            placed.choice->candidate, placed.outlook(), placed.standing, *placed.offer)},
        *placed.offer);
    missed_.push_back(placed);
  }

  // One option per provider, instance, CPU, market and whether by the month: its best region. The
  // rest stay countable.
  static std::vector<Placed> best_regions(std::vector<Placed> all) {
    std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
      // The catalogue's order among equals.
      return better(a.standing, b.standing) ||
             (!better(b.standing, a.standing) && a.offer < b.offer);
    });
    std::set<std::tuple<std::string_view, std::string_view, std::string_view, Market, bool>> seen;
    std::vector<Placed> kept;
    for (const auto& placed : all) {
      const auto& offer = *placed.offer;
      if (seen.emplace(offer.provider, offer.instance, offer.cpu, offer.market, is_monthly(offer))
              .second) {
        kept.push_back(placed);
      }
    }
    return kept;
  }

  // The best of each machine, the best first.
  [[nodiscard]] std::vector<Placed> ranked_machines() {
    auto ranked = best_regions(std::move(passed_));
    if (knows_near_ties(query_)) {
      order_near_ties(ranked, [](const Placed& placed) {
        return NearTie(placed.choice->candidate, placed.standing);
      });
    }
    return ranked;
  }

  // Whatever their chances: no bill is known to so little.
  [[nodiscard]] bool costs_as_much(const Placed& a, const Placed& b) const {
    const auto [least, most] = std::minmax(a.standing.score, b.standing.score);
    return knows_near_ties(query_) && most <= (1 + same_cost) * least;
  }

  [[nodiscard]] Option option_of(const Placed& placed) const {
    return judge_.option(
        placed.choice->candidate, placed.outlook(), placed.standing, *placed.offer);
  }

  [[nodiscard]] RankChances chances_of(const std::vector<Placed>& ranked) const {
    std::vector<Ranked> options;
    options.reserve(ranked.size());
    for (const auto& placed : ranked) {
      const auto& outlook = placed.outlook();
      options.push_back(
          {judge_.uncertain(placed.choice->candidate, outlook, placed.standing, *placed.offer),
           &outlook});
    }
    return {query_, std::move(options)};
  }

  Recommendation conclude() {
    Recommendation answer;
    answer.query = query_;
    answer.candidates = candidates_;
    answer.rejected = rejections_.sorted();
    answer.options_total = passed_.size();
    const auto ranked = ranked_machines();
    answer.options_ranked = ranked.size();
    auto chances = chances_of(ranked);
    const auto cheapest = chances.cheapest(options_.draws, options_.seed);
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      // What the user owns and asked about has a place, wherever it ranks.
      if (i >= options_.max_options && ranked[i].offer->book != own_book) {
        continue;
      }
      if (i > 0 && (chances.ties_with_first(i) || costs_as_much(ranked.front(), ranked[i]))) {
        answer.ties.push_back(answer.options.size());
      }
      answer.options.push_back(option_of(ranked[i]));
      answer.options.back().rank = i + 1;
      answer.options.back().p_cheapest = cheapest[i];
    }
    if (!answer.options.empty()) {
      answer.chosen = answer.options.front();
    } else {
      add_nearest_misses(answer);
    }
    add_premises(evidence_, answer.chosen ? ranked.front().offer : nullptr, answer);
    return answer;
  }

  // Nothing satisfies: show what comes closest, marked as such.
  void add_nearest_misses(Recommendation& answer) {
    std::stable_sort(missed_.begin(), missed_.end(), [](const auto& a, const auto& b) {
      return better(a.standing, b.standing);
    });
    std::set<std::string> seen;
    for (const auto& placed : missed_) {
      if (answer.options.size() < 3 &&
          seen.insert(placed.offer->provider + placed.offer->instance + placed.offer->cpu).second) {
        answer.options.push_back(option_of(placed));
      }
    }
  }

  const Query& query_;
  const Evidence& evidence_;
  const SearchOptions& options_;
  OfferConstraints constraints_;
  CandidateMaker maker_;
  Judge judge_;
  Rejections rejections_;
  std::deque<Choice> choices_;  // of those placed; stay where they are
  std::vector<Placed> passed_;
  std::vector<Placed> missed_;
  std::size_t candidates_ = 0;
};

}  // namespace

Recommendation search(const Query& query, const Evidence& evidence, const SearchOptions& options) {
  return Search(query, evidence, options).run();
}

}  // namespace rightsize
