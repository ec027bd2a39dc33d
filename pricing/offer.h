// One thing a provider sells by the hour, as its table states it. Missing is nullopt, never zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pricing/money.h"

namespace rightsize {

enum class Market { on_demand, spot };

[[nodiscard]] std::string_view to_string(Market market);
[[nodiscard]] std::optional<Market> parse_market(std::string_view text);

struct Offer {
  std::string provider;
  std::string instance;
  std::string region;
  Market market = Market::on_demand;
  std::string gpu;                       // canonical name, empty for a CPU machine
  double gpus = 0;                       // may be a fraction of one
  std::optional<double> gpu_memory_gib;  // per GPU
  std::optional<double> vcpus;
  std::optional<double> memory_gib;
  std::optional<double> local_disk_gib;
  std::string arch;  // "x86_64", "arm64", "" where not stated
  Money price_per_hour;
  std::string book;  // "current", "era-2017", or the name of an imported book
  std::string as_of;
  std::string source;
  std::string table;  // "aws.csv"
  int line = 0;
};

}  // namespace rightsize
