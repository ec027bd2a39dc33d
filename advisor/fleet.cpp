#include "advisor/fleet.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/own_stock.h"
#include "advisor/json_values.h"
#include "advisor/option_order.h"
#include "advisor/query/own_rate.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

namespace json = boost::json;

constexpr std::size_t all_options = 100000;  // a machine for all may be nobody's first choice
constexpr std::size_t shown_options = 50;

void add(Estimate& sum, const Estimate& term) {
  if (sum.unit.empty()) {
    sum = term;
    return;
  }
  sum.value += term.value;
  sum.low += term.low;
  sum.high += term.high;
  sum.source = weaker(sum.source, term.source);
}

void add(FleetTotal& total, const Option& option) {
  add(total.cost, option.cost);
  const auto& bill = option.bill.total;
  total.bills.try_emplace(bill.currency(), Money(0, bill.currency())).first->second += bill;
  auto hours = option.hours;
  hours.value *= option.nodes;
  hours.low *= option.nodes;
  hours.high *= option.nodes;
  add(total.machine_hours, hours);
}

// Provider, instance, the CPU that its price table names, market, and whether by the month.
using MachineKey = std::tuple<std::string, std::string, std::string, Market, bool>;

MachineKey key_of(const Option& option) {
  return {option.provider,
          option.instance,
          option.cpu,
          option.market,
          option.price_per_month.has_value()};
}

// What one kind of machine does to all the jobs.
struct Shared {
  std::size_t jobs = 0;
  FleetTotal total;
  int machines = 0;  // that run at once: of services
  double score = 0;
  double hours = 0;
  double most_a_month = 0;  // of the jobs' bills, each by the months that it pays

  void take(const Option& option) {
    ++jobs;
    add(total, option);
    score += option.score;
    hours += option.hours.value;
    const auto months = static_cast<double>(months_paid(whole_seconds(option.hours.value)));
    most_a_month = std::max(most_a_month, option.cost.value / months);
  }

  // One after the other they pay the months that they take together.
  [[nodiscard]] double cost_in_shared_months() const {
    return most_a_month * static_cast<double>(months_paid(whole_seconds(hours)));
  }

 private:
  static std::chrono::seconds whole_seconds(double h) {
    return std::chrono::seconds(std::llround(h * 3600));
  }
};

// Jobs that want different things have the money in common.
bool by_cost(const std::vector<Recommendation>& answers) {
  const auto& objective = answers.front().query.objective;
  return objective == Objective{} ||
         std::any_of(answers.begin(), answers.end(), [&](const Recommendation& answer) {
           return !(answer.query.objective == objective);
         });
}

// nullopt where they take several kinds of machine, or one of them none.
std::optional<MachineKey> chosen_by_each(const std::vector<Recommendation>& answers) {
  const auto& first = answers.front().chosen;
  const bool one = std::all_of(answers.begin(), answers.end(), [&](const Recommendation& answer) {
    return first && answer.chosen && key_of(*answer.chosen) == key_of(*first);
  });
  return one ? std::optional(key_of(*first)) : std::nullopt;
}

CommonMachine common_machine(const MachineKey& key, const Shared& shared, bool serve) {
  const auto& [provider, instance, cpu, market, by_month] = key;
  CommonMachine common{provider, instance, cpu, market, shared.total, by_month};
  if (const double cost = shared.cost_in_shared_months();
      by_month && !serve && cost < shared.total.cost.value * (1 - 1e-9)) {
    common.shared_cost = cost;
  }
  return common;
}

// What there is of a machine of one's own; nullopt of what is rented, or where nobody says it.
std::optional<int> count_of(const Catalog& catalog, const Option& option) {
  if (!option.own) {
    return std::nullopt;
  }
  const auto& offers = catalog.offers();
  const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
    return is_own(offer) && offer.instance == option.instance;
  });
  return found == offers.end() ? std::nullopt : found->count;
}

