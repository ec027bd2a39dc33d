// Prices of a term, a month and an hour: what nobody pays is told by the hour, in what the currency
// is worth.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "pricing/import/figures.h"
#include "pricing/import_text.h"
#include "pricing/monthly.h"

using namespace rightsize;
using test::has_issue;
using test::import_text;

namespace {

// An A100 machine of Azure's, of the type and the term that `more` says.
ImportedTable azure_item(const char* price, const char* currency, const char* more) {
  return import_text(
      fmt::format("{{\"Items\": [{{\"armSkuName\": \"Standard_ND96asr_v4\", \"armRegionName\": "
                  "\"eastus\", \"unitOfMeasure\": \"1 Hour\", \"retailPrice\": {}, "
                  "\"currencyCode\": \"{}\", {}}}]}}",
                  price,
                  currency,
                  more),
      "azure");
}

constexpr const char* by_the_hour = "\"type\": \"Consumption\"";

ImportedTable a_year(const char* price, const char* currency = "USD") {
  return azure_item(price, currency, "\"type\": \"Reservation\", \"reservationTerm\": \"1 Year\"");
}

std::string hour_of(const ImportedTable& table) {
  return table.offers.empty() ? "none" : table.offers[0].price_per_hour.decimal();
}

std::string month_of(const ImportedTable& table) {
  return table.offers.empty() ? "none" : month_price(table.offers[0]).decimal();
}

}  // namespace

// 142,963.20 / 8,760 h = 16.32; of three years 1,051,200 / 26,280 h = 40.
TEST_CASE("price period: a reservation of a large machine is a term's, and no placeholder") {
  CHECK(hour_of(a_year("142963.2")) == "16.32");
  const auto years =
      azure_item("1051200.0", "USD", "\"type\": \"Reservation\", \"reservationTerm\": \"3 Years\"");
  CHECK(hour_of(years) == "40.00");
  CHECK(years.issues.empty());
}

TEST_CASE("price period: a placeholder is one whatever it is said to be for") {
  for (const auto* price : {"99999999.0", "99999999", "9.9999999E7", "999999.99"}) {
    CAPTURE(price);
    CHECK(hour_of(a_year(price)) == "none");
    CHECK(hour_of(azure_item(price, "USD", by_the_hour)) == "none");
    CHECK(hour_of(azure_item(price, "KRW", by_the_hour)) == "none");
    CHECK(has_issue(a_year(price), 1, "is not a price anybody pays: left out"));
  }
  CHECK(hour_of(azure_item("142963.2", "USD", by_the_hour)) == "none");
  CHECK(hour_of(a_year("99999999999.0")) == "none");  // more than can be held
}

// 138,000 won are 98 dollars.
TEST_CASE("price period: what an hour costs at most is counted in what the currency is worth") {
  CHECK(hour_of(azure_item("138000.0", "KRW", by_the_hour)) == "138000.00");
  CHECK(hour_of(a_year("1208880000.0", "KRW")) == "138000.00");
  CHECK(hour_of(a_year("9999990.0", "KRW")) == "1141.551369863");  // nines, but a price
  CHECK(read_price("138000", "EUR").price == std::nullopt);
  CHECK(read_price("100000000", "KRW").price == std::nullopt);
}

TEST_CASE("price period: a month's price is a month's in a book and in a column") {
  const auto book = import_text(
      "book = \"mine\"\ncurrency = \"CNY\"\n[[offer]]\nprovider = \"aws\"\n"
      "instance = \"p5.4xlarge\"\nregion = \"us-east-1\"\nprice = \"120000\"\nper = \"month\"\n",
      "book");
  CHECK(month_of(book) == "120000.00");
  const auto column = import_text(
      "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,MonthlyPrice,Currency\n"
      "acme,big,8,64,here,,120000,CNY\nacme,none,8,64,here,,99999999,CNY\n",
      "skypilot");
  CHECK(month_of(column) == "120000.00");
  CHECK(column.offers.size() == 1);
}
