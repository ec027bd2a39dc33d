// The machine of today, as --current names it: how many, which, where, and in which market.
#pragma once

#include <optional>
#include <string>

#include "advisor/query/query.h"
#include "pricing/catalog.h"

namespace rightsize {

struct CurrentMachine {
  std::string instance;  // "g6.xlarge", "aws/g6.xlarge", "aws/g6.xlarge@CPU"
  std::string place;     // "aws/eu-west-1" of "aws/eu-west-1/g6.xlarge"; "": not said
  // What is asked of it: all but which others are looked at. Of places those of the question, where
  // it is sold there; then or else it is where it costs least.
  Query query;
  std::optional<bool> by_month = std::nullopt;  // whether rented by whole months; nullopt: either
};

// "3 x g6.xlarge [Spot]", as tables show it, "aws/eu-west-1/g6.xlarge [1y]"; all but the name may
// be left out. What is rented today is rented on demand where nothing else is said and it is sold
// so in the books of `query`; else as that asks. Throws UsageError, also where the catalogue has it
// neither in that place nor in that market, and for a number of a job's machines.
[[nodiscard]] CurrentMachine read_current(const Catalog& catalog,
                                          const Query& query,
                                          const std::string& text);

// One name can be two machines: to take the first would judge one that may be nobody's. Throws
// UsageError where `query` reaches it with several CPUs.
void require_one_cpu(const Query& query,
                     const Catalog& catalog,
                     const std::string& text,
                     const std::string& instance);

}  // namespace rightsize
