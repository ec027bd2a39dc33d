// What a little more money would buy of time, beside the cheapest.
#include <doctest/doctest.h>

#include "advisor/report/answer.h"
#include "advisor/report/sooner_text.h"

using namespace rightsize;

namespace {

Option taking(const char* instance, double hours, double dollars) {
  Option option;
  option.provider = "acme";
  option.instance = instance;
  option.region = "here";
  option.gpu = "V100";
  option.gpus = 1;
  option.satisfies = true;
  option.hours = {hours, hours, hours, 0.9, "h", Source::fitted};
  option.cost = {dollars, dollars, dollars, 0.9, "USD", Source::fitted};
  return option;
}

Recommendation choosing(std::vector<Option> options) {
  Recommendation answer;
  answer.chosen = options.front();
  answer.options = std::move(options);
  return answer;
}

}  // namespace

TEST_CASE("sooner: the cheapest that takes half the time at most, and what it is dearer by") {
  auto late = taking("fast.late", 1, 10.5);
  late.satisfies = false;
  const auto answer = choosing({taking("slow", 100, 10),
                                taking("hardly.faster", 51, 10.1),
                                late,
                                taking("fast", 20, 12.5),
                                taking("faster", 5, 40)});
  CHECK(report::sooner_line(answer) ==
        "Sooner: fast (V100, acme/here) takes ~20.0 h for ~$2.50 more, 5.00 times as fast.");
  const auto cheaper = choosing({taking("slow", 100, 10), taking("fast", 20, 9.5)});
  CHECK(report::sooner_line(cheaper).find("takes ~20.0 h for ~$0.50 less") != std::string::npos);
  CHECK(report::answer_text(answer, {}, 5, false, {}).find("Sooner: fast") != std::string::npos);
}

TEST_CASE("sooner: the fastest for twice the cost at most too, where it is twice as fast again") {
  const auto line_with = [](double hours, double dollars) {
    const auto last = taking("last", hours, dollars);
    return report::sooner_line(choosing({taking("slow", 100, 10), taking("fast", 40, 11), last}));
  };
  CHECK(line_with(4, 20) ==
        "Sooner: fast (V100, acme/here) takes ~40.0 h for ~$1.00 more, 2.50 times as fast; last "
        "(V100, acme/here) takes ~4.00 h for ~$10.00 more, 25.0 times as fast.");
  CHECK(line_with(4, 20.1).find("last") == std::string::npos);
  CHECK(line_with(21, 12).find("last") == std::string::npos);
  // What is cheapest and fastest both is said once.
  CHECK(line_with(4, 10.5) ==
        "Sooner: last (V100, acme/here) takes ~4.00 h for ~$0.50 more, 25.0 times as fast.");
}

TEST_CASE("sooner: the table's bills, and what it typically is where that differs") {
  auto fast = taking("fast", 2, 18);
  fast.score = 23.4;
  const auto answer = choosing({taking("slow", 100, 10), fast});
  CHECK(
      report::sooner_line(answer) ==
      "Sooner: fast (V100, acme/here) takes ~2.00 h for ~$8.00 more (typically ~$13.40 more, over "
      "the times that it may take), 50.0 times as fast.");
}

TEST_CASE("sooner: nothing is said where nothing is twice as fast, or time is paid for already") {
  CHECK(report::sooner_line(choosing({taking("slow", 100, 10), taking("other", 60, 11)})).empty());
  auto weighted = choosing({taking("slow", 100, 10), taking("fast", 20, 12.5)});
  CHECK_FALSE(report::sooner_line(weighted).empty());
  weighted.query.objective = parse_objective("cost*0.7+time*0.3", "--objective");
  CHECK(report::sooner_line(weighted).empty());
  CHECK(report::sooner_line(Recommendation{}).empty());
}
