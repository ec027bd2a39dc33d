#include "advisor/query/exchanged_money.h"

namespace rightsize {

std::optional<std::int64_t> rate_nanos(const std::string& currency, const Query& query) {
  constexpr std::int64_t one = 1'000'000'000;
  const auto rate = query.rates.find(currency);
  return currency == query.currency  ? std::optional(one)
         : rate == query.rates.end() ? std::nullopt
                                     : std::optional(rate->second.rate_nanos);
}

std::optional<Money> exchanged(const Money& amount,
                               const std::string& currency,
                               const Query& query) {
  if (amount.currency() == currency) {
    return amount;
  }
  const auto from = rate_nanos(amount.currency(), query);
  const auto to = rate_nanos(currency, query);
  return from && to ? std::optional(Money(amount.times(*from, *to).nanos(), currency))
                    : std::nullopt;
}

}  // namespace rightsize
