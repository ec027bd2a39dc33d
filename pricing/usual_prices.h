// What an hour of one GPU, or of a vCPU without any, is sold for in tables that are believed: the
// measure of a price that nobody else lists.
#pragma once

#include <map>
#include <span>
#include <string>

#include "pricing/offer.h"

namespace rightsize {

class UsualPrices {
 public:
  // Of what is on demand; borrows nothing.
  explicit UsualPrices(std::span<const Offer> known);

  // Why the offer's price is beyond belief: less than a tenth of the least or more than ten times
  // the most that is asked for one such GPU (or vCPU) in that currency; where nobody asks for it in
  // that, in dollars, whatever the currency was worth in the last ten years. "" where it can be
  // believed, nobody sells the like, or the currency's worth is not known here.
  [[nodiscard]] std::string doubt(const Offer& offer) const;

 private:
  struct Range {
    double least = 0;
    double most = 0;
    std::string currency;
  };
  [[nodiscard]] const Range* range_of(const std::string& gpu, const std::string& currency) const;

  std::map<std::string, Range> of_one_;  // by GPU ("" for vCPUs) and currency
};

}  // namespace rightsize
