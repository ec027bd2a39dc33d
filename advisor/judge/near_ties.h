// Jobs that cost as much: what of them is taken first. No estimate and no bill is known to 1 %, so
// that among options whose costs are within 1 % of the cheapest of them the fastest is the best;
// and of those as fast, within 5 %, what asks the least of the program: on one machine, on one GPU,
// with nothing shared or run again, and then on fewer GPUs.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "advisor/judge/judge.h"

namespace rightsize {

inline constexpr double same_cost = 0.01;
inline constexpr double same_time = 0.05;

// What of an option its place among such depends on.
struct NearTie {
  double score = 0;  // what it typically costs
  double hours = 0;
  int asks = 0;  // of the program
  double gpus = 0;

  explicit NearTie(const Option& option);
  NearTie(const Candidate& candidate, const Standing& standing);
};

// Of jobs by cost alone: where time has a weight it has its price, and services are as fast as is
// asked.
[[nodiscard]] bool knows_near_ties(const Query& query);

// The places of options that satisfy in that order; `by_score` are in the order of their scores.
[[nodiscard]] std::vector<std::size_t> near_ties_ordered(std::span<const NearTie> by_score);

// Puts them into it; `tie_of` each.
template <typename T, typename TieOf>
void order_near_ties(std::vector<T>& by_score, const TieOf& tie_of) {
  std::vector<NearTie> ties;
  for (const auto& one : by_score) {
    ties.push_back(tie_of(one));
  }
  std::vector<T> ordered;
  for (const auto place : near_ties_ordered(ties)) {
    ordered.push_back(std::move(by_score[place]));
  }
  by_score = std::move(ordered);
}

// Whether `winner` costs more than `loser` and comes before it all the same.
[[nodiscard]] bool wins_near_tie(const Query& query, const Option& winner, const Option& loser);

// Whether the first comes before the second where the query has it so: better() otherwise.
[[nodiscard]] bool comes_before(const Query& query, const Option& a, const Option& b);

}  // namespace rightsize
