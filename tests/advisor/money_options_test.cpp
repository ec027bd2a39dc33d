// Offers in a currency that is not the question's: what is left out, how to count it, and what an
// answer says of the rate.
#include <fstream>
#include <iterator>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

// The demo's job as `file`, without [money].
void write_unstated(const std::string& file) {
  std::ifstream in(job);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.resize(text.find("[money]"));
  std::ofstream(file) << text;
}

std::vector<std::string> alibaba(const ModelFile& model, const std::string& file) {
  return {"advise", file, "--model", model.path(), "--infra", "alibaba", "--market", "spot"};
}

test::Result ask(std::vector<std::string> words, const std::vector<std::string>& more = {}) {
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

}  // namespace

TEST_CASE("money: what no rate converts is left out, with the flags that would count it") {
  const ModelFile model;
  const auto without = ask(alibaba(model, job));
  CHECK(without.code == cli::exit_nothing_satisfies);
  CHECK(without.out.find("priced in CNY: --fx CNY=RATE") != std::string::npos);
  // In a question of several places the rest is answered, and what is missing counted.
  const auto mixed = ask(alibaba(model, job), {"--infra", "aws"});
  CHECK(mixed.code == cli::exit_ok);
  CHECK(mixed.out.find("6 priced in CNY: --fx CNY=RATE") != std::string::npos);
}

TEST_CASE("money: --fx converts, and the answer says the rate and its day") {
  const ModelFile model;
  const auto dated = ask(alibaba(model, job), {"--fx", "CNY=0.14@2026-11-02"});
  CHECK(dated.code == cli::exit_ok);
  CHECK(dated.out.find("1 CNY = 0.14 USD, of 2026-11-02") != std::string::npos);
  const auto undated = ask(alibaba(model, job), {"--fx", "CNY=0.14", "-o", "json"});
  CHECK(undated.out.find("1 CNY is 0.14 USD, as given by --fx, undated") != std::string::npos);
  const auto document = boost::json::parse(undated.out).as_object();
  CHECK(document.at("chosen").at("cost").at("unit") == "USD");
  for (const char* word : {"0.14", "CNY", "CNY=", "CNY=-1", "CNY=cheap", "yuan=0.14", "USD=1"}) {
    CAPTURE(word);
    const auto refused = ask(alibaba(model, job), {"--fx", word});
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find(std::string("--fx ") + word + ": ") != std::string::npos);
  }
}

TEST_CASE("money: --currency counts in another, and leaves out what it has no rate for") {
  const ModelFile model;
  const auto yuan = ask(alibaba(model, job), {"--currency", "CNY"});
  CHECK(yuan.code == cli::exit_ok);
  CHECK(yuan.out.find(" CNY") != std::string::npos);
  const auto mixed = ask(alibaba(model, job), {"--infra", "aws", "--currency", "CNY"});
  CHECK(mixed.out.find("priced in USD: --fx USD=RATE says what 1 USD is in CNY") !=
        std::string::npos);
  CHECK(ask(alibaba(model, job), {"--currency", "yuan"}).code == cli::exit_usage);
  const TemporaryFolder folder;
  const auto bounded = folder / "bounded.toml";
  std::ifstream in(job);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.insert(text.find("[constraints]\n") + 14, "budget = \"100\"\n");
  std::ofstream(bounded) << text;
  const auto refused = ask(alibaba(model, bounded), {"--currency", "CNY"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("is in USD") != std::string::npos);
}

TEST_CASE("money: a question that names no currency counts in that of all its offers") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto unstated = folder / "unstated.toml";
  write_unstated(unstated);
  const auto yuan = ask(alibaba(model, unstated));
  CHECK(yuan.code == cli::exit_ok);
  CHECK(yuan.out.find(" CNY") != std::string::npos);
  const auto mixed = ask(alibaba(model, unstated), {"--infra", "aws"});
  CHECK(mixed.out.find("$") != std::string::npos);
  CHECK(mixed.out.find("priced in CNY") != std::string::npos);
  // A budget is in dollars where nothing is said, and stays so.
  CHECK(ask(alibaba(model, unstated), {"--budget", "100"}).code == cli::exit_nothing_satisfies);
}
