#include "pricing/import/csv.h"

#include <sstream>

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

TEST_CASE("csv: rows one at a time end where those of a whole text do") {
  for (const auto* text :
       {"a,b\n1,2\n3,4\n", "a,b\r\n1,2\r\n3,4\r\n", "a,b\r1,2\r3,4\r", "a,b\r1,2\r\n3,4"}) {
    CAPTURE(text);
    std::istringstream in(text);
    CsvStream stream(in, "t.csv");
    const auto whole = parse_csv(text, "t.csv");
    REQUIRE(whole.rows.size() == 2);
    CsvTable::Row row;
    REQUIRE(stream.next(row));
    CHECK(row.fields == whole.header);
    for (const auto& expected : whole.rows) {
      REQUIRE(stream.next(row));
      CHECK(row.fields == expected.fields);
      CHECK(row.line == expected.line);
    }
    CHECK_FALSE(stream.next(row));
  }
  std::istringstream quoted("a\r\"x\ry\"\rz\r");
  CsvStream stream(quoted, "t.csv");
  CsvTable::Row row;
  REQUIRE(stream.next(row));
  REQUIRE(stream.next(row));
  CHECK(row.fields == std::vector<std::string>{"x\ry"});
  REQUIRE(stream.next(row));
  CHECK(row.fields == std::vector<std::string>{"z"});
  CHECK(row.line == 4);
}

TEST_CASE("csv: a quote inside a field is a character, and takes no row with it") {
  const std::string text = "id,note\n1,rack 19\" left\n2,plain\n3,rack 19\" right\n";
  std::istringstream in(text);
  CsvStream stream(in, "t.csv");
  const auto whole = parse_csv(text, "t.csv");
  REQUIRE(whole.rows.size() == 3);
  CsvTable::Row row;
  REQUIRE(stream.next(row));
  for (const auto& expected : whole.rows) {
    REQUIRE(stream.next(row));
    CHECK(row.fields == expected.fields);
    CHECK(row.line == expected.line);
  }
  CHECK(row.fields == std::vector<std::string>{"3", "rack 19\" right"});
  CHECK_FALSE(stream.next(row));
}

TEST_CASE("csv: a quoted field behind a byte-order mark, and one with quotes and breaks in it") {
  std::istringstream in("\xEF\xBB\xBF\"a\nb\",\"\"\n\"say \"\"hi\"\"\n\",2\n");
  CsvStream stream(in, "t.csv");
  CsvTable::Row row;
  REQUIRE(stream.next(row));
  CHECK(row.fields == std::vector<std::string>{"a\nb", ""});
  REQUIRE(stream.next(row));
  CHECK(row.fields == std::vector<std::string>{"say \"hi\"\n", "2"});
  CHECK_FALSE(stream.next(row));
}
