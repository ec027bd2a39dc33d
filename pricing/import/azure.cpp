// Pages of Azure's retail prices API: {"BillingCurrency": "USD", "Items": [{...}], "NextPageLink"}.
// The price of a reservation is that of its whole term although unitOfMeasure says "1 Hour"; spot
// is told by the meter's name only; nothing says what a size has inside, which Shapes adds.
#include <fmt/format.h>

#include "pricing/import/adapters.h"
#include "pricing/import/figures.h"
#include "pricing/import/json_records.h"
#include "pricing/shapes.h"

namespace rightsize {
namespace {

class AzurePages {
 public:
  AzurePages(const ImportOptions& options, ImportedTable& table)
      : options_(options), out_(table), shapes_(options.known, "azure") {}

  void add(const JsonNode& item) {
    ++out_.rows;
    const auto market = market_of(item);
    if (!market) {
      ++out_.left_out;
      return;
    }
    PriceFigure figure;
    try {
      figure = read_price(item["retailPrice"].text, currency_of(item));
    } catch (const PricingError& error) {
      throw PricingError(fmt::format("{}:{}: retailPrice: {}", out_.file, item.line, error.what()));
    }
    if (!figure.trap.empty()) {
      out_.note(item.line, "retailPrice", figure.trap);
    }
    if (!figure.price) {
      return;
    }
    Offer offer = offer_of(item, *market);
    const int hours = committed_hours(*market);
    offer.price_per_hour = hours > 0 ? figure.price->times(1, hours) : *figure.price;
    offer.payment = hours > 0 ? "all upfront" : "";
    if (!shapes_.describe(offer)) {
      out_.note(item.line,
                "armSkuName",
                fmt::format("{}: no table here says its vCPUs, memory and GPUs", offer.instance));
    }
    out_.offers.push_back(offer);
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
    const auto& term = item["reservationTerm"].text;
    return type != "Reservation" ? std::nullopt
           : term == "1 Year"    ? std::optional(Market::reserved_1y)
           : term == "3 Years"   ? std::optional(Market::reserved_3y)
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
}

}  // namespace rightsize
