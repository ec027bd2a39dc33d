#include "advisor/fleet/fleet.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/own_stock.h"
#include "advisor/fleet/common_machine.h"
#include "advisor/option_order.h"
#include "advisor/query/own_rate.h"
#include "advisor/right_sizing/right_sizing.h"

namespace rightsize {
namespace {

constexpr std::size_t all_options = 100000;  // a machine for all may be nobody's first choice
constexpr std::size_t shown_options = 50;

std::string currency_words(const Query& query) {
  return query.currency + (query.currency_stated ? "" : " (it names none)");
}

void require_one_currency(const std::vector<Query>& queries) {
  for (const auto& query : queries) {
    if (query.currency != queries.front().currency) {
      throw UsageError(
          fmt::format("{} counts in {}, {} in {}: jobs of one plan need one currency, which "
                      "--currency sets for all of them",
                      queries.front().file,
                      currency_words(queries.front()),
                      query.file,
                      currency_words(query)));
    }
  }
}

// Whether the plan's money is a month's.
bool counts_by_month(const std::vector<Query>& queries) {
  const auto serves = [](const Query& query) { return query.serves(); };
  const auto once = std::find_if(queries.begin(), queries.end(), [](const Query& query) {
    return !query.serves() && !query.runs_per_month;
  });
  const auto service = std::find_if(queries.begin(), queries.end(), serves);
  if (service != queries.end() && once != queries.end()) {
    throw UsageError(
        fmt::format("{} is a service, which costs by the month, and {} a job that does not say how "
                    "often it is run: runs_per_month = 30 under its [job], or --runs-per-month "
                    "for all jobs of the plan",
                    service->file,
                    once->file));
  }
  return once == queries.end();
}

// The catalogue without those of one's own machines that a service runs on, which no other has;
// nullopt where it runs on none that are counted.
std::optional<Catalog> without_taken(const Catalog& catalog, const Recommendation& answer) {
  const auto count =
      answer.chosen && answer.query.serves() ? own_count(catalog, *answer.chosen) : std::nullopt;
  return count ? std::optional(
                     with_count(catalog, answer.chosen->instance, *count - answer.chosen->nodes))
               : std::nullopt;
}

Recommendation answer_by(const Query& query, const Evidence& evidence) {
  SearchOptions options;
  options.max_options = all_options;
  auto answer = search(query, evidence, options);
  if (!query.current.empty()) {
    answer.current = right_size(answer, evidence, query.current);
  }
  return answer;
}

// By what was measured of this job, and of none of the others.
Recommendation answer_to(const Query& query, const Evidence& evidence) {
  if (query.measured.empty()) {
    return answer_by(query, evidence);
  }
  auto rates = evidence.gpu_rates;
  add_own_rates(rates, measured_rates(query));
  return answer_by(query, {evidence.model, evidence.catalog, rates, evidence.cpu_speeds});
}

void sum_up(Fleet& fleet, const Catalog& catalog) {
  FleetTotal total;
  std::vector<PlannedJob> jobs;
  for (const auto& answer : fleet.answers) {
    if (const auto* planned = planned_option(answer)) {
      add_to(total, *planned, times_in_plan(answer.query, fleet.by_month));
      jobs.push_back({&answer.query, planned});
    }
  }
  if (fleet.by_month) {
    fleet.shared = shared_months(jobs, catalog);
    take_off(total, saved_by_sharing(fleet.shared));
  }
  const bool beyond = std::any_of(fleet.shared.begin(),
                                  fleet.shared.end(),
                                  [](const SharedMonths& shared) { return shared.beyond(); });
  if (jobs.size() == fleet.answers.size() && !jobs.empty() && !beyond) {
    fleet.total = std::move(total);
  }
}

// What the jobs cost where they run today, beside what they cost as planned.
std::optional<FleetToday> today_of(const Fleet& fleet, const Catalog& catalog) {
  FleetToday today;
  std::vector<PlannedJob> now;
  std::vector<PlannedJob> then;
  for (const auto& answer : fleet.answers) {
    if (!answer.current) {
      ++today.unsaid;
      continue;
    }
    const auto* planned = planned_option(answer);
    if (!answer.current->current || planned == nullptr) {
      ++today.unable;
      continue;
    }
    const double times = times_in_plan(answer.query, fleet.by_month);
    ++today.jobs;
    today.moves += answer.current->move || answer.current->fewer ? 1 : 0;
    add_to(today.now, *answer.current->current, times);
    add_to(today.planned, *planned, times);
    now.push_back({&answer.query, &*answer.current->current});
    then.push_back({&answer.query, planned});
  }
  if (fleet.by_month) {
    take_off(today.now, saved_by_sharing(shared_months(now, catalog)));
    take_off(today.planned, saved_by_sharing(shared_months(then, catalog)));
  }
  return today.unsaid < fleet.answers.size() ? std::optional(std::move(today)) : std::nullopt;
}

}  // namespace

Fleet plan_fleet(const std::vector<Query>& queries, const Evidence& evidence) {
  require_one_currency(queries);
  Fleet fleet;
  fleet.by_month = counts_by_month(queries);
  std::optional<Catalog> left;  // once a service runs on some of one's own machines
  for (const auto& query : queries) {
    const auto& catalog = left ? *left : evidence.catalog;
    const Evidence now{evidence.model, catalog, evidence.gpu_rates, evidence.cpu_speeds};
    fleet.answers.push_back(answer_to(query, now));
    if (auto others = without_taken(catalog, fleet.answers.back())) {
      left = std::move(others);
    }
  }
  fleet.common = common_machine(fleet, evidence.catalog);
  for (auto& answer : fleet.answers) {
    keep_options(answer, first_and_own(answer.options, shown_options));
  }
  sum_up(fleet, evidence.catalog);
  fleet.today = today_of(fleet, evidence.catalog);
  return fleet;
}

}  // namespace rightsize
