// Whether the GPUs that a price table names are any, are as many as a machine has, and have a
// memory that one of them can have: tables hold that of all together, or MiB.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/catalog.h"
#include "pricing/offer.h"

namespace rightsize {

// What is wrong with the name of a GPU; "" where figures are known of it. Who knows GPUs says so:
// the laws are in another room.
using GpuDoubt = std::function<std::string(std::string_view)>;

class GpuCheck {
 public:
  // Holds against the GPUs of `known`, which is borrowed.
  GpuCheck(std::span<const Offer> known, GpuDoubt doubt);

  // Adds to `issues`. `same_machine` is the known offer of that type; nullptr: none is.
  void check(const Offer& offer, const Offer* same_machine, std::vector<PriceIssue>& issues);

 private:
  void check_name(const Offer& offer, std::vector<PriceIssue>& issues);
  void check_count(const Offer& offer,
                   const Offer* same_machine,
                   std::vector<PriceIssue>& issues) const;
  void check_memory(const Offer& offer,
                    const Offer* same_machine,
                    std::vector<PriceIssue>& issues) const;

  struct Sizes {
    const Offer* least;
    const Offer* most;
  };
  std::map<std::string, Sizes> sizes_;  // what one GPU of that name is sold with
  GpuDoubt doubt_;
  std::set<std::string> named_;  // a name is doubted once
};

}  // namespace rightsize
