#include "advisor/explain/break_even.h"

#include <algorithm>
#include <limits>

#include "advisor/candidate/constraint.h"
#include "advisor/explain/asked_ratio.h"
#include "advisor/full_name.h"
#include "advisor/query/exchanged_money.h"
#include "advisor/suppose/offer_name.h"
#include "pricing/billing.h"
#include "pricing/book_name.h"
#include "pricing/monthly.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// The query of what is rented alone; nullopt where it asks for nothing of the kind.
std::optional<Query> renting(Query query, const Catalog& catalog) {
  query.book = without_book(query.book, own_book);
  const OfferConstraints constraints(query);
  const auto& offers = catalog.offers();
  const bool any = std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
    return constraints.in_scope(offer);
  });
  return any ? std::optional(std::move(query)) : std::nullopt;
}

double in_currency(const Money& amount, const Query& query) {
  const auto money = exchanged(amount, query.currency, query);
  return money ? money->approximate() : std::numeric_limits<double>::quiet_NaN();
}

// Of `nodes` machines that are paid for whole months, worked or not; nullopt of what is not.
std::optional<Money> month_of(const Offer& offer, int nodes) {
  if (is_monthly(offer)) {
    return month_price(offer).times(nodes);
  }
  return committed_hours(offer.market) > 0
             ? std::optional(offer.price_per_hour.times(std::int64_t{nodes} * hours_per_month))
             : std::nullopt;
}

// Of one's own hours, from which months of what is rented cost more: as many begin as the work
// takes, so that one begins behind every 730 hours of what is rented.
double hours_beyond_months(const BreakEven& even, double ratio) {
  constexpr int most = 1000;
  for (int months = 1; months <= most; ++months) {
    const double hours = (months - 1) * static_cast<double>(hours_per_month) / ratio;
    if (even.purchase_per_month + even.power_per_hour * hours < months * *even.rented_per_month) {
      return hours;
    }
  }
  return std::numeric_limits<double>::infinity();
}

// Of one's own hours, from which buying costs less; `rented_hour`: the price of one of what is
// rented, which takes `ratio` as many.
double hours_enough(const BreakEven& even, double rented_hour, double ratio) {
  if (even.rented_per_month) {
    return hours_beyond_months(even, ratio);
  }
  const double saved = rented_hour * ratio - even.power_per_hour;
  return saved > 0 ? even.purchase_per_month / saved : std::numeric_limits<double>::infinity();
}

Estimate runs_in(const Estimate& hours, double each) {
  return {hours.value / each,
          hours.low / each,
          hours.high / each,
          hours.confidence,
          "runs",
          hours.source};
}

// A machine of one's own that is bought, and then takes power.
bool is_bought(const Offer& offer) {
  return is_own(offer) && offer.parts.size() == 2 && offer.parts.front().each_hour;
}

}  // namespace

std::optional<BreakEven> break_even(const Query& query,
                                    const Evidence& evidence,
                                    const Appraisal& own) {
  const auto& offer = *own.candidate.offer;
  if (!is_bought(offer) || query.serves()) {
    return std::nullopt;
  }
  const auto rented_query = renting(query, evidence.catalog);
  if (!rented_query) {
    return std::nullopt;
  }
  const auto answer = search(*rented_query, evidence, {});
  if (!answer.chosen) {
    return std::nullopt;
  }
  const auto rented = Appraiser(*rented_query, evidence).appraise(name_of(*answer.chosen));
  const auto hours = ratios_between({query, own}, {*rented_query, rented}).hours;
  BreakEven even;
  even.rented = full_name(rented.option);
  even.currency = query.currency;
  even.purchase_per_month = in_currency(*offer.parts[0].each_hour, query) *
                            static_cast<double>(hours_per_month) * own.option.nodes;
  even.power_per_hour = in_currency(offer.parts[1].per_hour, query) * own.option.nodes;
  const double rented_hour = rented.option.cost.value / rented.option.hours.value;
  even.rented_per_hour = rented_hour * hours.value;
  if (const auto month = month_of(*rented.candidate.offer, rented.option.nodes)) {
    even.rented_per_month = in_currency(*month, query);
  }
  const auto enough = [&](double ratio) { return hours_enough(even, rented_hour, ratio); };
  // The slower what is rented is, the sooner buying pays.
  even.hours_per_month = {enough(hours.value),
                          enough(hours.high),
                          enough(hours.low),
                          hours.confidence,
                          "h",
                          weaker(hours.source, Source::assumed)};
  even.runs_per_month = runs_in(even.hours_per_month, own.option.hours.value);
  return even;
}

}  // namespace rightsize
