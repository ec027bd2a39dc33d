// The columns of a table of offers: SkyPilot's catalogue and ours.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/import/csv.h"
#include "pricing/offer.h"

namespace rightsize {

struct PriceColumn {
  std::string_view column;
  Market market;
};

inline constexpr std::array price_columns{PriceColumn{"Price", Market::on_demand},
                                          PriceColumn{"SpotPrice", Market::spot},
                                          PriceColumn{"Reserved1yPrice", Market::reserved_1y},
                                          PriceColumn{"Reserved3yPrice", Market::reserved_3y}};

inline constexpr std::string_view month_column = "MonthlyPrice";  // whole ones are billed

// Of the header's columns those that are not read and may have been meant to be, a sentence each:
// they are nearly called as one that is, or price or describe a machine by their name. Others'
// columns are their own business.
[[nodiscard]] std::vector<std::string> unread_columns(const CsvTable& table);

// The same of a table whose columns are `known`; `where` says in which of them prices and machines
// are.
[[nodiscard]] std::vector<std::string> unread_columns(const CsvTable& table,
                                                      std::vector<std::string_view> known,
                                                      std::string_view where);

}  // namespace rightsize
