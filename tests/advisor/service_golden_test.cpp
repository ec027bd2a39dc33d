// What is said of services, word for word, and its numbers as programs read them.
#include <algorithm>

#include <doctest/doctest.h>

#include "advisor/explain/comparison.h"
#include "advisor/made_option.h"
#include "advisor/report/answer.h"
#include "advisor/report/comparison_text.h"
#include "advisor/report/service_text.h"
#include "advisor/report/what_if_text.h"
#include "advisor/right_sizing/right_sizing.h"
#include "advisor/service_world.h"
#include "advisor/suppose/what_if.h"
#include "pricing/import/csv.h"
#include "support/golden_text.h"

using namespace rightsize;
using test::answering;

namespace {

Option made_service(const char* instance, int machines, double cost, double p99_s) {
  auto option = test::made_option(instance, "T4", 4, 16);
  option.disk = "none";
  option.batch_per_gpu = 16;
  option.nodes = machines;
  option.limited_by = Bound::accelerator;
  option.busy = {0, 0, 0, 0.1, 1.0};
  option.throughput = {1025, 890, 1180, 0.9, "items/s", Source::published};
  option.hours = {730, 730, 730, 0.9, "h", Source::published};
  option.cost = {cost, cost / 3 * 2, cost, 0.9, "USD", Source::published};
  option.p99 = {p99_s, p99_s / 1.2, p99_s * 1.3, 0.9, "s", Source::published};
  option.p_deadline = 0.97;
  option.price_per_hour = Money::parse("0.526", "USD");
  option.cost_per_1k_requests = 2.9e-4;
  option.service = ServerFleet{machines,
                               machines - 1,
                               machines,
                               0.97,
                               600,
                               {ServingRegime::steady, 0.49, 3075, 8.2, 0.02, 0.0215, 0.028, p99_s},
                               {StepTimeLaw{0.002, 0.00085}, 0.09, 1, 16}};
  return option;
}

Comparison made_pair() {
  Comparison pair;
  pair.query = answering();
  pair.sides[0].option = made_service("g4dn.xlarge", 3, 1152, 0.0318);
  pair.sides[1].option = made_service("g5.xlarge", 4, 2203, 0.0247);
  pair.ratios = {{1.2, 1.1, 1.3, 0.9, "1", Source::scaled},
                 {1, 1, 1, 0.9, "1", Source::scaled},
                 {1.91, 1.27, 2.55, 0.9, "1", Source::scaled},
                 0,
                 Estimate{0.78, 0.7, 0.9, 0.9, "1", Source::scaled},
                 0.99};
  pair.p_first_cheaper = 0.99;
  pair.p_first_better = 0.99;
  pair.crossings = {
      {"load",
       "requests/s",
       {{410, "aws/g5.xlarge", "aws/g4dn.xlarge"}},
       "aws/g4dn.xlarge",
       75,
       30000},
      {"latency asked for", "s", {{0.021, "", "aws/g5.xlarge"}}, "aws/g5.xlarge", 0.0025, 1}};
  return pair;
}

Recommendation made_answer(const Comparison& pair) {
  Recommendation answer;
  answer.query = pair.query;
  answer.chosen = pair.sides[0].option;
  answer.chosen->p_cheapest = 0.64;
  answer.options = {*answer.chosen};
  RightSizing today;
  today.name = "4 x g5.xlarge";
  today.current = pair.sides[1].option;
  today.finding = Finding::overprovisioned;
  today.reason_codes = {"MachinesOverprovisioned", "CPUOverprovisioned"};
  today.move = true;
  today.savings_share = Estimate{0.48, 0.21, 0.61, 0.9, "1", Source::scaled};
  today.savings_per_job = 1051;
  today.savings_per_month = 1051;
  today.p_missed = 0.03;
  today.risk = 1;
  today.effort = "Low";
  today.effort_reason = "A10G -> T4, same cloud and CPU architecture";
  answer.current = today;
  return answer;
}

}  // namespace

TEST_CASE("service: golden texts of a comparison, a supposition and machines that move") {
  const auto pair = made_pair();
  WhatIf supposed;
  supposed.query = supposed.supposed_query = pair.query;
  supposed.supposition = parse_supposition({"qps=200"});
  supposed.now = pair.sides[0].option;
  supposed.supposed = made_service("g4dn.xlarge", 1, 384, 0.0291);
  supposed.ratios = pair.ratios;
  supposed.chosen_now = supposed.chosen_supposed = "aws/g4dn.xlarge";
  const auto answer = made_answer(pair);
  std::string text = report::comparison_text(pair, {}) + "\n" + report::what_if_text(supposed, {}) +
                     "\n" + report::service_table(answer, 0).text({}) + "\n";
  for (const auto& line : report::current_lines(answer)) {
    text += line + "\n";
  }
  CHECK(text == test::golden("service.txt", text));
}

TEST_CASE("service: a comparison as numbers has latencies, machines and prices, and no hours") {
  const auto table = parse_csv(report::comparison_data(made_pair()).csv(), "pair");
  const auto cell = [&](const std::string& fact, const char* column) -> std::string {
    for (const auto& row : table.rows) {
      if (row.fields.at(0) == fact) {
        return row.fields.at(static_cast<std::size_t>(table.column(column)));
      }
    }
    return "no such fact";
  };
  CHECK(cell("machines", "first") == "3");
  CHECK(cell("machines", "second_low") == "3");
  CHECK(cell("p50", "first") == "0.0215");
  CHECK(cell("p95", "second") == "0.028");
  CHECK(cell("p99", "ratio") == "0.78");
  CHECK(cell("cost_per_1k_requests", "unit") == "USD");
  CHECK(cell("price_per_hour", "first") == "0.526");
  CHECK(cell("price_per_hour", "ratio") == "");  // the same price: a ratio says nothing
  CHECK(cell("hours", "first") == "no such fact");
}

TEST_CASE("service: a move that costs more is said so, not called a saving of less than nothing") {
  auto answer = made_answer(made_pair());
  answer.current->savings_share = Estimate{-0.48, -0.61, -0.21, 0.9, "1", Source::scaled};
  answer.current->savings_per_job = answer.current->savings_per_month.emplace(-1051);
  const auto lines = report::current_lines(answer);
  const auto savings = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.starts_with("savings: ");
  });
  REQUIRE(savings != lines.end());
  CHECK(savings->starts_with("savings: none, it costs $1,051 more a month, 48% (21% … 61%)"));
}
