#include "advisor/fleet.h"

#include <map>
#include <tuple>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/own_stock.h"
#include "advisor/json_values.h"
#include "advisor/query/own_rate.h"
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

struct Shared {
  std::size_t jobs = 0;
  FleetTotal total;
  int machines = 0;  // that run at once: of services
};

// What there is of a machine of one's own; nullopt of what is rented, or where nobody says it.
std::optional<int> count_of(const Catalog& catalog, const Option& option) {
  for (const auto& offer : catalog.offers()) {
    if (option.own && is_own(offer) && offer.instance == option.instance) {
      return offer.count;
    }
  }
  return std::nullopt;
}

std::optional<CommonMachine> cheapest_for_all(const std::vector<Recommendation>& answers,
                                              const Catalog& catalog) {
  // By provider, instance, the CPU that its price table names, and market.
  std::map<std::tuple<std::string, std::string, std::string, Market>, Shared> machines;
  for (const auto& answer : answers) {
    for (const auto& option : answer.options) {
      auto& shared = machines[{option.provider, option.instance, option.cpu, option.market}];
      shared.machines += answer.query.serves() ? option.nodes : 0;
      const auto count = count_of(catalog, option);
      if (option.satisfies && (!count || shared.machines <= *count)) {
        ++shared.jobs;
        add(shared.total, option);
      }
    }
  }
  std::optional<CommonMachine> best;
  for (const auto& [key, shared] : machines) {
    const auto& [provider, instance, cpu, market] = key;
    if (shared.jobs == answers.size() &&
        (!best || shared.total.cost.value < best->total.cost.value)) {
      best = CommonMachine{provider, instance, cpu, market, shared.total};
    }
  }
  return best;
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
  fleet.common = cheapest_for_all(fleet.answers, evidence.catalog);
  FleetTotal total;
  bool all = true;
  for (auto& answer : fleet.answers) {
    all = all && answer.chosen;
    if (answer.chosen) {
      add(total, *answer.chosen);
    }
    if (answer.options.size() > shown_options) {
      answer.options.resize(shown_options);
      std::erase_if(answer.ties, [](std::size_t index) { return index >= shown_options; });
    }
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
              {"total", total_to_json(fleet.common->total)}};
  }
  return {{"schema", "rightsize/fleet/1"},
          {"tool_version", RIGHTSIZE_VERSION},
          {"answers", answers},
          {"total", total_to_json(fleet.total)},
          {"common_machine", common}};
}

}  // namespace rightsize
