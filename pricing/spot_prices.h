// What a machine's spot price is in a cloud's other regions, and on demand: the measure of one that
// was taken in one zone or one moment.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

class SpotPrices {
 public:
  explicit SpotPrices(std::span<const Offer> offers);  // borrows nothing

  // Why a spot price is to be looked at again: less than a third of the median of at least two
  // other regions. Clouds that publish theirs by region (Google) have such ones too, so it is a
  // doubt and no error. "" of other markets.
  [[nodiscard]] std::string doubt(const Offer& offer) const;

  // The same by what the machine costs in its own region on demand, of which it is less than a
  // fifth. Azure publishes many such: before renting a doubt, in a table none.
  [[nodiscard]] std::string doubt_by_demand(const Offer& offer) const;

 private:
  struct Price {
    std::string region;
    double per_hour = 0;
  };
  std::map<std::string, std::vector<Price>> of_machine_;
  std::map<std::string, double> on_demand_;  // by machine and region, the least an hour
};

}  // namespace rightsize
