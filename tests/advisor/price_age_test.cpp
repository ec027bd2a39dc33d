// A price is as good as its date: what advise says of old ones.
#include <algorithm>
#include <ctime>

#include <doctest/doctest.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include "advisor/search.h"
#include "support/made_catalog.h"

using namespace rightsize;

namespace {

// A machine whose price is so many days old.
bool warns(int days, const char* book = "current", const char* books = nullptr) {
  const auto then = std::time(nullptr) - std::time_t{days} * 24 * 3600;
  const auto knowledge = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      fmt::format("acme,v.small,16,64,V100,1,here,1.00,USD,x86_64,{},{:%Y-%m-%d},test\n",
                  book,
                  fmt::gmtime(then)));
  auto query = test::imagenet_job();
  query.book = books == nullptr ? book : books;
  const auto answer = search(query, knowledge.evidence(), {});
  REQUIRE(answer.chosen);
  return std::any_of(
      answer.warnings.begin(), answer.warnings.end(), [&](const std::string& warning) {
        return warning.find(fmt::format("{} days ago: check it", days)) != std::string::npos;
      });
}

}  // namespace

TEST_CASE("prices: an old one is told, a fresh one is not, and an era's is meant to be old") {
  CHECK_FALSE(warns(5));
  CHECK(warns(31));
  CHECK(warns(400));
  CHECK_FALSE(warns(400, "era-2017"));
  // Of several books it is the chosen offer's that counts.
  CHECK(warns(400, "current", "current,era-2017"));
  CHECK_FALSE(warns(400, "era-2017", "current,era-2017"));
}
