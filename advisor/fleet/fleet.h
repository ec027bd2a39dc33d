// Several jobs in one question: what each of them should rent, whether one kind of machine for all
// of them costs more, and what they cost on the machines of today.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/fwd.hpp>

#include "advisor/fleet/fleet_total.h"
#include "advisor/fleet/shared_months.h"
#include "advisor/query/query.h"
#include "advisor/recommendation.h"
#include "advisor/search.h"

namespace rightsize {

// One kind of machine that can do every job.
struct CommonMachine {
  std::string provider;
  std::string instance;
  std::string cpu;  // as its price table names it; empty where it names none
  Market market = Market::on_demand;
  FleetTotal total;
  bool by_month = false;  // rented by whole months, which `total` has of each job by itself
  // What it costs where the jobs run one after the other and share the months that they take; of
  // what is billed so alone, and of a plan that is not by the month.
  std::optional<double> shared_cost = std::nullopt;
};

// Of the jobs whose machine of today is said and can do them: both by the month, or both once.
struct FleetToday {
  std::size_t jobs = 0;
  std::size_t moves = 0;   // of them, to other machines; or fewer of the same
  FleetTotal now;          // on the machines of today
  FleetTotal planned;      // on those of the plan
  std::size_t unable = 0;  // jobs whose machine of today cannot do them, or cannot be judged
  std::size_t unsaid = 0;  // jobs that do not say theirs
};

struct Fleet {
  std::vector<Recommendation> answers;  // in the order of the jobs
  // Whether money is a month's: of services, and of jobs as often as they run. Else each job's is
  // of one run.
  bool by_month = false;
  // As planned; nullopt when a job has no machine, or those of one's own have no time for all.
  std::optional<FleetTotal> total;
  std::vector<SharedMonths> shared;     // of a plan by the month: taken off the total
  std::optional<CommonMachine> common;  // what each job takes, else the best by their objective
  std::optional<FleetToday> today;      // nullopt where no job says its machine of today
};

// `evidence` without what was measured of the jobs: each goes by its own. A plan is by the month
// where there are services in it, or where every job says how often it is run. Throws UsageError
// where queries are in several currencies, for jobs beside services that do not say how often they
// are run, and as search() and right_size() do.
[[nodiscard]] Fleet plan_fleet(const std::vector<Query>& queries, const Evidence& evidence);

// Schema "rightsize/fleet/1", with an answer of "rightsize/recommendation/1" for each job.
[[nodiscard]] boost::json::object to_json(const Fleet& fleet);

}  // namespace rightsize
