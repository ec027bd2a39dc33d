// What the JSON and the CSV of an AWS bulk offer file have in common: which products are Linux
// machines anybody can rent, what is inside them, and what a term costs per hour.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "pricing/import/import.h"
#include "pricing/shapes.h"

namespace rightsize {

// Of one product (SKU), as the file spells them; empty where it does not say.
struct AwsProduct {
  int line = 0;
  std::string family, instance, region, location, operating_system, tenancy, software, capacity,
      license, operation, market, vcpus, memory, gpus, processor, storage;
};

// One term of a product: on demand, or a reservation with its hourly and its upfront part.
struct AwsTerm {
  int line = 0;
  bool reserved = false;
  std::string lease, payment, offering_class;  // "1yr", "No Upfront", "standard"
  std::string hourly, upfront, currency;
};

class AwsOffers {
 public:
  AwsOffers(const ImportOptions& options, ImportedTable& table)
      : options_(options), out_(table), shapes_(options.known, "aws") {}

  void published(std::string_view time);
  // Keeps the product when it is a shared Linux machine; counts it as left out otherwise.
  void add_product(const std::string& sku, const AwsProduct& product);
  [[nodiscard]] bool keeps(const std::string& sku) const { return machines_.contains(sku); }
  [[nodiscard]] bool has_products() const { return out_.rows > 0; }
  // Adds an offer when the product is kept and the term is one that was asked for.
  void add_term(const std::string& sku, const AwsTerm& term);
  // After the last term: counts the machines that none of those asked for prices.
  void finish();
  // Whether terms of this kind are kept at all.
  [[nodiscard]] bool wants(const AwsTerm& term) const;

 private:
  [[nodiscard]] Offer machine_of(const AwsProduct& product);
  [[nodiscard]] std::optional<Money> price_of(const AwsTerm& term, Market market);

  const ImportOptions& options_;
  ImportedTable& out_;
  Shapes shapes_;
  std::string as_of_;
  struct Machine {
    Offer offer;  // without a price
    bool has_term = false;
  };
  std::map<std::string, Machine, std::less<>> machines_;  // by SKU
};

}  // namespace rightsize
