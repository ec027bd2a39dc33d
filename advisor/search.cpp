#include "advisor/search.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/candidate.h"
#include "advisor/chance.h"
#include "advisor/constraint.h"
#include "advisor/judge.h"
#include "advisor/premises.h"
#include "advisor/rejections.h"

namespace rightsize {
namespace {

class Search {
 public:
  Search(const Query& query, const Evidence& evidence, const SearchOptions& options)
      : query_(query),
        evidence_(evidence),
        options_(options),
        constraints_(query),
        maker_(query,
               evidence.catalog,
               evidence.gpu_rates,
               evidence.cpu_speeds,
               evidence.model.cpu_model),
        judge_(query, evidence) {}

  Recommendation run() {
    for (const auto& offer : evidence_.catalog.offers()) {
      if (constraints_.in_scope(offer)) {
        consider(offer);
      }
    }
    if (in_scope_ == 0) {
      throw UsageError(nothing_in_scope());
    }
    return conclude();
  }

 private:
  // No offer of that place, market and book at all: a typing mistake rather than an answer.
  [[nodiscard]] std::string nothing_in_scope() const {
    std::set<std::string> books;
    std::set<std::string> providers;
    for (const auto& offer : evidence_.catalog.offers()) {
      books.insert(offer.book);
      providers.insert(offer.provider);
    }
    return fmt::format(
        "no offer matches the place, market and book asked for.\n       books: {}; providers: {}",
        fmt::join(books, ", "),
        fmt::join(providers, ", "));
  }

  void consider(const Offer& offer) {
    ++in_scope_;
    if (const auto reason = constraints_.reason_against(offer)) {
      rejections_.add(*reason, offer);
      return;
    }
    std::optional<Judged> best;
    std::string reason = "no disk on offer is large enough for the data set";
    for (const auto& disk : maker_.disks(offer)) {
      for (const int batch : query_.batches) {
        ++candidates_;
        const auto candidate = maker_.make(offer, disk, batch, reason);
        if (!candidate) {
          continue;
        }
        auto judged = judge_.judge(*candidate, reason);
        if (judged && (!best || better(judged->option, best->option))) {
          best = std::move(judged);
        }
      }
    }
    if (!best) {
      rejections_.add(reason, offer);
    } else if (!best->option.satisfies) {
      rejections_.add(best->option.shortfall, offer);
      missed_.push_back(std::move(*best));
    } else {
      passed_.push_back(std::move(*best));
    }
  }

  // One option per provider, instance and market: its best region. The rest stay countable.
  static std::vector<Judged> best_regions(std::vector<Judged> all) {
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
      return a.option.score < b.option.score;
    });
    std::set<std::string> seen;
    std::vector<Judged> kept;
    for (auto& judged : all) {
      const auto& option = judged.option;
      if (seen.insert(option.provider + "/" + option.instance + "/" +
                      std::string(to_string(option.market)))
              .second) {
        kept.push_back(std::move(judged));
      }
    }
    return kept;
  }

  Recommendation conclude() {
    Recommendation answer;
    answer.query = query_;
    answer.candidates = candidates_;
    answer.rejected = rejections_.sorted();
    answer.options_total = passed_.size();
    auto ranked = best_regions(std::move(passed_));
    std::vector<UncertainCost> costs;
    for (const auto& judged : ranked) {
      costs.push_back(judged.uncertain);
    }
    const auto chances = draw_chances(costs, options_.draws, options_.seed);
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      // What the user owns and asked about has a place, wherever it ranks.
      if (i >= options_.max_options && !ranked[i].option.own) {
        continue;
      }
      ranked[i].option.rank = i + 1;
      ranked[i].option.p_cheapest = chances.cheapest[i];
      if (i > 0 && chances.beats_first[i] >= 0.3) {
        answer.ties.push_back(answer.options.size());
      }
      judge_.itemise(ranked[i]);
      answer.options.push_back(std::move(ranked[i].option));
    }
    if (!answer.options.empty()) {
      answer.chosen = answer.options.front();
    } else {
      add_nearest_misses(answer);
    }
    add_premises(evidence_, answer);
    return answer;
  }

  // Nothing satisfies: show what comes closest, marked as such.
  void add_nearest_misses(Recommendation& answer) {
    std::stable_sort(missed_.begin(), missed_.end(), [](const auto& a, const auto& b) {
      return better(a.option, b.option);
    });
    std::set<std::string> seen;
    for (auto& judged : missed_) {
      if (answer.options.size() < 3 &&
          seen.insert(judged.option.provider + judged.option.instance).second) {
        judge_.itemise(judged);
        answer.options.push_back(judged.option);
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
  std::vector<Judged> passed_;
  std::vector<Judged> missed_;
  std::size_t in_scope_ = 0;
  std::size_t candidates_ = 0;
};

}  // namespace

Recommendation search(const Query& query, const Evidence& evidence, const SearchOptions& options) {
  return Search(query, evidence, options).run();
}

}  // namespace rightsize
