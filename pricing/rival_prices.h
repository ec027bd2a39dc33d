// What other providers ask on demand for one GPU of a kind: the measure of a price that only one
// has. Lists that people collected hold teasers, prices of a part of a card, and what is sold out.
#pragma once

#include <map>
#include <span>
#include <string>

#include "pricing/offer.h"

namespace rightsize {

class RivalPrices {
 public:
  // Of what is on demand, with whole GPUs; borrows nothing.
  explicit RivalPrices(std::span<const Offer> offers);

  // Why an on-demand price is to be looked at again: less than 60 % of the least that any other
  // provider asks for such a GPU, in the same book and currency. "" of other markets, of machines
  // without a GPU, and where nobody else has one.
  [[nodiscard]] std::string doubt(const Offer& offer) const;

 private:
  // By GPU, book and currency the least price of one, by provider.
  std::map<std::string, std::map<std::string, double>> of_gpu_;
};

}  // namespace rightsize
