// What the program prints, word for word: a change of a text is seen in review, not by a user.
// RIGHTSIZE_UPDATE_GOLDEN=1 writes the files anew; read the difference before committing it.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/report/table.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string root = RIGHTSIZE_SOURCE_DIR;

void leave_out(const std::string& folder, std::string& text) {
  for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.erase(at, folder.size());
  }
}

// Both streams and the exit code, as a user sees them; the folder of the sources left out, and one
// of a test's own.
std::string transcript(const std::vector<std::string>& arguments, const std::string& own = "") {
  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  const int code = cli::run_program(context, arguments);
  std::string text = out.str() + err.str() + "[exit " + std::to_string(code) + "]\n";
  leave_out(root + "/", text);
  if (!own.empty()) {
    leave_out(own + "/", text);
  }
  return text;
}

void check_golden(const std::string& name, const std::string& text) {
  const auto path = root + "/tests/golden/" + name;
  if (const char* update = std::getenv("RIGHTSIZE_UPDATE_GOLDEN"); update && *update == '1') {
    std::ofstream(path) << text;
  }
  std::ifstream in(path);
  std::ostringstream expected;
  expected << in.rdbuf();
  CHECK(text == expected.str());
}

std::size_t widest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(in, line);) {
    widest = std::max(widest, report::display_width(line));
  }
  return widest;
}

}  // namespace

TEST_CASE("golden: advise, its answer and its refusal") {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  std::ofstream(model) << boost::json::serialize(to_json(test::made_model()));
  const auto job = root + "/examples/demo/job.toml";
  check_golden("advise.txt",
               transcript({"advise", job, "--model", model, "--infra", "aws", "--max-results", "5"},
                          folder.path()));
  check_golden("advise_nothing.txt",
               transcript({"advise", job, "--model", model, "--infra", "aws", "--deadline", "1m"},
                          folder.path()));
  check_golden(
      "advise.md",
      transcript(
          {"advise", job, "--model", model, "--infra", "aws", "--max-results", "3", "-o", "md"},
          folder.path()));
}

TEST_CASE("golden: a language model that writes tokens") {
  const TemporaryFolder folder;
  const auto model = folder / "model.json";
  std::ofstream(model) << boost::json::serialize(to_json(test::made_model()));
  const auto job = root + "/examples/llm/serve-70b.toml";
  const std::vector<std::string> where = {"--model", model, "--infra", "aws/us-east-1"};
  const auto of = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), where.begin(), where.end());
    return transcript(arguments, folder.path());
  };
  check_golden("tokens.txt",
               of({"explain", job}) + of({"compare", job, "p4d.24xlarge", "p5.4xlarge"}) +
                   of({"what-if", job, "p4d.24xlarge", "weights=int4", "token=40ms"}) +
                   of({"advise", job, "--current", "3 x p4d.24xlarge", "--max-results", "3"}) +
                   of({"export", job}) + of({"verify", job}));
}

TEST_CASE("golden: help, networks, prices and what a mistake gets") {
  check_golden("help.txt", transcript({"--help"}));
  check_golden("networks.txt", transcript({"networks"}));
  check_golden("prices_list.txt", transcript({"prices", "list"}));
  check_golden("mistakes.txt",
               transcript({"advize"}) + transcript({"advise"}) +
                   transcript({"advise", "nowhere.toml"}) +
                   transcript({"predict", "--cpus", "many"}) +
                   transcript({"networks", "-o", "yaml"}) + transcript({"gpus", "A1000"}));
}

TEST_CASE("golden: help keeps to 100 columns") {
  CHECK(widest_line(transcript({"--help"})) <= 100);
}
