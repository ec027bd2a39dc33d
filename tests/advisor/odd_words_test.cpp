// Words that look like others: flags that end like files, settings that say no, phases that are
// part of a step, tables in other letters.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/export/exporter.h"
#include "advisor/report/option_text.h"
#include "advisor/shell/session.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;
using test::run_without_model;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

struct Desk {
  int run(const std::string& line) {
    out.str("");
    err.str("");
    return session.run(line);
  }

  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  shell::Session session{context};
};

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("odd words: a flag that ends like a file leaves a session's job and settings alone") {
  Desk desk;
  const TemporaryFolder folder;
  const auto file = folder / "answer.json";
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set deadline 200h") == cli::exit_ok);
  for (const auto* flag : {" --out-file=", " --out-file "}) {
    CAPTURE(flag);
    std::filesystem::remove(file);
    REQUIRE(desk.run("advise -o json" + std::string(flag) + file) == cli::exit_ok);
    CHECK(json::parse(text_of(file)).at("query").at("deadline_s").to_number<double>() == 720'000);
  }
}

TEST_CASE("odd words: a switch that is set to no is off, and other words are refused") {
  Desk desk;
  REQUIRE(desk.run("set job " + job) == cli::exit_ok);
  REQUIRE(desk.run("set infra gcp") == cli::exit_ok);
  const TemporaryFolder folder;
  const auto file = folder / "names";
  const auto names = [&] {  // commands run in a process of their own
    std::filesystem::remove(file);
    REQUIRE(desk.run("advise -o names --max-results 0 --out-file " + file) == cli::exit_ok);
    return text_of(file);
  };
  const auto plain = names();
  REQUIRE_FALSE(plain.empty());
  REQUIRE(desk.run("set custom-shapes no") == cli::exit_ok);
  CHECK(names() == plain);
  REQUIRE(desk.run("set custom-shapes yes") == cli::exit_ok);
  CHECK(names() != plain);
  CHECK(desk.run("set custom-shapes perhaps") == cli::exit_usage);
  CHECK(has(desk.err.str(), "expected yes or no"));
  CHECK(desk.run("set deadline=12h") == cli::exit_usage);
  CHECK(has(desk.err.str(), "without \"=\""));
}

TEST_CASE("odd words: a part of a training step is no inference") {
  Query query;
  query.network = "resnet50";
  query.items = 1000;
  query.phase = Phase::forward_backward;
  CHECK(has(report::job_text(query), "forward and backward passes of 1,000"));
  query.phase = Phase::forward;
  CHECK(has(report::job_text(query), "resnet50 forward passes of"));
  query.phase = Phase::infer;
  CHECK(has(report::job_text(query), "resnet50 inference of"));
}

TEST_CASE("odd words: the next command has a switch without a value") {
  const auto result =
      run_without_model({"explain", job, "g5.xlarge", "--infra", "aws", "--retired"});
  CAPTURE(result.out);
  CHECK(has(result.out, "--retired"));
  CHECK_FALSE(has(result.out, "--retired ''"));
}

TEST_CASE("odd words: a file that prices list does not read is no file it ignores") {
  const auto result = run_without_model({"prices", "list", "own.csv"});
  CHECK(result.code == cli::exit_usage);
  CHECK(has(result.err, "rightsize prices check own.csv"));
}

TEST_CASE("odd words: a table in other letters than UTF-8 loses its row, not the reader of JSON") {
  const TemporaryFolder folder;
  const std::string table = folder / "own.csv";
  std::ofstream(table) << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
                          "Region,Price\n"
                          "lab,a,16,64,L40S,1,B\xfcro,0.5\r"
                          "lab,b,16,64,L40S,1,here,0.7\r\n";
  const auto result = run_without_model({"advise", job, "--prices", table, "-o", "json"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  CHECK(json::parse(result.out).at("chosen").at("instance") == "b");
  CHECK(has(run_without_model({"prices", "check", table}).out, "not UTF-8"));
}

TEST_CASE("odd words: exports ask for no fraction of a vCPU, and for all epochs that are paid") {
  Recommendation answer;
  answer.query.network = "resnet50";
  answer.query.phase = Phase::infer;
  answer.query.items = 1000;
  answer.query.epochs = 10;
  Option option;
  option.provider = "gcp";
  option.instance = "e2-small";
  option.region = "us-central1";
  option.vcpus = 0.5;
  option.memory_gib = 2;
  option.price_per_hour = Money::parse("0.0168", "USD");
  option.hours = {10, 8, 25.51, 0.9, "h", Source::scaled};
  option.cost = {10.06, 8.05, 25.66, 0.9, "USD", Source::scaled};
  answer.options = {option};
  answer.chosen = option;
  const auto task = write_skypilot(answer, option);
  CHECK_FALSE(has(task, "cpus: 0+"));
  CHECK(has(task, "memory: 2+"));
  CHECK(has(task, "EPOCHS: "));
  const auto variables = json::parse(write_terraform(answer, option)).as_object();
  CHECK(variables.at("epochs").to_number<double>() == 10);
}
