#include "pricing/import/csv.h"

#include <doctest/doctest.h>

#include "pricing/money.h"

using namespace rightsize;

TEST_CASE("csv: quotes protect commas, line breaks and quotes") {
  const auto table = parse_csv("a,b\r\n\"1,2\",\"say \"\"hi\"\"\"\r\n\"x\ny\",z\n", "t.csv");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].fields == std::vector<std::string>{"1,2", "say \"hi\""});
  CHECK(table.rows[1].fields == std::vector<std::string>{"x\ny", "z"});
  CHECK(table.rows[1].line == 3);
}

TEST_CASE("csv: columns are found by name without case, behind a byte-order mark") {
  const auto table = parse_csv("\xEF\xBB\xBFInstanceType,vCPUs\nx,1\n", "t.csv");
  CHECK(table.column("instancetype") == 0);
  CHECK(table.column("VCPUS") == 1);
  CHECK(table.column("price") == -1);
}

TEST_CASE("csv: malformed input names file and line") {
  CHECK_THROWS_WITH(static_cast<void>(parse_csv("a,b\n1\n", "t.csv")),
                    "t.csv:2: 1 fields, the header has 2");
  CHECK_THROWS_WITH(static_cast<void>(parse_csv("a\n\"open\n", "t.csv")),
                    "t.csv:2: a quoted field is not closed");
  CHECK_THROWS_WITH(static_cast<void>(parse_csv("", "t.csv")),
                    "t.csv: the file is empty, expected a header line");
}
