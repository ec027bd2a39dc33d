// Amounts in another currency, by the rates that a question gives into its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "advisor/query/query.h"

namespace rightsize {

// What 1 of `currency` is in the query's, in billionths; nullopt where nobody says.
[[nodiscard]] std::optional<std::int64_t> rate_nanos(const std::string& currency,
                                                     const Query& query);

// nullopt where the rate of one of both is missing.
[[nodiscard]] std::optional<Money> exchanged(const Money& amount,
                                             const std::string& currency,
                                             const Query& query);

}  // namespace rightsize
