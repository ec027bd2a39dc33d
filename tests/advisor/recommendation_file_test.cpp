// A saved answer must come back as it was: what cannot be told from a file, a report would invent.
#include "advisor/recommendation_file.h"

#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/report/html.h"
#include "advisor/report/markdown.h"
#include "advisor/report/option_text.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report_fixture.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

std::string complaint_about(const std::string& text) {
  try {
    (void)read_recommendation(text, "a.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("saved answer: comes back as it was written, hostile names or not") {
  for (const auto& data : {test::small_report(), test::hostile_report()}) {
    const auto document = to_json(data.answer);
    const auto back = read_recommendation(boost::json::serialize(document), "a.json");
    const auto again = to_json(back);
    CHECK(again.at("query") == document.at("query"));
    CHECK(again.at("rejected") == document.at("rejected"));
    CHECK(again.at("assumptions") == document.at("assumptions"));
    CHECK(again.at("evidence").at("price_tables") == document.at("evidence").at("price_tables"));
    REQUIRE(back.options.size() == data.answer.options.size());
    for (std::size_t i = 0; i < back.options.size(); ++i) {
      CHECK(back.options[i].instance == data.answer.options[i].instance);
      CHECK(back.options[i].cost.value == test::approx(data.answer.options[i].cost.value));
      CHECK(back.options[i].cost.source == data.answer.options[i].cost.source);
      CHECK(back.options[i].bill.total == data.answer.options[i].bill.total);
      CHECK(back.options[i].busy == data.answer.options[i].busy);
      CHECK(back.options[i].limited_by == data.answer.options[i].limited_by);
    }
    REQUIRE(back.chosen.has_value());
  }
}

TEST_CASE("saved answer: keeps what narrowed the machines, and answers of before had none") {
  auto answer = test::small_report().answer;
  answer.query.gpus_min = answer.query.gpus_max = 4;
  answer.query.vcpus_min = 16;
  answer.query.memory_gib_max = 512;
  answer.query.deny = "^p4";
  auto document = to_json(answer);
  const auto back = read_recommendation(boost::json::serialize(document), "a.json");
  CHECK(to_json(back).at("query") == document.at("query"));
  CHECK(back.query.vcpus_min == 16.0);
  CHECK_FALSE(back.query.vcpus_max.has_value());
  CHECK(back.query.deny == "^p4");
  document["query"].as_object().erase("shapes");
  CHECK_FALSE(
      read_recommendation(boost::json::serialize(document), "a.json").query.gpus_min.has_value());
}

TEST_CASE("saved answer: keeps how many options there were, of which it holds the first") {
  auto answer = test::small_report().answer;
  answer.options_ranked = 40;
  auto document = to_json(answer);
  CHECK(document.at("options_ranked") == 40);
  CHECK(read_recommendation(boost::json::serialize(document), "a.json").options_ranked == 40);
  document.erase("options_ranked");  // as earlier versions wrote it
  CHECK(read_recommendation(boost::json::serialize(document), "a.json").options_ranked == 0);
  answer.options_ranked = 0;  // near misses alone
  CHECK(to_json(answer).at("options_ranked") == answer.options.size());
}

TEST_CASE("saved answer: keeps the CPU that a price table names, earlier versions had none") {
  auto answer = test::small_report().answer;
  answer.options[0].cpu = "Skylake";
  answer.chosen = answer.options[0];
  auto document = to_json(answer);
  CHECK(read_recommendation(boost::json::serialize(document), "a.json").options[0].cpu ==
        "Skylake");
  document.at("options").at(0).as_object().erase("cpu");
  document.at("chosen").as_object().erase("cpu");
  CHECK(read_recommendation(boost::json::serialize(document), "a.json").options[0].cpu.empty());
}

TEST_CASE("saved answer: the exchange of gradients is one bottleneck, in every rendering") {
  auto answer = test::small_report().answer;
  answer.options[0].scaling_efficiency = 0.3;
  answer.options[0].limited_by = Bound::accelerator;
  const auto document = to_json(answer);
  CHECK(document.at("options").at(0).at("bottleneck") == "exchange");
  const auto back = read_recommendation(boost::json::serialize(document), "a.json").options[0];
  CHECK(bottleneck_of(back) == "exchange");
  CHECK(report::limited_by(back) == "gradient exchange");
  CHECK(report::busy_text(back) == "the gpus do 30% of what they do alone");
}

TEST_CASE("saved answer: a total that is not the sum of the bill is refused, none is as before") {
  auto document = to_json(test::small_report().answer);
  auto& option = document.at("options").at(0).as_object();
  CHECK(option.at("bill_total").at("amount").is_string());
  option.at("bill_total").at("amount") = "1.00";
  CHECK(complaint_about(boost::json::serialize(document))
            .find("a.json: options[0].bill_total.amount: expected") == 0);
  option.erase("bill_total");
  CHECK(complaint_about(boost::json::serialize(document)).empty());
}

TEST_CASE("saved answer: keeps what interruptions do, and the network between machines") {
  auto answer = test::small_report().answer;
  answer.query.network_between = parse_network("ib:100", "--net");
  SpotTime spot;
  spot.interruptions = 0.6;
  spot.chance_of_none = 0.55;
  spot.p50_h = 23;
  spot.p90_h = 31;
  spot.least_h = 22;
  spot.interval_s = 1800;
  answer.options[1].spot = spot;
  const auto back = read_recommendation(boost::json::serialize(to_json(answer)), "a.json");
  REQUIRE(back.query.network_between.fabric);
  CHECK(*back.query.network_between.fabric == Fabric::infiniband);
  CHECK(back.query.network_between.fabric_gbit_per_s == 100);
  REQUIRE(back.options[1].spot);
  CHECK(back.options[1].spot->p90_h == test::approx(31));
  CHECK(back.options[1].spot->chance_of_none == test::approx(0.55));
  CHECK(back.options[1].spot->mean_h == test::approx(back.options[1].hours.value));
  CHECK_FALSE(back.options[0].spot);
}

TEST_CASE("saved answer: a service's fleets come back, never-ending latencies too") {
  auto answer = test::service_report().answer;
  answer.options[1].p99.high = HUGE_VAL;  // saturated were it slower
  const auto back = read_recommendation(boost::json::serialize(to_json(answer)), "a.json");
  REQUIRE(back.query.service);
  REQUIRE(back.options[1].service);
  CHECK(std::isinf(back.options[1].p99.high));
  CHECK(back.options[0].service->machines == answer.options[0].service->machines);
  CHECK(back.options[0].p99.value == test::approx(answer.options[0].p99.value));
}

TEST_CASE("saved answer: what is wrong is named with its place") {
  CHECK(complaint_about("{").starts_with("a.json: not JSON: "));
  CHECK(complaint_about("{}").starts_with("a.json: schema: is missing"));
  CHECK(complaint_about(R"({"schema": "rightsize/record/1"})") ==
        "a.json: schema: expected rightsize/recommendation/1");
  CHECK(complaint_about(R"({"schema": "rightsize/fleet/1"})").find("a plan of several jobs") !=
        std::string::npos);
  auto document = to_json(test::small_report().answer);
  document["options"].as_array()[1].as_object()["cost"].as_object()["low"] = "cheap";
  CHECK(complaint_about(boost::json::serialize(document)) ==
        "a.json: options[1].cost.low: expected a number");
}

TEST_CASE("saved answer: without the choice, or without what was chosen, is refused") {
  const auto whole = to_json(test::small_report().answer);
  auto document = whole;
  document.at("options").as_array().clear();
  CHECK(complaint_about(boost::json::serialize(document)).find("a.json: options: expected ") == 0);
  document = whole;
  document.at("chosen") = nullptr;
  CHECK(complaint_about(boost::json::serialize(document)).find("a.json: chosen: expected ") == 0);
  CHECK(complaint_about(boost::json::serialize(whole)).empty());
}

TEST_CASE("saved answer: a value that cannot be is named with its place") {
  const auto with = [](const char* pointer, const boost::json::value& value) {
    boost::json::value document = to_json(test::small_report().answer);
    document.at_pointer(pointer) = value;
    return complaint_about(boost::json::serialize(document));
  };
  CHECK(with("/options/0/rank", 1) == "");
  CHECK(with("/options/1/cost/value", -80) ==
        "a.json: options[1].cost.value: expected a number above 0");
  CHECK(with("/options/1/hours/low", 31) ==
        "a.json: options[1].hours.low: expected at most the value, 30");
  CHECK(with("/chosen/hours/high", 1) ==
        "a.json: chosen.hours.high: expected at least the value, 24");
  CHECK(with("/options/2/p_cheapest", 1.5) ==
        "a.json: options[2].p_cheapest: expected a number from 0 to 1");
  CHECK(with("/options/2/p_constraints", -0.5) ==
        "a.json: options[2].p_constraints: expected a number from 0 to 1");
  CHECK(with("/options/0/vcpus", 0) == "a.json: options[0].vcpus: expected a number above 0");
  CHECK(with("/options/0/gpus", -1) ==
        "a.json: options[0].gpus: expected a number that is not negative");
  CHECK(with("/options/0/gpus", 0) == "a.json: options[0].gpus: expected more than 0 of its gpu");
  CHECK(with("/options/0/nodes", 0) == "a.json: options[0].nodes: expected a whole number from 1");
  CHECK(with("/options/1/rank", 1) ==
        "a.json: options[1].rank: expected another rank than that of an option before it");
  CHECK(with("/options/1/rank", 0) == "a.json: options[1].rank: expected a whole number from 1");
  CHECK(with("/options_total", 2) == "a.json: options_total: expected at least the 3 listed");
  CHECK(with("/chosen/satisfies_constraints", false) ==
        "a.json: chosen.satisfies_constraints: expected true of what is chosen");
}

TEST_CASE("saved answer: its sums are in one currency") {
  const auto with = [](const char* pointer, const char* currency) {
    boost::json::value document = to_json(test::small_report().answer);
    document.at_pointer(pointer) = currency;
    return complaint_about(boost::json::serialize(document));
  };
  CHECK(with("/options/0/bill/0/currency", "EUR") ==
        "a.json: options[0].bill[0].currency: expected USD, the currency of the price");
  CHECK(with("/options/0/currency", "EUR") ==
        "a.json: options[0].currency: expected USD, the currency of the query");
  CHECK(with("/options/0/cost/unit", "EUR") ==
        "a.json: options[0].cost.unit: expected USD, the currency of the query");
  CHECK(with("/query/currency", "dollars") ==
        "a.json: query.currency: expected a currency such as USD");
  CHECK(with("/options/0/price_currency", "CNY") ==
        "a.json: options[0].bill[0].currency: expected CNY, the currency of the price");
  CHECK(with("/options/0/bill/0/amount", "-1.00") ==
        "a.json: options[0].bill[0].amount: expected an amount that is not negative");
}

TEST_CASE(
    "saved answer: a bill in the provider's currency beside a cost in the query's comes back") {
  auto answer = test::small_report().answer;
  auto& option = answer.options[1];
  option.price_per_hour = Money::parse("21.42", "CNY");
  option.bill.lines[0].amount = option.bill.lines[0].unit_price = option.price_per_hour;
  option.bill.total = option.price_per_hour;
  const auto back = read_recommendation(boost::json::serialize(to_json(answer)), "a.json");
  CHECK(back.options[1].bill.total == option.bill.total);
  CHECK(back.options[1].cost.unit == "USD");
}

TEST_CASE("saved answer: a service's counts and chances are checked as well") {
  const auto with = [](const char* pointer, const boost::json::value& value) {
    boost::json::value document = to_json(test::service_report().answer);
    document.at_pointer(pointer) = value;
    return complaint_about(boost::json::serialize(document));
  };
  CHECK(with("/options/1/service/machines", 0) ==
        "a.json: options[1].service.machines: expected a whole number from 1");
  CHECK(with("/options/1/service/p_enough", 2) ==
        "a.json: options[1].service.p_enough: expected a number from 0 to 1");
  CHECK(with("/options/1/service/latency_p99_s", -1) ==
        "a.json: options[1].service.latency_p99_s: expected a number that is not negative");
}

TEST_CASE("saved answer: who cannot be told apart, and what it rests on, stay in its report") {
  auto data = test::small_report();
  data.answer.ties = {1};
  data.answer.runs = 34;
  data.answer.model_error = 0.05;
  auto document = to_json(data.answer);
  report::ReportData saved;
  saved.answer = read_recommendation(boost::json::serialize(document), "a.json");
  CHECK(saved.answer.ties == data.answer.ties);
  const auto text = report::markdown_report(saved);
  CAPTURE(text);
  CHECK(text.find("34 runs") != std::string::npos);
  CHECK(text.find("error 5% median") != std::string::npos);
  for (auto& option : document.at("options").as_array()) {
    option.as_object().erase("ties_with_chosen");  // as earlier versions wrote it
  }
  CHECK(read_recommendation(boost::json::serialize(document), "a.json").ties.empty());
}

TEST_CASE("saved answer: its report says what it cannot show") {
  report::ReportData data;
  data.answer = test::small_report().answer;
  const auto page = report::html_report(data);
  CHECK(page.find("it was made from a saved answer") != std::string::npos);
  CHECK(page.find("chart-pareto") != std::string::npos);
}

TEST_CASE("saved answers: stand beside each other, and one that chose nothing is a dash") {
  auto nothing = test::small_report().answer;
  nothing.chosen.reset();
  const std::vector<report::NamedAnswer> answers{{"a.json", test::small_report().answer},
                                                 {"b.json", nothing}};
  const auto table = report::side_by_side_table(answers);
  CHECK(table.columns().size() == 3);
  CHECK(table.rows()[2][1] == "aws p3.2xlarge");
  CHECK(table.rows()[2][2] == "—");
  CHECK(report::side_by_side_chart(answers).rows.size() == 1);
  CHECK(report::side_by_side_data(answers).rows().size() == 2);
  auto other = test::small_report().answer;
  other.chosen->cost.unit = "EUR";
  const auto chart =
      report::side_by_side_chart(std::vector<report::NamedAnswer>{answers[0], {"c.json", other}});
  CHECK(chart.rows.size() == 1);
  CHECK(chart.description.find("c.json is in EUR and not drawn.") != std::string::npos);
  const auto page = report::side_by_side_html(answers, "rightsize report a.json b.json");
  CHECK(page.find("chart-pareto-1") != std::string::npos);
  CHECK(page.find("chart-pareto-2") != std::string::npos);
}

TEST_CASE("saved answer: keeps today's machine, and what is said of a move from it") {
  auto answer = test::small_report().answer;
  answer.query.runs_per_month = 30;
  RightSizing today;
  today.name = "g5.xlarge";
  today.current = test::make_option("g5.xlarge", 48, 150);
  today.current->p_cheapest = 0;  // it is none of the options
  today.current->throughput = {640, 512, 768, 0.9, "items/s", Source::published};
  today.current->hours = {50, 40, 60, 0.9, "h", Source::published};
  today.current->cost = {150, 125, 175, 0.9, "USD", Source::published};
  today.finding = Finding::overprovisioned;
  today.reason = "retired by the provider on 2026-01-01: nobody can rent it again";
  today.reason_codes = {"CPUOverprovisioned"};
  today.p_better = 0.9;
  today.move = true;
  today.savings_share = Estimate{-0.1, -0.2, 0.1, 0.9, "1", Source::fitted};
  today.savings_per_job = 76;
  today.savings_per_month = 2280;
  today.p_missed = 0.03;
  today.risk = 1;
  today.effort = "Low";
  today.effort_reason = "the same cloud";
  answer.current = today;
  const auto document = to_json(answer);
  const auto back = read_recommendation(boost::json::serialize(document), "a.json");
  CHECK(to_json(back).at("current") == document.at("current"));
  CHECK(back.query.runs_per_month == 30);
  REQUIRE(back.current);
  CHECK(back.current->current->rank == 0);
  auto unranked = document;
  unranked.at("options").at(0).as_object()["rank"] = nullptr;
  CHECK(complaint_about(boost::json::serialize(unranked)) ==
        "a.json: options[0].rank: expected a whole number from 1");
}

TEST_CASE("saved answer: keeps why nothing satisfies, and what is the user's own") {
  auto answer = test::small_report().answer;
  answer.chosen.reset();
  for (auto& option : answer.options) {
    option.satisfies = false;
    option.shortfall = "misses the deadline even at the optimistic bound";
    option.own = true;
  }
  const auto back = read_recommendation(boost::json::serialize(to_json(answer)), "a.json");
  CHECK(back.options[0].shortfall == answer.options[0].shortfall);
  CHECK(back.options[0].own);
}
