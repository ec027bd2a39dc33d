// How answers and reports name what they hold: by market, CPU and number, so that no two options of
// one answer read alike; and what reports say of markets.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/recommendation_file.h"
#include "advisor/report/charts.h"
#include "advisor/report/html_tiles.h"
#include "advisor/report/option_text.h"
#include "advisor/report/report_tables.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report/study_charts.h"
#include "advisor/report_fixture.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("option words: reports say the market, the CPU and how many together") {
  auto option = test::make_option("g5.xlarge", 24, 73);
  option.market = Market::reserved_1y;
  CHECK(report::option_name(option) == "aws g5.xlarge [1y]");
  option.cpu = "Skylake";
  CHECK(report::option_name(option) == "aws g5.xlarge@Skylake [1y]");
  CHECK(report::instance_label(option) == "g5.xlarge@Skylake [1y]");
  option.market = Market::on_demand;
  option.cpu.clear();
  option.nodes = 4;
  CHECK(report::option_name(option) == "4 x aws g5.xlarge");
  option.price_per_month = Money::parse("450", "USD");
  CHECK(report::option_name(option) == "4 x aws g5.xlarge [month]");
  CHECK(report::market_text(option) == "on-demand by the month");
  auto answer = test::small_report().answer;
  answer.chosen = answer.options[0] = option;
  const auto tiles = report::tiles(answer);
  CHECK(holds(tiles, "4 x aws g5.xlarge [month]"));
  CHECK(holds(report::facts_table(option, Query{}).csv(), "4 that do the job together"));
}

TEST_CASE("option words: two CPUs under one name are told apart in every form of the answer") {
  const TemporaryFolder folder;
  const auto table = folder.write(
      "cpus.csv",
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,Provider,Cpu\n"
      "l40s,16,128,L40S,1,r,1.70,neo,EPYC 9R14\n"
      "l40s,16,128,L40S,1,r,1.50,neo,Xeon E5-2686 v4\n");
  for (const auto* form : {"table", "wide", "md"}) {
    CAPTURE(form);
    const auto shown = test::run_without_model({"advise", job, "--prices", table, "-o", form});
    CHECK(holds(shown.out, "l40s@EPYC 9R14"));
    CHECK(holds(shown.out, "l40s@Xeon E5-2686 v4"));
  }
  const auto csv = test::run_without_model({"advise", job, "--prices", table, "-o", "csv"}).out;
  CHECK(holds(csv.substr(0, csv.find('\n')), ",cpu,"));
  CHECK(holds(csv, ",EPYC 9R14,"));
}

TEST_CASE("option words: reports side by side say the market") {
  auto spot = test::small_report().answer;
  spot.chosen->market = Market::spot;
  spot.options[0].market = Market::spot;
  const auto text = boost::json::serialize(to_json(spot));
  const TemporaryFolder folder;
  const auto a = folder.write("a.json", text);
  const auto b =
      folder.write("b.json", boost::json::serialize(to_json(test::small_report().answer)));
  const auto result = test::run({"report", a, b, "--csv", "-"});
  CAPTURE(result.err);
  CHECK(holds(result.out, "market"));
  CHECK(holds(result.out, "spot"));
}

TEST_CASE("option words: the market chart names the markets that no table has, and no others") {
  auto data = test::small_report();
  REQUIRE(data.study);
  auto study = *data.study;
  CHECK(holds(report::market_chart(data.answer, study).description,
              "No table has its price in: reserved-1y, reserved-3y."));
  study.markets.push_back({Market::reserved_1y, "us-east-1", 2, "USD", ""});
  study.markets.push_back({Market::reserved_3y, "us-east-1", 1.5, "USD", ""});
  study.markets.push_back({Market::on_demand, "us-east-1", 1, "USD", "", true});
  const auto all = report::market_chart(data.answer, study);
  CHECK_FALSE(holds(all.description, "No table has"));
  REQUIRE(all.series.size() == 5);
  CHECK(all.series[0].points[0].y == 0);  // by the hour nothing is paid for nothing
  for (const std::size_t flat : {2, 3, 4}) {
    CHECK(all.series[flat].points[0].y == all.series[flat].points[1].y);
  }
  CHECK(holds(all.series[4].name, "on-demand by the month"));
  CHECK(report::spot_break_even(data.answer, study) == test::approx(3));
  study.markets.clear();
  data.answer.chosen->own = true;
  const auto none = report::market_chart(data.answer, study);
  CHECK(none.series.empty());
  CHECK(holds(none.when_empty, "sold in no market"));
}

TEST_CASE("option words: the market chart has the machines and disks of the bill") {
  auto data = test::small_report();
  auto& chosen = *data.answer.chosen;
  chosen.nodes = 2;
  chosen.hours.value = 10;
  const auto usd = [](const char* decimal) { return Money::parse(decimal, "USD"); };
  chosen.bill.lines = {{BillLine::Kind::machine, "a", "2 x 10 h", usd("3"), "per hour", usd("60")},
                       {BillLine::Kind::disk, "b", "2 x 1 h", usd("1"), "per hour", usd("20")}};
  auto study = *data.study;
  study.markets = {{Market::on_demand, "us-east-1", 3, "USD", ""},
                   {Market::spot, "us-east-1", 1, "USD", ""},
                   {Market::reserved_1y, "us-east-1", 2, "USD", ""}};
  const auto chart = report::market_chart(data.answer, study);
  REQUIRE(chart.series.size() == 3);
  CHECK(chart.series[0].points[0].y == 0);
  CHECK(chart.series[0].points[1].y == test::approx(hours_per_month * (2 * 3 + 2)));
  CHECK(chart.series[2].points[0].y == test::approx(hours_per_month * 2 * 2));
  CHECK(chart.series[2].points[1].y == test::approx(hours_per_month * (2 * 2 + 2)));
  CHECK(holds(chart.description, "the disks of the hours used, ~2.00 USD an hour"));
  CHECK(report::spot_break_even(data.answer, study) == test::approx(8.0 / 4));
}

TEST_CASE("option words: the middle half of a cost lies within its interval, whole months or not") {
  auto answer = test::small_report().answer;
  answer.options[0].cost = {45, 45, 91, 0.9, "USD", Source::published};  // a share of one or two
  const auto row = report::cost_chart(answer, 1).rows.front();
  REQUIRE(row.inner);
  CHECK(row.inner->low == 45);
  CHECK(row.inner->high <= 91);
}

TEST_CASE("option words: what is the user's own stays in a report, wherever it ranks") {
  auto answer = test::small_report().answer;
  for (int i = 0; i < 60; ++i) {
    answer.options.push_back(test::make_option("dear" + std::to_string(i), 400, 900 + i));
  }
  answer.options.push_back(test::make_option("own 1x T4", 500, 5000));
  answer.options.back().own = true;
  const auto kept = report::shortlisted(answer, 10);
  CHECK(kept.options.size() < 20);
  CHECK(kept.options.back().instance == "own 1x T4");
}
