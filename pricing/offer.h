// One thing a provider sells by the hour, as its table states it. Missing is nullopt, never zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/money.h"

namespace rightsize {

enum class Market { on_demand, spot, reserved_1y, reserved_3y };

constexpr Market all_markets[] = {
    Market::on_demand, Market::spot, Market::reserved_1y, Market::reserved_3y};

// A reservation is paid for all of them, used or not: 8,760 or 26,280 hours; 0 where nothing binds.
[[nodiscard]] int committed_hours(Market market);

[[nodiscard]] std::string_view to_string(Market market);
[[nodiscard]] std::optional<Market> parse_market(std::string_view text);

// A part of a price that is made up of several: "purchase over 4 years", per hour.
struct PricePart {
  std::string what;
  Money per_hour;
  // Of what is bought: an hour's, worked or not, where `per_hour` is of those worked.
  std::optional<Money> each_hour = std::nullopt;
  // Nobody said how many are worked: the runs of a month bear all of its hours between them.
  bool idle_borne = false;
};

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
  std::string cpu;   // as its table names it: "Skylake", "EPYC 7R13"; "" where it names none
  std::optional<int> count;  // that there are, of one's own where that is said
  std::string network;  // between such machines, kept up: "efa:400" (Gb/s); "" where no table says
  // Of a reservation: the hourly rate, with what is paid upfront spread over the term.
  Money price_per_hour;
  std::vector<PricePart> parts;  // add up to the price; empty where it is one figure
  std::string payment;  // of a reservation: "no upfront", "partial upfront", "all upfront" or ""
  std::string book;     // "current", "era-2017", or the name of an imported book
  std::string as_of;
  std::string source;
  std::string retired_on;  // the day its provider ended it (retirement.h); "" while it is sold
  std::string table;       // "aws.csv"
  int line = 0;
};

// How the source begins of a price that the user assumes and no table has.
inline constexpr std::string_view assumed_price = "assumed: ";

}  // namespace rightsize
