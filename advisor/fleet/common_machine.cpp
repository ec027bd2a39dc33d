#include "advisor/fleet/common_machine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <vector>

#include "advisor/candidate/own_stock.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// As is_same_kind() compares.
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
  std::vector<PlannedJob> planned{};

  void take(const Query& query, const Option& option, double times) {
    ++jobs;
    planned.push_back({&query, &option});
    add_to(total, option, times);
    score += option.score * times;
    hours += option.hours.value * times;
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
std::optional<MachineKey> taken_by_each(const std::vector<Recommendation>& answers) {
  const auto* first = planned_option(answers.front());
  const bool one = std::all_of(answers.begin(), answers.end(), [&](const Recommendation& answer) {
    const auto* planned = planned_option(answer);
    return first != nullptr && planned != nullptr && is_same_kind(*planned, *first);
  });
  return one ? std::optional(key_of(*first)) : std::nullopt;
}

CommonMachine told(const MachineKey& key, const Shared& shared, bool plan_by_month) {
  const auto& [provider, instance, cpu, market, by_month] = key;
  CommonMachine common{provider, instance, cpu, market, shared.total, by_month};
  if (const double cost = shared.cost_in_shared_months();
      by_month && !plan_by_month && cost < shared.total.cost.value * (1 - 1e-9)) {
    common.shared_cost = cost;
  }
  return common;
}

// Whether they have time for all the jobs, whose months are then paid once.
bool share_months(Shared& shared, const Catalog& catalog) {
  const auto months = shared_months(shared.planned, catalog);
  take_off(shared.total, saved_by_sharing(months));
  return std::none_of(
      months.begin(), months.end(), [](const SharedMonths& one) { return one.beyond(); });
}

// Those that every job can do with.
std::map<MachineKey, Shared> machines_for_all(const Fleet& fleet, const Catalog& catalog) {
  std::map<MachineKey, Shared> machines;
  for (const auto& answer : fleet.answers) {
    const double times = times_in_plan(answer.query, fleet.by_month);
    for (const auto& option : answer.options) {
      auto& shared = machines[key_of(option)];
      shared.machines += answer.query.serves() ? option.nodes : 0;
      const auto count = own_count(catalog, option);
      if (option.satisfies && (!count || shared.machines <= *count)) {
        shared.take(answer.query, option, times);
      }
    }
  }
  std::erase_if(machines,
                [&](const auto& item) { return item.second.jobs < fleet.answers.size(); });
  for (auto it = machines.begin(); fleet.by_month && it != machines.end();) {
    it = share_months(it->second, catalog) ? std::next(it) : machines.erase(it);
  }
  return machines;
}

}  // namespace

std::optional<int> own_count(const Catalog& catalog, const Option& option) {
  const auto* offer = option.own ? own_offer(catalog, option.instance) : nullptr;
  return offer == nullptr ? std::nullopt : offer->count;
}

std::optional<CommonMachine> common_machine(const Fleet& fleet, const Catalog& catalog) {
  const auto machines = machines_for_all(fleet, catalog);
  if (machines.empty()) {
    return std::nullopt;
  }
  const bool cheapest = by_cost(fleet.answers);
  const auto worth = [&](const Shared& shared) {
    return cheapest ? shared.total.cost.value : shared.score;
  };
  auto best = std::min_element(machines.begin(), machines.end(), [&](const auto& a, const auto& b) {
    return worth(a.second) < worth(b.second);
  });
  if (const auto each = taken_by_each(fleet.answers)) {
    const auto taken = machines.find(*each);
    best = taken == machines.end() ? best : taken;
  }
  return told(best->first, best->second, fleet.by_month);
}

}  // namespace rightsize
