#include "advisor/report/table.h"

#include <limits>

#include <doctest/doctest.h>

#include "advisor/report/sparkline.h"
#include "advisor/report/units.h"

using namespace rightsize::report;

TEST_CASE("table: columns align by what is seen, not by bytes") {
  Table table({{"name"}, {"value", Align::right}});
  table.add({"±µ", "1"});
  table.add({"abc", "12"});
  CHECK(table.text() == "name  value\n±µ        1\nabc      12\n");
}

TEST_CASE("table: a narrow terminal loses the columns that can be spared first, and is told so") {
  Table table({{""}, {"name"}, {"note", Align::left, 1}, {"extra", Align::left, 2}, {"last"}});
  table.add({"*", "abc", "nnnn", "eeeee", "llll"});
  CHECK(table.text({false, 80}) == table.text());
  CHECK(table.text({false, 22}) ==
        "   name  note  last\n*  abc   nnnn  llll\n"
        "  NOTE: too narrow for extra\n");
  CHECK(table.text({false, 5}) == "   name\n*  abc\n  NOTE: too narrow for note, extra, last\n");
}

TEST_CASE("table: csv quotes what must be quoted and markdown escapes bars") {
  Table table({{"a"}, {"b"}});
  table.add({"x,y", "say \"hi\""});
  table.add({"p|q", "z"});
  CHECK(table.csv() == "a,b\r\n\"x,y\",\"say \"\"hi\"\"\"\r\np|q,z\r\n");
  CHECK(table.markdown().find("p\\|q") != std::string::npos);
}

TEST_CASE("table: csv has nothing that a spreadsheet would compute, and numbers as they are") {
  const auto cell = [](const std::string& text) {
    Table table({{"a"}});
    table.add({text});
    const auto csv = table.csv();
    return csv.substr(3, csv.size() - 5);
  };
  CHECK(cell("=1+1") == "'=1+1");
  CHECK(cell("@SUM(A1)") == "'@SUM(A1)");
  CHECK(cell("+A1") == "'+A1");
  CHECK(cell("-2+3|cmd") == "'-2+3|cmd");
  CHECK(cell("=HYPERLINK(\"http://x\",\"y\")") == "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
  for (const auto* plain :
       {"", "-", "—", "-1.5", "+12 %", "-1e-05", "-2.50 USD", "a=b", "g5.xlarge"}) {
    CAPTURE(plain);
    CHECK(cell(plain) == plain);
  }
  CHECK(cell("-1,234") == "\"-1,234\"");
}

TEST_CASE("units: one of something, and more") {
  CHECK(count_of(1, "offer") == "1 offer");
  CHECK(count_of(1200, "offer") == "1,200 offers");
  CHECK(number_of(1, "vCPU") == "1 vCPU");
  CHECK(number_of(0.5, "vCPU") == "0.5 vCPUs");
}

TEST_CASE("units: three significant digits and a unit people use") {
  CHECK(digits(0.01234) == "0.0123");
  CHECK(digits(1234.5) == "1234");
  CHECK(digits(12.345) == "12.3");
  CHECK(bytes(512.0 * 1024 * 1024) == "512 MiB");
  CHECK(bytes(1.5 * 1024 * 1024 * 1024) == "1.50 GiB");
  CHECK(bytes_per_s(80e6) == "80.0 MB/s");
  CHECK(duration(0.0123) == "12.3 ms");
  CHECK(duration(7200) == "2.00 h");
  CHECK(count(1281167) == "1,281,167");
  CHECK(money(67.2, "USD") == "$67.20");
  CHECK(money(1234.4, "CNY") == "1,234 CNY");
}

TEST_CASE("units: what costs less than a cent is no zero") {
  CHECK(money(0.000421, "USD") == "$0.000421");
  CHECK(money(0.00002, "USD") == "$0.00002");
  CHECK(money(-0.004, "CNY") == "-0.004 CNY");
  CHECK(money(0.0512, "USD") == "$0.0512");
  CHECK(money(0.0996, "USD") == "$0.10");
  CHECK(money(0, "USD") == "$0.00");
}

TEST_CASE("units: what is not a number is a dash, never a zero") {
  CHECK(digits(std::numeric_limits<double>::infinity()) == "—");
  CHECK(digits(std::numeric_limits<double>::quiet_NaN()) == "—");
}

TEST_CASE("sparkline: the shape of a series, from 0 to its highest") {
  const std::vector<double> ramp{0, 1, 2, 3, 4, 5, 6, 7};
  CHECK(sparkline(ramp) == "▁▂▃▄▅▆▇█");
  CHECK(sparkline(ramp, 2) == "▃█");  // means of 1.5 and 5.5
  CHECK(sparkline(std::vector<double>{0, 0}) == "▁▁");
  CHECK(sparkline({}).empty());
}
