#include "profiler/exact_json.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include <doctest/doctest.h>

namespace rightsize {
namespace {

TEST_CASE("exact json: every double comes back from its own digits") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100'000; ++i) {
    const auto number = std::bit_cast<double>(std::uint64_t{random()});
    if (!std::isfinite(number)) {
      continue;
    }
    const auto text = boost::json::serialize(boost::json::value(number));
    const auto read = parse_exactly(text);
    REQUIRE_MESSAGE(read.has_value(), text);
    REQUIRE_MESSAGE(read->to_number<double>() == number, text);
  }
}

TEST_CASE("exact json: reads what boost::json::parse reads") {
  for (const std::string text :
       {R"({"a":[1,-2,18446744073709551615,true,null],"long\nkey":{"text":"caf\u00e9 \"x\""}})",
        "[]",
        "{}",
        "[[[]],{}]",
        "\"\"",
        "17",
        " [1.5, 2e3] "}) {
    const auto read = parse_exactly(text);
    REQUIRE_MESSAGE(read.has_value(), text);
    CHECK(*read == boost::json::parse(text));
  }
  CHECK(parse_exactly("0.1")->get_double() == 0.1);
  CHECK(parse_exactly("[17, 0.3]")->at(1).get_double() == 0.3);
}

TEST_CASE("exact json: what is no value is nothing") {
  for (const std::string text : {"", "{", "[1,]", "nan", "{\"a\":1", "1 2", "{} {}", "tru"}) {
    CHECK_MESSAGE(!parse_exactly(text), text);
  }
}

}  // namespace
}  // namespace rightsize
