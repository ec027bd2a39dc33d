// Pages of Azure's retail prices API: {"BillingCurrency": "USD", "Items": [{...}], "NextPageLink"}.
// The price of a reservation is that of its whole term although unitOfMeasure says "1 Hour"; spot
// is told by the meter's name only; nothing says what a size has inside, which Shapes adds. A
// savings plan stands inside the item of the machine on demand ("savingsPlan": [{"retailPrice",
// "term"}], by the hour; API version 2023-01-01-preview and later): as a commitment that is paid
// whether used or not it is a reserved price with another way to pay, and is taken where the pages
// have no reservation, or instead of them where the user asks for it.
#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/figures.h"
#include "pricing/import/first_price.h"
#include "pricing/import/json_records.h"
#include "pricing/shapes.h"

namespace rightsize {
namespace {

constexpr const char* savings_plan = "savings plan";

class AzurePages {
 public:
  AzurePages(const ImportOptions& options, ImportedTable& table)
      : options_(options), out_(table), shapes_(options.known, "azure") {}

  void add(const JsonNode& item) {
    ++out_.rows;
    const auto market = market_of(item);
    const bool plans_only = options_.payment == savings_plan;
    if (!market || (plans_only && committed_hours(*market) > 0)) {
      ++out_.left_out;
      return;
    }
    const int hours = committed_hours(*market);
    const auto price = price_of(item["retailPrice"], item, "retailPrice", std::max(1, hours));
    if (!price) {
      if (item["retailPrice"].text.empty()) {
        out_.without_price(item.line);
      }
      return;
    }
    Offer offer = offer_of(item, *market);
    offer.price_per_hour = hours > 0 ? price->times(1, hours) : *price;
    offer.payment = hours > 0 ? "all upfront" : "";
    if (!shapes_.describe(offer)) {
      out_.note(item.line,
                "armSkuName",
                fmt::format("{}: no table here says its vCPUs, memory and GPUs", offer.instance));
    }
    if (hours > 0) {
      reserved_.insert(key(offer));
    }
    if (*market == Market::on_demand) {
      add_plans(item, offer);
    }
    out_.offers.push_back(std::move(offer));
  }

  // After the last item: plans for what no page has a reservation of.
  void finish() {
    for (auto& plan : plans_) {
      if (!reserved_.contains(key(plan))) {
        out_.offers.push_back(std::move(plan));
      }
    }
    keep_first_prices(out_);
  }

 private:
  static std::string currency_of(const JsonNode& item) {
    return item["currencyCode"].text.empty() ? "USD" : item["currencyCode"].text;
  }

  // nullopt for what is no Linux virtual machine by the hour, or is listed twice.
  static std::optional<Market> market_of(const JsonNode& item) {
    const auto& name = item["meterName"].text;
    const auto& product = item["productName"].text;
    const auto& type = item["type"].text;
    const bool wanted = item["armSkuName"].text.starts_with("Standard_") &&
                        item["isPrimaryMeterRegion"].text != "false" &&
                        item["unitOfMeasure"].text == "1 Hour" && !mentions(product, "Windows") &&
                        !mentions(product, "Cloud Services") &&
                        !mentions(product, "Dedicated Host") && !mentions(name, "Low Priority");
    if (!wanted) {
      return std::nullopt;
    }
    if (type == "Consumption") {
      return mentions(name, "Spot") || mentions(item["skuName"].text, "Spot") ? Market::spot
                                                                              : Market::on_demand;
    }
    return type == "Reservation" ? committed(item["reservationTerm"].text) : std::nullopt;
  }

  static std::string key(const Offer& offer) {
    return fmt::format("{}/{}/{}", offer.instance, offer.region, to_string(offer.market));
  }

  // Of so many hours; nullopt, with a note, for what nobody pays.
  std::optional<Money> price_of(const JsonNode& value,
                                const JsonNode& item,
                                const std::string& field,
                                int hours = 1) {
    return price_at(value.text, currency_of(item), item.line, field, out_, hours).price;
  }

  void add_plans(const JsonNode& item, const Offer& on_demand) {
    for (const auto& plan : item["savingsPlan"].members) {
      const auto market = committed(plan["term"].text);
      const auto price =
          market ? price_of(plan["retailPrice"], item, "savingsPlan.retailPrice") : std::nullopt;
      if (price) {
        plans_.push_back(on_demand);
        plans_.back().market = *market;
        plans_.back().price_per_hour = *price;
        plans_.back().payment = savings_plan;
      }
    }
  }

  static std::optional<Market> committed(std::string_view term) {
    return term == "1 Year"    ? std::optional(Market::reserved_1y)
           : term == "3 Years" ? std::optional(Market::reserved_3y)
                               : std::nullopt;
  }

  Offer offer_of(const JsonNode& item, Market market) {
    Offer offer;
    offer.provider = "azure";
    offer.instance = item["armSkuName"].text;
    offer.region = item["armRegionName"].text;
    offer.market = market;
    offer.book = options_.book;
    offer.as_of =
        options_.as_of.empty() ? date_of(item["effectiveStartDate"].text) : options_.as_of;
    offer.source = fmt::format("{} meter {}", out_.file, item["meterId"].text);
    offer.table = out_.file;
    offer.line = item.line;
    return offer;
  }

  const ImportOptions& options_;
  ImportedTable& out_;
  Shapes shapes_;
  std::vector<Offer> plans_;
  std::set<std::string> reserved_;  // what the pages have a reservation of
};

}  // namespace

void read_azure(std::istream& in, const ImportOptions& options, ImportedTable& table) {
  AzurePages pages(options, table);
  for_each_json_record(
      in,
      table.file,
      [](const JsonPath& path) {
        return path.size() >= 2 && path.back() == "[]" && path[path.size() - 2] == "Items";
      },
      [&](const JsonPath&, const JsonNode& item) { pages.add(item); });
  pages.finish();
}

}  // namespace rightsize
