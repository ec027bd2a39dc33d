#include <utility>

#include <boost/json.hpp>

#include "advisor/calibration.h"
#include "advisor/fleet/fleet.h"
#include "advisor/json_values.h"

namespace rightsize {
namespace {

namespace json = boost::json;

json::value total_to_json(const FleetTotal& total) {
  json::array bills;
  for (const auto& [currency, bill] : total.bills) {
    bills.push_back(money_to_json(bill));
  }
  return {{"cost", to_json(total.cost)},
          {"bill_totals", std::move(bills)},
          {"machine_hours", to_json(total.machine_hours)}};
}

json::value common_to_json(const std::optional<CommonMachine>& common) {
  if (!common) {
    return nullptr;
  }
  return {{"provider", common->provider},
          {"instance", common->instance},
          {"cpu", or_null(common->cpu)},
          {"market", to_string(common->market)},
          {"by_month", common->by_month},
          {"cost_in_shared_months", or_null(common->shared_cost)},
          {"total", total_to_json(common->total)}};
}

json::array shared_to_json(const std::vector<SharedMonths>& shared) {
  json::array all;
  for (const auto& one : shared) {
    all.push_back(json::value{{"machine", one.name},
                              {"jobs", one.jobs},
                              {"hours", one.hours},
                              {"machines", one.machines},
                              {"there", or_null(one.there)},
                              {"saved", one.saved}});
  }
  return all;
}

json::value today_to_json(const std::optional<FleetToday>& today) {
  if (!today) {
    return nullptr;
  }
  const bool known = today->jobs > 0;
  return {{"jobs", today->jobs},
          {"moves", today->moves},
          {"jobs_it_cannot_do", today->unable},
          {"jobs_that_say_none", today->unsaid},
          {"now", known ? total_to_json(today->now) : json::value(nullptr)},
          {"planned", known ? total_to_json(today->planned) : json::value(nullptr)}};
}

}  // namespace

json::object to_json(const Fleet& fleet) {
  json::array answers;
  for (const auto& answer : fleet.answers) {
    answers.push_back(to_json(answer));
  }
  return {{"schema", "rightsize/fleet/1"},
          {"tool_version", RIGHTSIZE_VERSION},
          {"answers", answers},
          {"by_month", fleet.by_month},
          {"shared_months", shared_to_json(fleet.shared)},
          {"total", fleet.total ? total_to_json(*fleet.total) : json::value(nullptr)},
          {"common_machine", common_to_json(fleet.common)},
          {"today", today_to_json(fleet.today)}};
}

}  // namespace rightsize
