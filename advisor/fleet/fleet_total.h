// What a plan comes to: of each job the machine that it takes or stays on, and their sum.
#pragma once

#include <map>
#include <string>

#include "advisor/recommendation.h"
#include "models/estimate.h"
#include "pricing/money.h"

namespace rightsize {

// Sums of several jobs' estimates. Their ends add up too: the jobs share the model's error, and a
// sum of intervals is never too narrow for errors that go together.
struct FleetTotal {
  Estimate cost;
  std::map<std::string, Money> bills;  // the sum of the jobs' bills, by currency
  Estimate machine_hours;
};

// `times` runs of a job; a service's month once.
void add_to(FleetTotal& total, const Option& option, double times);

// Takes off what is paid once by several jobs (shared_months.h), in the currency of the cost.
void take_off(FleetTotal& total, double shared);

// How often a plan counts what the query asks for.
[[nodiscard]] double times_in_plan(const Query& query, bool by_month);

// What the job should run on: what it should be moved to, or where it stays. Null where nothing
// satisfies.
[[nodiscard]] const Option* planned_option(const Recommendation& answer);

// Provider, instance, the CPU that its price table names, market, and whether by the month.
[[nodiscard]] bool is_same_kind(const Option& a, const Option& b);

}  // namespace rightsize
