#include "advisor/judge/near_ties.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "advisor/judge/standing_order.h"

namespace rightsize {
namespace {

int count_of(std::initializer_list<bool> asked) {
  return static_cast<int>(std::count(asked.begin(), asked.end(), true));
}

// Runs of `places` whose `value` is within `part` of the first's are put in order by `sort`.
template <typename Value, typename Sort>
void in_runs(std::span<std::size_t> places, double part, const Value& value, const Sort& sort) {
  while (!places.empty()) {
    const double most = value(places.front()) * (1 + part);
    const auto end = std::find_if(
        places.begin(), places.end(), [&](std::size_t place) { return value(place) > most; });
    const auto run = places.first(static_cast<std::size_t>(end - places.begin()));
    sort(run);
    places = places.subspan(std::max<std::size_t>(run.size(), 1));
  }
}

}  // namespace

NearTie::NearTie(const Option& option)
    : score(option.score),
      hours(option.hours.value),
      asks(count_of({option.nodes > 1,
                     option.gpus > 1,
                     option.sharded,
                     option.recompute,
                     option.preprocess_on_gpu,
                     option.tensor_parallel > 1,
                     option.pipeline_parallel > 1,
                     option.expert_parallel > 1,
                     option.context_parallel > 1})),
      gpus(option.nodes * option.gpus) {}

NearTie::NearTie(const Candidate& candidate, const Standing& standing)
    : score(standing.score),
      hours(1 / standing.each_per_s),
      gpus(candidate.way.nodes * candidate.offer->gpus) {
  const auto& memory = candidate.memory_way;
  const auto& parallel = memory.parallel;
  asks = count_of({candidate.way.nodes > 1,
                   candidate.offer->gpus > 1,
                   memory.shards > 1 && memory.gathers(),
                   memory.recompute,
                   candidate.way.preprocess_on_gpu,
                   parallel.tensor > 1,
                   parallel.pipeline > 1,
                   memory.expert_ranks() > 1,
                   parallel.context > 1});
}

bool knows_near_ties(const Query& query) {
  return !query.serves() && query.objective == Objective{};
}

std::vector<std::size_t> near_ties_ordered(std::span<const NearTie> by_score) {
  std::vector<std::size_t> places(by_score.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto by = [&](const auto& key) {
    return [&by_score, key](std::size_t a, std::size_t b) {
      return key(by_score[a]) < key(by_score[b]);
    };
  };
  const auto hours = [](const NearTie& one) { return one.hours; };
  const auto least_asked = [](const NearTie& one) { return std::tie(one.asks, one.gpus); };
  const auto sort_by_time = [&](std::span<std::size_t> run) {
    std::stable_sort(run.begin(), run.end(), by(hours));
    in_runs(
        run,
        same_time,
        [&](std::size_t place) { return by_score[place].hours; },
        [&](auto as_fast) {
          std::sort(as_fast.begin(), as_fast.end());  // by score again
          std::stable_sort(as_fast.begin(), as_fast.end(), by(least_asked));
        });
  };
  in_runs(
      places, same_cost, [&](std::size_t place) { return by_score[place].score; }, sort_by_time);
  return places;
}

bool comes_before(const Query& query, const Option& a, const Option& b) {
  const bool first = better(a, b);
  if (!knows_near_ties(query) || !a.satisfies || !b.satisfies) {
    return first;
  }
  const auto& cheaper = first ? a : b;
  const std::array ties{NearTie(cheaper), NearTie(first ? b : a)};
  return (near_ties_ordered(ties).front() == 0) == first;
}

bool wins_near_tie(const Query& query, const Option& winner, const Option& loser) {
  return knows_near_ties(query) && winner.satisfies && loser.satisfies &&
         winner.score > loser.score && winner.score <= loser.score * (1 + same_cost);
}

}  // namespace rightsize
