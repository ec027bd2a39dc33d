// Two instances side by side for one job: ratios whose shared errors cancel, and where the better
// one changes.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/explain/flip.h"
#include "advisor/suppose/appraisal.h"

namespace rightsize {

// The price per hour at which an option would become the better of the two.
struct PriceFlip {
  std::size_t option = 0;  // 0 or 1: whose price moves
  double price_per_hour = 0;
  std::string currency;
};

// Second over first, unit "1". What both share (the model, one GPU's rate) cancels.
struct Ratios {
  Estimate throughput;
  Estimate hours;
  Estimate cost;
  double log_sd = 0;            // of the cost's logarithm, of jobs
  std::optional<Estimate> p99;  // of services
  // Of costs that do not move with the time: a fleet's whole machines (service_ratio.h), bills of
  // whole hours or months (asked_ratio.h).
  std::optional<double> p_first_cheaper;
  // Of language models that write tokens, in p99's place.
  std::optional<Estimate> first_token_p99{};
  std::optional<Estimate> token_p99{};
};

// `same_machine`: one machine supposed in two ways, whose own error is shared too.
[[nodiscard]] Ratios ratios_of(const Appraisal& first,
                               const Appraisal& second,
                               bool same_machine = false);

// P(the first costs less than the second).
[[nodiscard]] double chance_of_first(const Ratios& ratios);

// P(the first is the better by `objective`); nullopt of fleets by anything but their cost, which
// alone is drawn.
[[nodiscard]] std::optional<double> chance_of_first(const Ratios& ratios,
                                                    const Objective& objective);

// Who is the better one while one number of the query moves; an outcome is an instance, or "" for
// neither.
struct Crossing {
  std::string what;  // "load", "latency asked for"
  std::string unit;  // "requests/s", "sequences/s", "s"
  std::vector<Flip> flips;
  std::string beyond;  // at the upper end of what was tried
  double low = 0;      // where the trials began, and ended
  double high = 0;
};

struct Comparison {
  Query query;
  std::array<Appraisal, 2> sides;
  std::size_t better = 0;  // satisfies the constraints, then by the query's objective
  Ratios ratios;
  double p_first_cheaper = 0.5;
  std::optional<double> p_first_better = 0.5;  // by the objective; nullopt where it is not drawn

  // Who is better by deadline, in hours, in the query's place of one and within its budget; an
  // outcome is an instance or "" for neither.
  std::vector<Flip> deadline_flips;
  std::string at_any_deadline;  // who is better where no deadline is flipped at, or beyond the last
  std::vector<Crossing> crossings;     // of services, which have no deadline
  std::vector<PriceFlip> price_flips;  // at most one for each side
};

// "aws/g6e.xlarge [Spot]", as short as tells them apart: with places and CPUs where that is both.
[[nodiscard]] std::array<std::string, 2> side_names(const Comparison& comparison);

// Throws UsageError as Appraiser::appraise does.
[[nodiscard]] Comparison compare(const Query& query,
                                 const Evidence& evidence,
                                 const std::string& first,
                                 const std::string& second);

// Of two that satisfy, for jobs by their cost: whether `winner`, whose expected bill is the higher,
// is the better by what they typically cost.
[[nodiscard]] bool wins_typically(const Query& query, const Option& winner, const Option& loser);

// By what they are of; null for what says nothing: of services the hours, which are a month's.
[[nodiscard]] boost::json::object to_json(const Ratios& ratios, bool of_services);

// Schema "rightsize/comparison/1".
[[nodiscard]] boost::json::object to_json(const Comparison& comparison);

}  // namespace rightsize
