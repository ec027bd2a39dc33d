// Price books of the user's own: prices agreed one by one, discounts, and what is wrong in them.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "pricing/import/import.h"

using namespace rightsize;

namespace {

ImportedTable shipped_with_discounts() {
  const Catalog known = shipped_catalog();
  ImportOptions options;
  options.known = &known;
  std::ifstream in(RIGHTSIZE_SOURCE_DIR "/tests/pricing/tables/book.toml");
  REQUIRE(in);
  return import_prices(in, "book.toml", options);
}

// On demand in us-east-1: "3.06 USD".
std::string price(const ImportedTable& table, std::string_view instance) {
  const auto found =
      std::find_if(table.offers.begin(), table.offers.end(), [&](const Offer& offer) {
        return offer.instance == instance && offer.region == "us-east-1" &&
               offer.market == Market::on_demand;
      });
  REQUIRE(found != table.offers.end());
  return found->price_per_hour.decimal() + " " + found->price_per_hour.currency();
}

}  // namespace

TEST_CASE("import: a price book agrees single prices and takes a discount off the list") {
  const auto table = shipped_with_discounts();
  CHECK(table.format == "book");
  CHECK(price(table, "p5.48xlarge") == "49.50 USD");
  // 3.06 less 12.5 % = 2.6775
  CHECK(price(table, "p3.2xlarge") == "2.6775 USD");
  CHECK(table.offers[0].book == "acme-2026");
  CHECK(table.offers[0].gpus == 8);
  CHECK(table.offers[1].source.find("less 12.5 %") != std::string::npos);
}

TEST_CASE(
    "import: of two discounts on one price the first counts, and the other is said to be idle") {
  const Catalog known = shipped_catalog();
  ImportOptions options;
  options.known = &known;
  const auto noted = [&](const std::string& instances) {
    std::istringstream in(
        "[[discount]]\nprovider = \"aws\"\ninstances = \"p3.*\"\npercent = \"12.5\"\n"
        "[[discount]]\nprovider = \"aws\"\ninstances = \"" +
        instances + "\"\npercent = \"20\"\n");
    const auto table = import_prices(in, "mine.toml", options);
    CHECK(price(table, "p3.2xlarge") == "2.6775 USD");
    REQUIRE(table.issues.size() == 1);
    CHECK(table.issues[0].line == 5);
    return table.issues[0].text;
  };
  CHECK(noted("p3.2xlarge").starts_with("all that it matches is agreed or discounted above it"));
  CHECK(noted("no-such.*").starts_with("matches no list price"));
}

TEST_CASE("import: a price book's mistakes are told in its own words, whatever begins it") {
  const auto said = [](const char* text) -> std::string {
    std::istringstream in(text);
    try {
      static_cast<void>(import_prices(in, "mine.toml", {}));
      return "";
    } catch (const PricingError& error) {
      return error.what();
    }
  };
  CHECK(said("name = \"mine\"\n")
            .starts_with("mine.toml:1: \"name\" is no key of the book, which has book"));
  CHECK(said("[[offers]]\nx = 1\n").find("\"offers\" is no key of the book") != std::string::npos);
  CHECK(said("book = \"mine\n").starts_with("mine.toml:1:"));
  const std::string offer = "[[offer]]\nprovider = \"\"\ninstance = \"a\"\nregion = \"r\"\n";
  CHECK(said((offer + "price = \"1\"\n").c_str()).find("provider is empty") != std::string::npos);
  for (const auto* key : {"cpu", "currency", "market", "per"}) {
    const auto empty = fmt::format(
        "[[offer]]\nprovider = \"p\"\ninstance = \"a\"\nregion = \"r\"\nprice = \"1\"\n{} = \"\"\n",
        key);
    CHECK(said(empty.c_str()) == fmt::format("mine.toml:6: {} is empty", key));
  }
  CHECK(said("book = \"\"\n") == "mine.toml:1: book is empty");
  for (const auto* percent : {"%", "a lot", "100", "-1"}) {
    const auto book = fmt::format("[[discount]]\nprovider = \"aws\"\npercent = \"{}\"\n", percent);
    CHECK(said(book.c_str()) ==
          fmt::format("mine.toml:3: percent = \"{}\": expected per cent, more than 0 and less than "
                      "100, such as 12 or 12.5",
                      percent));
  }
  std::vector<Offer> offers(1);
  offers[0].price_per_hour = Money::parse("2", "USD");
  apply_discount(offers, "10%");
  CHECK(offers[0].price_per_hour.decimal() == "1.80");
  apply_discount(offers, "50 %");
  CHECK(offers[0].price_per_hour.decimal() == "0.90");
}

