#include "advisor/cli/listed_currency.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "advisor/query/exchanged_money.h"

namespace rightsize::cli {
namespace {

// What the provider's disks are priced in; the offer's own where none is listed. A machine and its
// disk make one bill.
std::string list_currency(const Offer& offer, const Catalog& catalog) {
  const auto volumes = catalog.volumes();
  const auto listed = std::find_if(volumes.begin(), volumes.end(), [&](const VolumeClass& volume) {
    return volume.provider == offer.provider && volume.price_per_gib_month;
  });
  return listed != volumes.end() ? listed->price_per_gib_month->currency()
                                 : offer.price_per_hour.currency();
}

// What a price book says was agreed upon: to count none of it for want of a rate would be no
// answer.
std::int64_t required_rate(const std::string& currency,
                           const std::string& of_what,
                           const Offer& offer,
                           const Query& query) {
  const auto rate = rate_nanos(currency, query);
  if (!rate) {
    throw UsageError(
        fmt::format("{0}:{1}: {2} in {3}, and {4} counts in {5}: mend the currency, or add to the "
                    "job file [money.rates] with {3} = \"0.92\", what 1 {3} is in {5}",
                    offer.table,
                    offer.line,
                    of_what,
                    currency,
                    query.file,
                    query.currency));
  }
  return *rate;
}

}  // namespace

void count_as_listed(ImportedTable& table, std::span<const Query> queries, const Catalog& shipped) {
  if (table.format != "book" || queries.empty()) {
    return;
  }
  for (auto& offer : table.offers) {
    const auto agreed = offer.price_per_hour.currency();
    const auto listed = list_currency(offer, shipped);
    for (const auto& query : queries) {
      static_cast<void>(required_rate(agreed, "a price", offer, query));
      static_cast<void>(required_rate(listed, offer.provider + "'s disks are", offer, query));
    }
    if (agreed == listed) {
      continue;
    }
    const double rate = static_cast<double>(*rate_nanos(agreed, queries[0])) /
                        static_cast<double>(*rate_nanos(listed, queries[0]));
    offer.source +=
        fmt::format("; {} {} at {:.6g} {}", offer.price_per_hour.decimal(), agreed, rate, listed);
    offer.price_per_hour =
        convert(offer.price_per_hour, {agreed, listed, std::llround(rate * 1e9), queries[0].file});
  }
}

}  // namespace rightsize::cli
