// simulate --spot as its user meets it.
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

Result spot(const std::vector<std::string>& more) {
  std::vector<std::string> arguments{"simulate", "--spot"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return test::run_without_model(arguments);
}

double number(const boost::json::value& document, const char* field, const char* part) {
  return document.at(field).at(part).to_number<double>();
}

}  // namespace

TEST_CASE("simulate --spot: longer than the work, dearer with more interruptions") {
  double before = 40;
  for (const auto* hazard : {"0.01", "0.1", "1"}) {
    const auto result = spot(
        {"--hours", "40h", "--interruptions", hazard, "--price", "2", "--seed", "5", "-o", "json"});
    REQUIRE(result.code == cli::exit_ok);
    const auto document = boost::json::parse(result.out);
    CHECK(document.at("schema") == "rightsize/spot/1");
    const double mean = number(document, "time", "value");
    CHECK(mean > before);
    before = mean;
    CHECK(number(document, "cost", "value") == test::approx(2 * mean));
    CHECK(document.at("simulated_mean_h").to_number<double>() == test::approx(mean).epsilon(0.02));
    CHECK(number(document, "time", "low") <= mean);
    CHECK(number(document, "time", "high") >= mean);
  }
  const auto assumed = spot({"--hours", "40h"}).out;
  CHECK(assumed.find("interruptions [assumed]") != std::string::npos);
  CHECK(assumed.find("unbroken") != std::string::npos);
  const auto given =
      spot({"--hours", "40h", "--interruptions", "0.02", "--longest-life", "24h"}).out;
  CHECK(given.find("0.02 interruptions an hour [given]") != std::string::npos);
  CHECK(given.find("unbroken") == std::string::npos);  // no machine lives for 40 hours
}

TEST_CASE("simulate --spot: a job file's network, adapter and interruptions are the job's") {
  const auto job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/train.toml";
  const auto whole = spot({job, "--hours", "2h"}).out;
  CHECK(whole.find("of llama-8b at 200 MB/s") != std::string::npos);
  const auto adapted = spot({job, "--hours", "2h", "--adapter", "lora:16"}).out;
  CHECK(adapted.find("of llama-8b with adapters") != std::string::npos);

  const TemporaryFolder folder;
  const auto stated = folder / "spot.toml";
  std::ofstream(stated) << std::ifstream(job).rdbuf()
                        << "[spot]\ninterruptions_per_hour = 0.5\ncheckpoint = \"90s\"\n"
                           "restart = \"20m\"\n";
  const auto of_file = boost::json::parse(spot({stated, "--hours", "2h", "-o", "json"}).out);
  const auto by_hand = boost::json::parse(spot({"--hours",
                                                "2h",
                                                "--interruptions",
                                                "0.5",
                                                "--checkpoint",
                                                "90s",
                                                "--restart",
                                                "20m",
                                                "-o",
                                                "json"})
                                              .out);
  CHECK(number(of_file, "time", "value") == number(by_hand, "time", "value"));
}

TEST_CASE("simulate --spot: the interval may be given, and a longest life beyond the job is none") {
  const auto given = spot({"--hours", "40h", "--checkpoint-every", "2h"}).out;
  CHECK(given.find("a checkpoint every 2.00 h of work [given]") != std::string::npos);
  const auto uneven = spot({"--hours", "3h", "--checkpoint-every", "2h"}).out;
  CHECK(uneven.find("a checkpoint every 90.0 min of work (2.00 h given, in equal parts)") !=
        std::string::npos);
  const auto told = [](const std::vector<std::string>& more) {
    auto words = more;
    words.insert(words.end(), {"-o", "json"});
    return boost::json::parse(spot(words).out);
  };
  const auto cut = told({"--hours", "3h", "--checkpoint-every", "2h"});
  CHECK(cut.at("checkpoint_interval_s").to_number<double>() == test::approx(5400));
  CHECK(cut.at("checkpoint_interval_given_s").to_number<double>() == test::approx(7200));
  CHECK(told({"--hours", "3h"}).at("checkpoint_interval_given_s").is_null());
  const auto plain = spot({"--hours", "40h", "-o", "json"}).out;
  const auto far = spot({"--hours", "40h", "--longest-life", "1000h", "-o", "json"}).out;
  CHECK(number(boost::json::parse(far), "time", "value") ==
        number(boost::json::parse(plain), "time", "value"));
}

TEST_CASE("simulate --spot: an interval under a second, or of a million parts, is refused") {
  for (const auto* interval : {"0", "0.5s"}) {
    const auto refused = spot({"--hours", "40h", "--checkpoint-every", interval});
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find("--checkpoint-every: expected a second of work or more") !=
          std::string::npos);
  }
  const auto refused = spot({"--hours", "10000h", "--checkpoint-every", "1s"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("36,000,000 parts") != std::string::npos);
  CHECK(refused.err.find("give --checkpoint-every 36s or more") != std::string::npos);
  CHECK(spot({"--hours", "10000h", "--checkpoint-every", "36s"}).code == cli::exit_ok);
}

TEST_CASE("simulate --spot: what cannot be, and what is said wrong") {
  const auto never = spot({"--hours", "40h", "--longest-life", "2m", "-o", "json"});
  CHECK(never.code == cli::exit_nothing_satisfies);
  CHECK(boost::json::parse(never.out).at("status") == "impossible");
  CHECK(spot({}).err.find("--hours") != std::string::npos);
  CHECK(spot({"--hours", "40h", "--interruptions", "-1"}).code == cli::exit_usage);
  CHECK(spot({"--hours", "40h", "--network", "resnt50"}).err.find("resnet50") != std::string::npos);
  CHECK(test::run_without_model({"simulate", "--hours", "3h"}).err.find("--spot") !=
        std::string::npos);
}

TEST_CASE("simulate --spot: what would run for ever is refused") {
  const auto taken = spot({"--hours", "100000h", "--interruptions", "1"});
  CHECK(taken.code == cli::exit_usage);
  CHECK(taken.err.find("interruptions a run, by the law") != std::string::npos);
}
