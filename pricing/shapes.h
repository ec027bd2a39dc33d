// What is known of an instance type besides its price: its shape, from tables that state it. Joins
// files that price a machine without describing it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pricing/offer.h"

namespace rightsize {

class Catalog;

class Shapes {
 public:
  // Of the provider's offers, one per instance type; none when `catalog` is nullptr. Borrowed.
  Shapes(const Catalog* catalog, std::string_view provider);

  // nullptr when no table describes it.
  [[nodiscard]] const Offer* of(std::string_view instance) const;
  // Any of its family, "p3" of "p3.16xlarge": what GPU is inside.
  [[nodiscard]] const Offer* of_family(std::string_view instance) const;
  [[nodiscard]] std::vector<const Offer*> all() const;

  // Copies vCPUs, memory, GPUs, disk, architecture and CPU, where the offer names none; false when
  // the type is not known.
  bool describe(Offer& offer) const;

 private:
  std::map<std::string, const Offer*, std::less<>> by_instance_;
  std::map<std::string, const Offer*, std::less<>> by_family_;
};

}  // namespace rightsize
