// What a candidate costs, and how it stands by that against the job's limits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "advisor/judge/judge.h"
#include "pricing/monthly.h"

namespace rightsize {

std::chrono::seconds Judge::billable(double hours) {
  return std::chrono::seconds(static_cast<std::int64_t>(std::ceil(hours * 3600)));
}

double Judge::cost_of(const Candidate& candidate,
                      const Offer& offer,
                      const BillingRule& rule,
                      double hours,
                      int nodes) const {
  const Money total =
      bill_total(offer, nodes, candidate.disk.rented(), billable(hours), rule, terms_of(offer));
  const auto& currency = offer.price_per_hour.currency();
  return (currency == query_.currency ? total : convert(total, query_.rates.at(currency)))
      .approximate();
}

std::function<double(double)> Judge::bill_of(const Candidate& candidate,
                                             const Outlook& outlook,
                                             const Offer& offer) const {
  const auto& rule = rule_of(offer);
  return [&candidate, &offer, &rule, nodes = outlook.nodes, this](double hours) {
    try {
      return cost_of(candidate, offer, rule, hours, nodes);
    } catch (const PricingError&) {  // beyond what money counts, as far off as no estimate looks
      return std::numeric_limits<double>::infinity();
    }
  };
}

double Judge::chance_affordable(const Candidate& candidate,
                                const Outlook& outlook,
                                const Offer& offer) const {
  return query_.budget ? chance_within(query_.budget->approximate(),
                                       bill_of(candidate, outlook, offer),
                                       outlook.hours,
                                       outlook.log_sd,
                                       outlook.faster)
                       : 1;
}

double Judge::miss_of(const Candidate& candidate,
                      const Outlook& outlook,
                      const Offer& offer) const {
  const double hours = outlook.hours_at(deviations_);
  double miss = 1;
  if (query_.deadline_s) {
    miss *= std::max(1.0, hours * 3600 / *query_.deadline_s);
  }
  if (query_.budget) {
    const double cost = bill_of(candidate, outlook, offer)(hours);
    miss *= std::max(1.0, cost / query_.budget->approximate());
  }
  return miss;
}

namespace {

// Of a job's hours: half of what is billed at once is a hundredth of them.
constexpr double telling_part = 0.02;

double in_hours(std::chrono::seconds time) {
  return static_cast<double>(time.count()) / 3600;
}

// The least that is billed, and in what steps.
double billed_at_once_h(const Offer& offer, const BillingRule& rule) {
  return is_monthly(offer) ? static_cast<double>(hours_per_month)
                           : in_hours(std::max(rule.granularity, rule.minimum));
}

// 0 of months, of which runs share some.
double step_h(const Offer& offer, const BillingRule& rule) {
  return is_monthly(offer) ? 0 : in_hours(rule.granularity);
}

}  // namespace

// Of a job, over the times that it may take.
double Judge::typical_cost(const Candidate& candidate,
                           const Outlook& outlook,
                           const Offer& offer,
                           const BillingRule& rule,
                           const Standing& standing) const {
  if (billed_at_once_h(offer, rule) > telling_part * outlook.hours) {
    return typical_bill(bill_of(candidate, outlook, offer),
                        outlook.hours,
                        outlook.log_sd,
                        step_h(offer, rule),
                        outlook.faster);
  }
  const double times = typical_times(outlook.log_sd, outlook.faster);
  return !query_.data_at.empty()  // which is paid once
             ? cost_of(candidate, offer, rule, times * outlook.hours, outlook.nodes)
             : times * standing.cost;
}

Standing Judge::standing(const Candidate& candidate,
                         const Outlook& outlook,
                         const Offer& offer,
                         const BillingRule& rule) const {
  Standing standing;
  standing.cost = cost_of(candidate, offer, rule, outlook.hours, outlook.nodes);
  standing.p_limits = outlook.p_in_time;
  if (outlook.tokens) {
    return token_standing(outlook, standing.cost);
  }
  standing.each_per_s = outlook.hours > 0 ? 1 / outlook.hours : 0;
  if (outlook.service) {
    const bool affordable = !query_.budget || standing.cost <= query_.budget->approximate();
    standing.score = query_.objective.score(standing.cost, outlook.service->point.p99_s);
    standing.each_per_s = outlook.service->each_per_s;
    standing.p_limits = affordable ? outlook.p_in_time : 0;
    standing.satisfies = affordable && is_in_time(outlook);
    return standing;
  }
  standing.score = query_.objective.score(typical_cost(candidate, outlook, offer, rule, standing),
                                          outlook.typical_hours());
  if (query_.budget) {
    standing.p_limits = std::min(standing.p_limits, chance_affordable(candidate, outlook, offer));
  }
  standing.satisfies = standing.p_limits >= query_.confidence;
  standing.miss = standing.satisfies ? 0 : miss_of(candidate, outlook, offer);
  return standing;
}

}  // namespace rightsize
