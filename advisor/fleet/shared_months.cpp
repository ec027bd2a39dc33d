#include "advisor/fleet/shared_months.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "advisor/candidate/own_stock.h"
#include "advisor/full_name.h"
#include "pricing/billing.h"

namespace rightsize {
namespace {

// What an hour costs, worked or not; nullopt where idle hours are nobody's, or not these jobs'.
std::optional<Money> idle_hour(const PlannedJob& job, const Offer* own) {
  const auto& option = *job.option;
  if (option.own) {
    const bool borne = own != nullptr && !own->parts.empty() && own->parts.front().idle_borne;
    return borne ? own->parts.front().each_hour : std::nullopt;
  }
  const bool reserved = committed_hours(option.market) > 0 && !job.query->utilisation_percent;
  return reserved || option.price_per_month ? std::optional(option.price_per_hour) : std::nullopt;
}

// Its bill is in the currency it is priced in.
double in_asked_currency(const Option& option, const Money& price) {
  const double bill = option.bill.total.approximate();
  return price.approximate() * (bill > 0 ? option.cost.value / bill : 1);
}

double months_of(double hours) {
  return std::max(1.0, std::ceil(hours / double{hours_per_month} - 1e-9));
}

struct Group {
  SharedMonths shared;
  double paid_alone = 0;   // machines' months, each job by itself
  double month_price = 0;  // of one machine
  int at_once = 1;         // most that one of the jobs takes
};

}  // namespace

std::vector<SharedMonths> shared_months(std::span<const PlannedJob> jobs, const Catalog& catalog) {
  std::map<std::string, Group> groups;
  for (const auto& job : jobs) {
    const auto& option = *job.option;
    if (job.query->serves() || !job.query->runs_per_month) {
      continue;
    }
    const auto* own = option.own ? own_offer(catalog, option.instance) : nullptr;
    const auto idle = idle_hour(job, own);
    if (!idle && (own == nullptr || !own->count)) {
      continue;
    }
    auto& group = groups[full_name(option)];
    const double hours = option.hours.value * *job.query->runs_per_month;
    group.shared.name = full_name(option);
    ++group.shared.jobs;
    group.shared.hours += option.nodes * hours;
    group.shared.there = own != nullptr ? own->count : std::nullopt;
    group.at_once = std::max(group.at_once, option.nodes);
    group.paid_alone += option.nodes * months_of(hours);
    group.month_price =
        idle ? in_asked_currency(option, *idle) * double{hours_per_month} : group.month_price;
  }
  std::vector<SharedMonths> found;
  for (auto& [name, group] : groups) {
    auto& shared = group.shared;
    shared.machines = std::max(1.0 * group.at_once, months_of(shared.hours));
    shared.saved = std::max(0.0, group.paid_alone - shared.machines) * group.month_price;
    if (shared.saved > 0 || shared.beyond()) {
      found.push_back(std::move(shared));
    }
  }
  return found;
}

double saved_by_sharing(std::span<const SharedMonths> shared) {
  double saved = 0;
  for (const auto& one : shared) {
    saved += one.saved;
  }
  return saved;
}

}  // namespace rightsize
