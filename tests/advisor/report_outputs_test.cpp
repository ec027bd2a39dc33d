// Where a report goes: "-" is stdout in every form, and stdout holds one form.
#include <filesystem>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/report_fixture.h"
#include "advisor/text_file.h"
#include "support/program.h"

using namespace rightsize;
using test::run;
namespace fs = std::filesystem;

namespace {

// A saved answer, so that no search is in the way.
class Saved {
 public:
  Saved()
      : path(folder.write("answer.json",
                          boost::json::serialize(to_json(test::small_report().answer)))) {}

  [[nodiscard]] test::Result report(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"report", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }

  TemporaryFolder folder;
  std::string path;
};

}  // namespace

TEST_CASE("report: - is stdout in every form, and no file is made") {
  const Saved saved;
  const auto md = saved.report({"--md", "-"});
  REQUIRE(md.code == cli::exit_ok);
  CHECK(md.out.starts_with("#"));
  CHECK(saved.report({"-o", "md", "--out-file", "-"}).out.starts_with("#"));
  CHECK(saved.report({"--html", "-"}).out.starts_with("<!"));
  CHECK(saved.report({"--csv", "-"}).out == saved.report({"-o", "csv"}).out);
  CHECK_NOTHROW(static_cast<void>(boost::json::parse(saved.report({"--json", "-"}).out)));
  CHECK_FALSE(fs::exists("-"));
}

TEST_CASE("report: answers side by side go to stdout as well") {
  const Saved saved;
  const auto csv = saved.report({saved.path, "--csv", "-"});
  CHECK(csv.code == cli::exit_ok);
  CHECK(csv.out.find("p3.2xlarge") != std::string::npos);
  CHECK_FALSE(fs::exists("-"));
}

TEST_CASE("report: files beside stdout are named on stderr, and all that is asked for is written") {
  const Saved saved;
  const auto page = saved.folder / "page.html";
  const auto both = saved.report({"--md", "-", "--html", page});
  CHECK(both.code == cli::exit_ok);
  CHECK(both.out.starts_with("#"));
  CHECK(both.out.find("page.html  ") == std::string::npos);  // but for the command that made it
  CHECK(both.err.find("page.html  ") != std::string::npos);
  CHECK(read_text_file(page).starts_with("<!"));
  fs::remove(page);
  CHECK(saved.report({"-o", "csv", "--html", page}).out == saved.report({"--csv", "-"}).out);
  CHECK(fs::exists(page));
}

TEST_CASE("report: two forms do not share stdout") {
  const Saved saved;
  const std::vector<std::vector<std::string>> shared{{"--md", "-", "--html", "-"},
                                                     {"-o", "json", "--csv", "-"},
                                                     {"--md", "/dev/stdout", "--csv", "-"}};
  for (const auto& flags : shared) {
    const auto result = saved.report(flags);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.out.empty());
    CHECK(result.err.find("stdout takes one form") != std::string::npos);
  }
  const auto null = saved.report({"--md", "/dev/null", "--html", "/dev/null"});
  CHECK(null.code == cli::exit_ok);
}

TEST_CASE("out-file: - is stdout, and nothing says that a file called so is there") {
  const auto list = run({"networks", "-o", "csv", "--out-file", "-"});
  CHECK(list.out == run({"networks", "-o", "csv"}).out);
  const auto book = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/prices/book.toml";
  const auto prices = run({"prices", "import", book, "-o", "csv", "--out-file", "-"});
  CHECK(prices.code == cli::exit_ok);
  CHECK(prices.err.find("--prices -") == std::string::npos);
  const auto traced = test::run_without_model({"simulate", "--gpu-rate", "1400", "--trace", "-"});
  CHECK(traced.code == cli::exit_usage);
  CHECK(traced.err.find("--out-file FILE takes it") != std::string::npos);
  CHECK_FALSE(fs::exists("-"));
}

TEST_CASE("report: records alone make a page with every run, its sheet and its course") {
  const TemporaryFolder folder;
  const auto demo = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const auto md = run({"report", demo, "--md", "-"});
  REQUIRE(md.code == cli::exit_ok);
  CHECK(md.out.starts_with("# demo.jsonl: what was measured\n"));
  CHECK(md.out.find("rightsize profile ") != std::string::npos);  // how to repeat one
  CHECK(md.err.find(" runs: ") != std::string::npos);
  const auto page = folder / "runs.html";
  CHECK(run({"report", demo, "--html", page}).code == cli::exit_ok);
  const auto html = read_text_file(page);
  CHECK(html.find("<title>demo.jsonl: what was measured</title>") != std::string::npos);
  CHECK(html.find("id=\"chart-timeline-1-memory-title\"") != std::string::npos);
  CHECK(html.find("{{") == std::string::npos);
  CHECK(run({"report", demo, "--csv", "-"}).out == run({"records", "list", demo, "-o", "csv"}).out);
  const auto hostile = folder.write("</title><script>.jsonl", read_text_file(demo));
  CHECK(run({"report", hostile, "--html", "-"}).out.find("</title><script>.jsonl") ==
        std::string::npos);
  const auto none = run({"report", folder.write("empty.jsonl", "\n")});
  CHECK(none.code == cli::exit_usage);
  CHECK(none.err.find("empty.jsonl: there is no record in it") != std::string::npos);
}

TEST_CASE(
    "report: of what was asked before no flag of a question changes anything, and is refused") {
  const Saved saved;
  const auto demo = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/measurements/demo.jsonl";
  const std::vector<std::vector<std::string>> questions{{"--deadline", "1h"},
                                                        {"--budget", "1"},
                                                        {"--infra", "gcp"},
                                                        {"--current", "p3.2xlarge"},
                                                        {"--seed", "2"},
                                                        {"--runs-per-month", "3"},
                                                        {"--quick"}};
  for (const auto& question : questions) {
    for (const auto& file : {saved.path, demo}) {
      std::vector<std::string> arguments{"report", file, "--md", "-"};
      arguments.insert(arguments.end(), question.begin(), question.end());
      const auto refused = run(arguments);
      CAPTURE(file);
      CHECK(refused.code == cli::exit_usage);
      CHECK(refused.out.empty());
      CHECK(refused.err.find(question.front() + " is of a question") != std::string::npos);
    }
  }
}

TEST_CASE("report: the CSV tells what satisfies, and gives what does not no rank") {
  const Saved saved;
  const auto met = saved.report({"--csv", "-"}).out;
  CHECK(met.find(",p_constraints,satisfies_constraints,cpu,by_month,rate_unit\r\n1,") !=
        std::string::npos);
  CHECK(met.find(",true,,false,") != std::string::npos);
  auto answer = test::small_report().answer;
  answer.chosen.reset();
  for (auto& option : answer.options) {
    option.satisfies = false;
  }
  const auto path = saved.folder.write("none.json", boost::json::serialize(to_json(answer)));
  const auto missed = run({"report", path, "--csv", "-"});
  CHECK(missed.code == cli::exit_nothing_satisfies);
  CHECK(missed.out.find(",satisfies_constraints,cpu,by_month,rate_unit\r\n,") != std::string::npos);
  CHECK(missed.out.find(",false,,false,") != std::string::npos);
  CHECK(missed.out.find(",true,") == std::string::npos);
}