TEST_CASE("discount: exact, and said in the source") {
  std::vector<Offer> offers(1);
  offers[0].price_per_hour = Money::parse("0.745", "USD");
  apply_discount(offers, "12");
  CHECK(offers[0].price_per_hour == Money::parse("0.6556", "USD"));
  CHECK(offers[0].source == "; less 12 %");
  CHECK_THROWS_AS(apply_discount(offers, "100"), PricingError);
  CHECK_THROWS_AS(apply_discount(offers, "-3"), PricingError);
}

TEST_CASE("import: a book that --book could not ask for is refused, with its line") {
  const std::string offer =
      "[[offer]]\nprovider = \"aws\"\ninstance = \"g5.xlarge\"\nregion = \"us-east-1\"\n"
      "price = \"1.5\"\n";
  const auto refused = [&](const std::string& text, const std::string& file, const char* why) {
    CAPTURE(text);
    std::istringstream in(text);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(import_prices(in, file, {})), doctest::Contains(why), PricingError);
  };
  refused("as_of = \"2026-11-01\"\nbook = \"acme, 2026\"\n" + offer,
          "b.toml",
          "b.toml:2: book: \"acme, 2026\" is no name of a book");
  refused("book = \"own\"\n" + offer, "b.toml", "b.toml:1: book: \"own\" is the book of --on-prem");
  const auto called_as_its_file = [&](const std::string& file) {
    std::istringstream in(offer);
    return import_prices(in, file, {}).offers.at(0).book;
  };
  CHECK(called_as_its_file("own.toml") == "own table");
  CHECK(called_as_its_file("acme,2026.toml") == "acme 2026");
  const std::string header =
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,Book\n";
  refused(header + "aws,a,4,16,T4,1,r,1.0,fine\naws,b,4,16,T4,1,r,1.0,\"a,b\"\n",
          "t.csv",
          "t.csv:3: book: \"a,b\"");
  ImportOptions options;
  options.book = "a,b";
  std::istringstream in(header + "aws,a,4,16,T4,1,r,1.0,\n");
  CHECK_THROWS_AS(static_cast<void>(import_prices(in, "t.csv", options)), PricingError);
}

TEST_CASE("import: a price that is none is told where it stands") {
  std::istringstream in(
      "book = \"b\"\n[[offer]]\nprovider = \"aws\"\ninstance = \"g5.xlarge\"\n"
      "region = \"us-east-1\"\nprice = \"1,5\"\n");
  std::string told;
  try {
    const auto table = import_prices(in, "b.toml", {});
    REQUIRE_FALSE(table.issues.empty());
    told = fmt::format("{}:{}", table.issues[0].table, table.issues[0].line);
  } catch (const PricingError& error) {
    told = error.what();
  }
  CHECK(told.find("b.toml:6") == 0);
}

TEST_CASE("import: what is agreed by the month leaves its hours their discount") {
  const Catalog known = shipped_catalog();
  ImportOptions options;
  options.known = &known;
  std::istringstream in(
      "book = \"b\"\n[[offer]]\nprovider = \"aws\"\ninstance = \"p3.2xlarge\"\n"
      "region = \"us-east-1\"\nprice = \"900\"\nper = \"month\"\n"
      "[[discount]]\nprovider = \"aws\"\ninstances = \"p3.*\"\npercent = \"12.5\"\n");
  const auto table = import_prices(in, "b.toml", options);
  CHECK(std::count_if(table.offers.begin(), table.offers.end(), [](const Offer& offer) {
          return offer.instance == "p3.2xlarge" && offer.region == "us-east-1" &&
                 offer.market == Market::on_demand;
        }) == 2);
}