std::optional<CommonMachine> best_for_all(const std::vector<Recommendation>& answers,
                                          const Catalog& catalog) {
  std::map<MachineKey, Shared> machines;
  for (const auto& answer : answers) {
    for (const auto& option : answer.options) {
      auto& shared = machines[key_of(option)];
      shared.machines += answer.query.serves() ? option.nodes : 0;
      const auto count = count_of(catalog, option);
      if (option.satisfies && (!count || shared.machines <= *count)) {
        shared.take(option);
      }
    }
  }
  std::erase_if(machines, [&](const auto& item) { return item.second.jobs < answers.size(); });
  if (machines.empty()) {
    return std::nullopt;
  }
  const bool cheapest = by_cost(answers);
  const auto worth = [&](const Shared& shared) {
    return cheapest ? shared.total.cost.value : shared.score;
  };
  auto best = std::min_element(machines.begin(), machines.end(), [&](const auto& a, const auto& b) {
    return worth(a.second) < worth(b.second);
  });
  if (const auto each = chosen_by_each(answers)) {
    const auto taken = machines.find(*each);
    best = taken == machines.end() ? best : taken;
  }
  return common_machine(best->first, best->second, answers.front().query.serves());
}

json::value total_to_json(const std::optional<FleetTotal>& total) {
  json::array bills;
  for (const auto& [currency, bill] : total ? total->bills : std::map<std::string, Money>{}) {
    bills.push_back(money_to_json(bill));
  }
  return total ? json::value{{"cost", to_json(total->cost)},
                             {"bill_totals", std::move(bills)},
                             {"machine_hours", to_json(total->machine_hours)}}
               : json::value(nullptr);
}

std::string currency_words(const Query& query) {
  return query.currency + (query.currency_stated ? "" : " (it names none)");
}

// The catalogue without those of one's own machines that a service runs on, which no other has;
// nullopt where it runs on none that are counted.
std::optional<Catalog> without_taken(const Catalog& catalog, const Recommendation& answer) {
  const auto count =
      answer.chosen && answer.query.serves() ? count_of(catalog, *answer.chosen) : std::nullopt;
  return count ? std::optional(
                     with_count(catalog, answer.chosen->instance, *count - answer.chosen->nodes))
               : std::nullopt;
}

// By what was measured of this job, and of none of the others.
Recommendation answer_to(const Query& query, const Evidence& evidence) {
  SearchOptions options;
  options.max_options = all_options;
  if (query.measured.empty()) {
    return search(query, evidence, options);
  }
  auto rates = evidence.gpu_rates;
  add_own_rates(rates, measured_rates(query));
  return search(query, {evidence.model, evidence.catalog, rates, evidence.cpu_speeds}, options);
}

}  // namespace

Fleet plan_fleet(const std::vector<Query>& queries, const Evidence& evidence) {
  Fleet fleet;
  std::optional<Catalog> left;  // once a service runs on some of one's own machines
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
    if (query.serves() != queries.front().serves()) {
      throw UsageError("a service costs by the month and a job once: plan them apart");
    }
    const auto& catalog = left ? *left : evidence.catalog;
    const Evidence now{evidence.model, catalog, evidence.gpu_rates, evidence.cpu_speeds};
    fleet.answers.push_back(answer_to(query, now));
    if (auto others = without_taken(catalog, fleet.answers.back())) {
      left = std::move(others);
    }
  }
  fleet.common = best_for_all(fleet.answers, evidence.catalog);
  FleetTotal total;
  bool all = true;
  for (auto& answer : fleet.answers) {
    all = all && answer.chosen;
    if (answer.chosen) {
      add(total, *answer.chosen);
    }
    keep_options(answer, first_and_own(answer.options, shown_options));
  }
  if (all && !fleet.answers.empty()) {
    fleet.total = std::move(total);
  }
  return fleet;
}

json::object to_json(const Fleet& fleet) {
  json::array answers;
  for (const auto& answer : fleet.answers) {
    answers.push_back(to_json(answer));
  }
  json::value common = nullptr;
  if (fleet.common) {
    common = {{"provider", fleet.common->provider},
              {"instance", fleet.common->instance},
              {"cpu", or_null(fleet.common->cpu)},
              {"market", to_string(fleet.common->market)},
              {"by_month", fleet.common->by_month},
              {"cost_in_shared_months", or_null(fleet.common->shared_cost)},
              {"total", total_to_json(fleet.common->total)}};
  }
  return {{"schema", "rightsize/fleet/1"},
          {"tool_version", RIGHTSIZE_VERSION},
          {"answers", answers},
          {"total", total_to_json(fleet.total)},
          {"common_machine", common}};
}

}  // namespace rightsize
