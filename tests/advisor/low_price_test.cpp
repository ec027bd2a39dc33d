// A chosen price that is far below what the like costs elsewhere: said, with what the answer is
// without such prices.
#include <algorithm>

#include <doctest/doctest.h>

#include "advisor/low_price_warnings.h"
#include "made_option.h"
#include "service_world.h"

using namespace rightsize;

namespace {

constexpr const char* header =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,SpotPrice,"
    "Currency,Arch,Book,AsOf,Source";

std::string row(const char* provider, const char* region, const char* price, const char* spot) {
  return fmt::format("{},{}.one,8,64,A100,1,{},{},{},USD,x86_64,current,2026-01-01,test\n",
                     provider,
                     provider,
                     region,
                     price,
                     spot);
}

Option option(const char* provider, const char* region, Market market, double cost) {
  auto one = test::made_option((std::string(provider) + ".one").c_str(), "A100", 8, 64);
  one.provider = provider;
  one.region = region;
  one.market = market;
  one.cost = {cost, cost, cost, 0.9, "USD", Source::scaled};
  return one;
}

Recommendation answer_of(std::vector<Option> options) {
  Recommendation answer;
  answer.options = std::move(options);
  answer.chosen = answer.options.front();
  return answer;
}

const Offer& offer_of(const Catalog& catalog, const Option& option) {
  const auto offers = catalog.offers();
  return *std::find_if(offers.begin(), offers.end(), [&](const Offer& one) {
    return one.provider == option.provider && one.region == option.region &&
           one.market == option.market;
  });
}

}  // namespace

TEST_CASE("low price: on demand, and the first option that does not rest on such a one") {
  const auto known = test::knowledge_of(
      header, row("cheap", "here", "0.60", "") + row("usual", "here", "2.00", ""));
  auto answer = answer_of({option("cheap", "here", Market::on_demand, 6),
                           option("usual", "here", Market::on_demand, 20)});
  warn_of_low_price(known.catalog, offer_of(known.catalog, answer.options[0]), answer);
  REQUIRE(answer.warnings.size() == 1);
  CHECK(answer.warnings[0] ==
        "cheap.one in here: 0.6 USD an hour for one A100 is 30% of the 2 that the only other "
        "provider asks: a teaser, a part of a card, or sold out?; without such prices "
        "usual/usual.one in "
        "here is first, ~20.00 USD");
  answer.warnings.clear();
  warn_of_low_price(known.catalog, offer_of(known.catalog, answer.options[1]), answer);
  CHECK(answer.warnings.empty());
}

TEST_CASE("low price: spot beside other regions, and beside the price on demand") {
  const auto known = test::knowledge_of(
      header,
      row("aws", "east", "2.00", "0.30") + row("aws", "west", "2.00", "1.00") +
          row("aws", "south", "2.00", "1.10") + row("gcp", "east", "2.00", "0.30"));
  auto answer = answer_of({option("aws", "east", Market::spot, 3),
                           option("gcp", "east", Market::spot, 3),
                           option("aws", "west", Market::spot, 10)});
  warn_of_low_price(known.catalog, offer_of(known.catalog, answer.options[0]), answer);
  warn_of_low_price(known.catalog, offer_of(known.catalog, answer.options[1]), answer);
  REQUIRE(answer.warnings.size() == 2);
  CHECK(answer.warnings[0].find("other regions have in the middle") != std::string::npos);
  CHECK(answer.warnings[1].find("15% of the 2 it costs there on demand") != std::string::npos);
  for (const auto& words : answer.warnings) {
    CHECK(words.find("without such prices aws/aws.one [Spot] in west is first, ~10.00 USD") !=
          std::string::npos);
  }
}
