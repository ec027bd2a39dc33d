// Several jobs in one question: what each of them should rent, and whether one kind of machine for
// all of them costs more.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/query/query.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// Sums of several jobs' estimates. Their ends add up too: the jobs share the model's error, and a
// sum of intervals is never too narrow for errors that go together.
struct FleetTotal {
  Estimate cost;
  std::map<std::string, Money> bills;  // the sum of the jobs' bills, exact, by currency
  Estimate machine_hours;
};

// One kind of machine that can do every job.
struct CommonMachine {
  std::string provider;
  std::string instance;
  std::string cpu;  // as its price table names it; empty where it names none
  Market market = Market::on_demand;
  FleetTotal total;
  bool by_month = false;  // rented by whole months, which `total` has of each job by itself
  // What it costs where the jobs run one after the other and share the months that they take; of
  // what is billed so alone.
  std::optional<double> shared_cost = std::nullopt;
};

struct Fleet {
  std::vector<Recommendation> answers;  // in the order of the jobs
  std::optional<FleetTotal> total;      // nullopt when a job has no answer
  std::optional<CommonMachine> common;  // what each job takes, else the best by their objective
};

// `evidence` without what was measured of the jobs: each goes by its own. All queries must be in
// one currency. Throws UsageError otherwise, and as search() does.
[[nodiscard]] Fleet plan_fleet(const std::vector<Query>& queries, const Evidence& evidence);

// Schema "rightsize/fleet/1", with an answer of "rightsize/recommendation/1" for each job.
[[nodiscard]] boost::json::object to_json(const Fleet& fleet);

}  // namespace rightsize
