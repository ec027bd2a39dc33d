// What simulate says at its limits: a target that is missed, a file that ends, times that no
// simulation can count.
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "served_simulation.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

TEST_CASE("simulate --serve: a target that is missed is told, and is no success") {
  const auto late = test::served({"--qps", "900", "--p99", "30ms"});
  CHECK(late.code == cli::exit_nothing_satisfies);
  CHECK(late.out.find("on 1 replica, misses 30.0 ms") != std::string::npos);
  CHECK(late.out.find("2 replicas needed for 900 requests/s, at the expected times.") !=
        std::string::npos);
  const auto document =
      boost::json::parse(test::served({"--qps", "900", "--p99", "30ms", "-o", "json"}).out);
  CHECK(document.at("status") == "late");
  CHECK(test::served({"--qps", "900", "--p99", "200ms"}).code == cli::exit_ok);
  // Fewer would do: each of so many waits for its window to end.
  const auto many =
      test::served({"--qps", "25000", "--replicas", "64", "--max-delay", "60ms", "--p99", "75ms"});
  CHECK(many.code == cli::exit_nothing_satisfies);
  CHECK(many.out.find("of 64 each gets so few that") != std::string::npos);
}

TEST_CASE("simulate --serve: a file of arrivals may tell Unix time, and ends") {
  const TemporaryFolder folder;
  std::string lines;
  std::string burst;
  for (int i = 0; i < 300; ++i) {
    lines += fmt::format("{:.1f}\n", 1764288000 + i * 0.5);
    burst += fmt::format("{:.4f}\n", 5 + i * 0.0002);
  }
  const auto unix_time =
      test::served({"--arrivals", folder.write("unix.txt", lines), "-o", "json"});
  REQUIRE(unix_time.code == cli::exit_ok);
  const auto document = boost::json::parse(unix_time.out);
  CHECK(document.at("offered_requests_per_s").to_number<double>() == test::approx(2));
  const auto dense = test::served({"--arrivals", folder.write("burst.txt", burst)});
  CHECK(dense.code == cli::exit_ok);
  CHECK(dense.out.find("without end") == std::string::npos);
  CHECK(dense.out.find("so the queue grows until the file ends") != std::string::npos);
  const auto ms =
      test::served({"--arrivals", folder.write("ms.txt", "1764288000100\n1764288000200\n")});
  CHECK(ms.code == cli::exit_usage);
  CHECK(ms.err.find("or of Unix time, as 1764288000.1") != std::string::npos);
}

TEST_CASE("simulate: what takes longer than time is counted is played shorter, or refused") {
  const auto slow = test::run_without_model({"simulate",
                                             "--network",
                                             "llama-70b",
                                             "--machine",
                                             "vcpus=2",
                                             "--phase",
                                             "infer",
                                             "-o",
                                             "json"});
  REQUIRE(slow.code == cli::exit_ok);
  const auto document = boost::json::parse(slow.out);
  CHECK(document.at("items_per_s").to_number<double>() ==
        test::approx(document.at("analytic_items_per_s").to_number<double>()).epsilon(0.05));
  const std::vector<std::vector<std::string>> too_slow{{"--gpu-rate", "1e-6"}, {"--cpus", "0.001"}};
  for (const auto& flags : too_slow) {
    std::vector<std::string> arguments{"simulate"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    const auto refused = test::run_without_model(arguments);
    CAPTURE(flags.front());
    CHECK(refused.code == cli::exit_usage);
    CHECK(refused.err.find("rightsize predict has the answer of the laws") != std::string::npos);
  }
}

TEST_CASE("simulate: flags of another kind of simulation are refused by name") {
  const std::vector<std::string> path{"--gpu-rate", "1400"};
  const std::vector<std::string> job{"--spot", "--hours", "10h"};
  const std::vector<std::string> served{
      "--network", "resnet50", "--machine", "gpu=T4", "--serve", "--qps", "100"};
  const std::vector<std::string> written{"--network",
                                         "llama-8b",
                                         "--machine",
                                         "gpu=H100",
                                         "--phase",
                                         "decode",
                                         "--serve",
                                         "--qps",
                                         "1"};
  const auto refuses = [](std::vector<std::string> arguments,
                          const std::vector<std::vector<std::string>>& strays) {
    arguments.insert(arguments.begin(), "simulate");
    for (const auto& stray : strays) {
      auto all = arguments;
      all.insert(all.end(), stray.begin(), stray.end());
      const auto refused = test::run_without_model(all);
      CAPTURE(stray.front());
      CHECK(refused.code == cli::exit_usage);
      CHECK(refused.err.find(stray.front() + " ") != std::string::npos);
    }
  };
  refuses(path,
          {{"--interruptions", "3"},
           {"--restart", "1h"},
           {"--longest-life", "2h"},
           {"--disk-write", "1MB/s"},
           {"--max-batch", "4"},
           {"--max-delay", "5ms"},
           {"--arrivals", "bursty:3"},
           {"--routing", "random"},
           {"--prompt-tokens", "5"}});
  refuses(job, {{"--serve"}, {"--qps", "100"}, {"--cpus", "3"}, {"--output-tokens", "9"}});
  refuses(served, {{"--batch", "4"}, {"--price", "3"}, {"--prompt-tokens", "9"}});
  refuses(written,
          {{"--max-batch", "2"},
           {"--p99", "1ms"},
           {"--arrivals", "bursty:9"},
           {"--routing", "random"},
           {"--seed", "4"}});
  refuses(
      path,
      {{"--loader-threads", "-1"}, {"--loader-threads", "1000000"}, {"--simulated-items", "0"}});
}

TEST_CASE("simulate --serve: of a machine that was not named it is not said that it was") {
  const auto refused = test::run_without_model(
      {"simulate", "--network", "resnet50", "--gpu-rate", "1000", "--serve", "--qps", "800"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("here the machine is named: add --machine") != std::string::npos);
}

TEST_CASE("simulate --spot: the interval has the mean in it, however seldom it is exceeded") {
  const auto played = test::run_without_model(
      {"simulate", "--spot", "--hours", "1h", "--price", "1", "-o", "json"});
  REQUIRE(played.code == cli::exit_ok);
  const auto document = boost::json::parse(played.out);
  for (const auto* field : {"time", "cost"}) {
    const auto part = [&](const char* name) {
      return document.at(field).at(name).to_number<double>();
    };
    CHECK(part("low") <= part("value"));
    CHECK(part("value") <= part("high"));
  }
}
