// What several saved answers say of today's machines together.
#include "advisor/report/moves_table.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/report/right_sizing_text.h"
#include "advisor/report/side_by_side.h"
#include "advisor/report/todays_advice.h"
#include "report_fixture.h"

using namespace rightsize;
using report::NamedAnswer;

namespace {

// An answer that takes what costs `then` where today's machine costs `now`.
NamedAnswer answer(const std::string& file, double now, double then, bool move) {
  NamedAnswer named{file, test::small_report().answer};
  named.answer.query.name = file.substr(0, file.find('.'));
  named.answer.chosen->cost.value = then;
  RightSizing today;
  today.name = "g5.xlarge";
  today.current = test::make_option("g5.xlarge", 48, now);
  today.move = move;
  today.finding = move ? Finding::not_optimized : Finding::optimized;
  named.answer.current = today;
  return named;
}

}  // namespace

TEST_CASE("moves: what all pay is added up, of a run and of a month apart") {
  auto monthly = answer("c.json", 10, 4, true);
  monthly.answer.query.runs_per_month = 30;
  const std::vector<NamedAnswer> answers{answer("a.json", 100, 60, true),
                                         answer("b.json", 50, 20, false),  // stays on what it has
                                         monthly};
  CHECK(report::moves_sentence(answers) ==
        "2 of 3 move, 1 stays: ~$40.00 saved of ~$150.00 a run of each (27%), ~$180.00 saved of "
        "~$300.00 a month (60%).");
  const auto table = report::moves_table(answers);
  REQUIRE(table.rows().size() == 4);
  CHECK(table.rows()[0][0] == "a");
  CHECK(table.rows()[0][2] == "move");
  CHECK(table.rows()[1][3] == "—");
  CHECK(table.rows()[1][7] == "—");
  CHECK(table.rows()[2][5] == "~$300.00");
  CHECK(table.rows()[3][0] == "all 2 by the run");
  CHECK(table.rows()[3][6] == "~$110.00");
  const auto page = report::side_by_side_html(answers, "rightsize report a.json b.json c.json");
  CHECK(page.find("machines and what to do") != std::string::npos);
  const auto data = report::side_by_side_data(answers);
  CHECK(data.csv().find(",g5.xlarge,move,run,100,60,NotOptimized") != std::string::npos);
}

TEST_CASE("moves: nothing is said where no answer has a machine of today") {
  const std::vector<NamedAnswer> answers{{"a.json", test::small_report().answer},
                                         {"b.json", test::small_report().answer}};
  CHECK(report::moves_sentence(answers).empty());
  const auto text = report::side_by_side_markdown(answers, "rightsize report a.json b.json");
  CHECK(text.find("today") == std::string::npos);
}

TEST_CASE("moves: a machine of today that cannot do the job adds up to nothing") {
  auto unable = answer("a.json", 100, 60, true);
  unable.answer.current->current.reset();
  unable.answer.current->reason = "GPU memory too small for any batch";
  const auto table = report::moves_table({unable});
  REQUIRE(table.rows().size() == 1);
  CHECK(table.rows()[0][1] == "g5.xlarge");
  CHECK(table.rows()[0][5] == "—");
  CHECK(table.rows()[0][8] == "NotOptimized: GPU memory too small for any batch");
  CHECK(report::moves_sentence({unable}) == "1 of 1 move.");
}

TEST_CASE("moves: fewer of the same, dearer moves, and jobs that nothing does are told apart") {
  auto fewer = answer("a.json", 100, 60, false);
  fewer.answer.current->current->nodes = 4;
  fewer.answer.current->fewer = test::make_option("g5.xlarge", 48, 75);
  fewer.answer.current->fewer->nodes = 3;
  const auto dearer = answer("b.json", 10, 40, true);
  auto hopeless = answer("c.json", 500, 60, false);
  hopeless.answer.chosen.reset();
  hopeless.answer.current->current->satisfies = false;
  auto unknown = answer("d.json", 500, 60, false);
  unknown.answer.current->finding = Finding::not_judged;
  CHECK(report::moves_sentence({fewer}) ==
        "0 of 1 move, 1 keeps fewer machines: ~$25.00 saved of ~$100.00 a run (25%).");
  CHECK(report::moves_sentence({dearer}) == "1 of 1 move: ~$30.00 more than ~$10.00 a run (300%).");
  CHECK(report::moves_sentence({hopeless, unknown}) ==
        "0 of 2 move, 1 has nothing that fits, 1 was not judged.");
  const auto table = report::moves_table({fewer, hopeless});
  CHECK(table.rows()[0][1] == "4 x g5.xlarge");
  CHECK(table.rows()[0][2] == "keep 3");
  CHECK(table.rows()[0][3] == "3 x g5.xlarge");
  CHECK(table.rows()[1][2] == "misses");
  CHECK(table.rows()[1][5] == "—");
}

TEST_CASE("moves: what was signed for is paid, though another machine is taken") {
  auto reserved = answer("a.json", 100, 60, true);
  reserved.answer.query.runs_per_month = 2;
  reserved.answer.current->current->market = Market::reserved_3y;
  CHECK(report::moves_sentence({reserved}) ==
        "1 of 1 move: ~$80.00 saved of ~$200.00 a month (40%). Of today's ~$200.00 a month are of "
        "machines that were signed for, and paid until that ends, used or not: until then moving "
        "saves so much less.");
  auto stays = answer("b.json", 100, 60, false);
  stays.answer.current->current->market = Market::reserved_3y;
  CHECK(report::moves_sentence({stays}) == "0 of 1 move, 1 stays.");
}

TEST_CASE(
    "moves: another number of the same machine is no move, in the table and in the sentence") {
  auto cut = answer("a.json", 100, 60, true);
  cut.answer.query.service.emplace();
  cut.answer.current->current->nodes = 6;
  cut.answer.current->current->service.emplace();
  cut.answer.chosen = test::make_option("g5.xlarge", 48, 20);
  cut.answer.chosen->service.emplace();
  CHECK(report::advice_words(cut.answer) == "keep 1");
  CHECK(report::right_sizing_sentence(cut.answer).starts_with("Keep 1 of 6 x g5.xlarge: ~$20.00"));
  CHECK(report::moves_table({cut}).rows()[0][2] == "keep 1");
  CHECK(report::moves_sentence({cut}).starts_with("0 of 1 move, 1 keeps fewer machines: "));
  cut.answer.chosen->nodes = 8;
  CHECK(report::advice_words(cut.answer) == "grow to 8");
  CHECK(report::right_sizing_sentence(cut.answer).starts_with("Grow from 6 x g5.xlarge to 8: "));
}
