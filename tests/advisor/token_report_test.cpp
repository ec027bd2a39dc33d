// Reports of a language model that writes tokens: from the job and from its saved answer.
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/recommendation_file.h"
#include "advisor/token_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::answer_of;
using test::number;
using test::run;

namespace {

std::string content(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool holds(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("token report: the page has its charts, what was rejected, and the answer itself") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto made = run({"report",
                         test::small_llm,
                         "--infra",
                         "aws/us-east-1",
                         "--html",
                         folder / "page.html",
                         "--md",
                         folder / "page.md",
                         "--quick",
                         "--model",
                         model.path()});
  CAPTURE(made.err);
  REQUIRE(made.code == cli::exit_ok);
  const auto page = content(folder / "page.html");
  for (const auto* words : {"chart-pareto",
                            "chart-machines",
                            "chart-load",
                            "chart-memory",
                            "99 of 100 first tokens within",
                            "and a token every",
                            "What a million tokens written cost, by load",
                            "the weights and the caches of a sequence do not fit",
                            "held against their published rates",
                            "rightsize report",
                            "rightsize/recommendation/1"}) {
    CAPTURE(words);
    CHECK(holds(page, words));
  }
  CHECK_FALSE(holds(page, ">nan"));
  const auto text = content(folder / "page.md");
  CHECK(holds(text, "What a million tokens cost, by load"));
  CHECK(holds(text, "sequences/s of llama-8b"));
}

TEST_CASE("token report: a saved answer is read back as it was") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto saved =
      answer_of({"advise", test::small_llm, "--infra", "aws/us-east-1"}, model.path());
  const auto read = read_recommendation(boost::json::serialize(saved), "answer.json");
  const auto again = to_json(read);
  CHECK(again.at("query").at("tokens") == saved.at("query").at("tokens"));
  const auto& options = saved.at("options").as_array();
  REQUIRE(options.size() == again.at("options").as_array().size());
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto& before = options[i].at("tokens").as_object();
    const auto& after = again.at("options").as_array()[i].at("tokens").as_object();
    for (const auto& [key, value] : before) {
      CAPTURE(std::string(key));
      if (value.is_number()) {
        CHECK(number(after.at(key)) == test::approx(number(value)));
      } else {
        CHECK(after.at(key) == value);
      }
    }
  }
  std::ofstream(folder / "one.json") << boost::json::serialize(saved);
  std::ofstream(folder / "two.json") << boost::json::serialize(saved);
  const auto one = run({"report", folder / "one.json", "-o", "html"});
  CHECK(one.code == cli::exit_ok);
  CHECK(holds(one.out, "chart-memory"));
  const auto both = run({"report", folder / "one.json", folder / "two.json", "-o", "md"});
  CHECK(both.code == cli::exit_ok);
  CHECK(holds(both.out, "sequences/s of llama-8b"));
}
