#include "pricing/import/offer_columns.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "pricing/import/near_column.h"

namespace rightsize {
namespace {

// What is read beside prices.
constexpr std::array<std::string_view, 18> described{"Provider",
                                                     "InstanceType",
                                                     "AcceleratorName",
                                                     "Region",
                                                     "AcceleratorCount",
                                                     "AcceleratorMemoryGiB",
                                                     "GpuInfo",
                                                     "vCPUs",
                                                     "MemoryGiB",
                                                     "LocalDiskGiB",
                                                     "Arch",
                                                     "Cpu",
                                                     "Book",
                                                     "AsOf",
                                                     "Source",
                                                     "Payment",
                                                     "Currency",
                                                     "AvailabilityZone"};

// A price under another name would go without a word.
constexpr std::array<std::string_view, 11> telling{"price",
                                                   "cost",
                                                   "spot",
                                                   "month",
                                                   "reserved",
                                                   "gpu",
                                                   "accelerator",
                                                   "cpu",
                                                   "memory",
                                                   "currency",
                                                   "region"};

bool seems_meant(std::string_view column) {
  std::string lower;
  std::transform(column.begin(), column.end(), std::back_inserter(lower), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return std::any_of(telling.begin(), telling.end(), [&](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

std::vector<std::string_view> columns_read() {
  std::vector<std::string_view> all(described.begin(), described.end());
  all.push_back(month_column);
  for (const auto& price : price_columns) {
    all.push_back(price.column);
  }
  return all;
}

}  // namespace

std::vector<std::string> unread_columns(const CsvTable& table) {
  return unread_columns(table,
                        columns_read(),
                        "prices are in Price, SpotPrice, Reserved1yPrice, Reserved3yPrice and "
                        "MonthlyPrice, GPUs in AcceleratorName, AcceleratorCount and "
                        "AcceleratorMemoryGiB");
}

std::vector<std::string> unread_columns(const CsvTable& table,
                                        std::vector<std::string_view> known,
                                        std::string_view where) {
  std::vector<bool> read(table.header.size());
  std::erase_if(known, [&](std::string_view name) {
    const int at = table.column(name);
    if (at >= 0) {
      read[static_cast<std::size_t>(at)] = true;
    }
    return at >= 0;
  });
  std::vector<std::string> unread;
  for (std::size_t at = 0; at < read.size(); ++at) {
    const auto& column = table.header[at];
    const auto near = read[at] ? "" : near_column(column, known);
    if (!near.empty()) {
      unread.push_back(fmt::format("\"{}\" is not read: did you mean {}?", column, near));
    } else if (!read[at] && seems_meant(column)) {
      unread.push_back(fmt::format("\"{}\" is not read: {}", column, where));
    }
  }
  return unread;
}

}  // namespace rightsize
