// simulate --serve as its user meets it.
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "served_simulation.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

double number(const boost::json::value& document, const char* field, const char* part) {
  return document.at(field).at(part).to_number<double>();
}

}  // namespace

TEST_CASE("simulate --serve: latencies rise with the load, stay in order and in their intervals") {
  double before = 0;
  for (const auto* qps : {"100", "500", "900"}) {
    const auto result = test::served({"--qps", qps, "-o", "json"});
    REQUIRE(result.code == cli::exit_ok);
    const auto document = boost::json::parse(result.out);
    CHECK(document.at("schema") == "rightsize/serving/1");
    CHECK(document.at("status") == "ok");
    CHECK(number(document, "p50", "value") < number(document, "p95", "value"));
    CHECK(number(document, "p95", "value") < number(document, "p99", "value"));
    CHECK(number(document, "p99", "low") < number(document, "p99", "value"));
    CHECK(number(document, "p99", "value") > before);
    before = number(document, "p99", "value");
    CHECK(document.at("offered_requests_per_s").to_number<double>() ==
          test::approx(std::atof(qps)).epsilon(0.05));
  }
}

TEST_CASE("simulate --serve: saturated is told with its rate, not as a latency") {
  const auto result = test::served({"--qps", "5000", "-o", "json"});
  CHECK(result.code == cli::exit_nothing_satisfies);
  const auto document = boost::json::parse(result.out);
  CHECK(document.at("status") == "saturated");
  CHECK(document.at("p99").at("value").is_null());
  CHECK(number(document, "saturation", "value") < 5000);
  CHECK(test::served({"--qps", "5000"}).out.find("Cannot keep up") == 0);
  CHECK(test::served({"--qps", "5000", "--replicas", "8"}).code == cli::exit_ok);
}

TEST_CASE("simulate --serve: a target says how many replicas, or that none are enough") {
  const auto enough =
      boost::json::parse(test::served({"--qps", "500", "--p99", "50ms", "-o", "json"}).out);
  CHECK(enough.at("target").at("replicas_needed").as_int64() == 1);
  const auto none = test::served({"--qps", "500", "--p99", "1ms", "-o", "json"});
  CHECK(none.code == cli::exit_nothing_satisfies);
  const auto never = boost::json::parse(none.out);
  CHECK(never.at("target").at("replicas_needed").is_null());
}

// Each of four is a server of its own: M/D/1 at a quarter of the load.
TEST_CASE("simulate --serve: shared by chance, the law and what it promises are of one share") {
  const auto asked = [](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"simulate",
                 "--network",
                 "resnet50",
                 "--precision",
                 "fp16",
                 "--serve",
                 "--max-batch",
                 "1",
                 "--p99",
                 "80ms",
                 "-o",
                 "json",
                 "--simulated-items",
                 "100000"});
    return boost::json::parse(test::run_without_model(more).out);
  };
  const auto four = asked({"--machine", "gpu=T4:4", "--qps", "280", "--routing", "random"});
  const auto one = asked({"--machine", "gpu=T4:1", "--qps", "70"});
  CHECK(four.at("closed_form_p99_s").to_number<double>() ==
        test::approx(one.at("closed_form_p99_s").to_number<double>()));
  const auto most = [](const boost::json::value& answer) {
    return answer.at("target").at("largest_requests_per_s").to_number<double>();
  };
  CHECK(most(four) == test::approx(4 * most(one)));
  CHECK(number(four, "saturation", "value") ==
        test::approx(4 * number(one, "saturation", "value")));
}

TEST_CASE(
    "simulate --serve: how many replicas are needed by chance does not depend on how many are") {
  std::set<std::int64_t> needed;
  double most = 0;
  for (const char* replicas : {"1", "2", "3", "6", "10"}) {
    const auto answer = boost::json::parse(test::run_without_model({"simulate",
                                                                    "--network",
                                                                    "resnet50",
                                                                    "--precision",
                                                                    "fp16",
                                                                    "--machine",
                                                                    "gpu=T4",
                                                                    "--serve",
                                                                    "--qps",
                                                                    "800",
                                                                    "--max-batch",
                                                                    "16",
                                                                    "--arrivals",
                                                                    "bursty:16",
                                                                    "--p99",
                                                                    "60ms",
                                                                    "--routing",
                                                                    "random",
                                                                    "--replicas",
                                                                    replicas,
                                                                    "-o",
                                                                    "json",
                                                                    "--simulated-items",
                                                                    "1000"})
                                               .out);
    needed.insert(answer.at("target").at("replicas_needed").as_int64());
    const auto largest = answer.at("target").at("largest_requests_per_s").to_number<double>();
    if (std::stoll(replicas) == *needed.begin()) {
      most = largest;
    } else if (std::stoll(replicas) < *needed.begin()) {
      CHECK(largest < 800);
    }
  }
  CHECK(needed.size() == 1);
  CHECK(most >= 800);
}

TEST_CASE("simulate --serve: arrivals from a file, and what is wrong with one") {
  const TemporaryFolder folder;
  const auto file = [&](const char* text) {
    std::ofstream(folder / "arrivals.txt") << text;
    return folder / "arrivals.txt";
  };
  const auto played = test::served({"--arrivals", file("# s\n0\n0.5\n1\n1.5\n"), "-o", "json"});
  REQUIRE(played.code == cli::exit_ok);
  const auto document = boost::json::parse(played.out);
  CHECK(document.at("requests").as_int64() == 4);
  CHECK(document.at("offered_requests_per_s").to_number<double>() == test::approx(2));
  CHECK(document.at("mean_batch").to_number<double>() == 1);
  const auto refused = [&](const char* text, const char* reason) {
    const auto result = test::served({"--arrivals", file(text)});
    CHECK(result.code == cli::exit_usage);
    CAPTURE(result.err);
    CHECK(result.err.find(reason) != std::string::npos);
  };
  refused("0\n2\n1\n", "arrivals.txt:3");
  refused("0\nx\n", "arrivals.txt:2");
  refused("0\n", "two or more arrivals");
}

TEST_CASE("simulate --serve: what is said wrong is named") {
  const auto refused = [](const std::vector<std::string>& options, const char* reason) {
    const auto result = test::served(options);
    CHECK(result.code == cli::exit_usage);
    CAPTURE(result.err);
    CHECK(result.err.find(reason) != std::string::npos);
  };
  refused({}, "--qps");
  refused({"--qps", "0"}, "from 0.000001 to 10 million");
  refused({"--qps", "5", "--max-delay", "5"}, "5ms");
  refused({"--qps", "5", "--arrivals", "bursty:0"}, "bursty:8");
  refused({"--qps", "5", "--phase", "train"}, "--phase infer");
  refused({"--qps", "5", "--routing", "best"}, "shortest or random");
}

TEST_CASE("simulate: what draws no trace says so") {
  const std::vector<std::vector<std::string>> untraced{
      {"--spot", "--hours", "3h"},
      {"--serve", "--qps", "10", "--machine", "gpu=T4"},
      {"--network", "llama-8b", "--phase", "decode", "--serve", "--qps", "1"}};
  for (auto arguments : untraced) {
    arguments.insert(arguments.begin(), "simulate");
    arguments.insert(arguments.end(), {"--trace", "never.json"});
    const auto result = test::run_without_model(arguments);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("--trace: what is drawn is the data path") != std::string::npos);
  }
}

TEST_CASE("simulate --serve --phase decode: more sequences, slower tokens, refusals say why") {
  const auto decoded = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"simulate", "--serve", "--phase", "decode", "--precision", "bf16"});
    return test::run_without_model(more);
  };
  double before = 0;
  for (const auto* qps : {"0.5", "4", "8"}) {
    const auto result = decoded(
        {"--network", "llama-8b", "--machine", "gpu=A100-80GB:1", "--qps", qps, "-o", "json"});
    REQUIRE(result.code == cli::exit_ok);
    const auto document = boost::json::parse(result.out);
    CHECK(document.at("schema") == "rightsize/decode/1");
    CHECK(number(document, "token", "value") > before);
    before = number(document, "token", "value");
    CHECK(number(document, "token", "low") < before);
    CHECK(number(document, "throughput", "value") == test::approx(128 * std::atof(qps)));
  }
  const auto reached = [&](const char* gpu) {
    return decoded({"--network", "gpt2", "--qps", "1", "--machine", gpu}).out;
  };
  CHECK(reached("gpu=A100").find("reaches 70% of the bandwidth") != std::string::npos);
  CHECK(reached("gpu=L40S").find("reaches 83% of the bandwidth") != std::string::npos);  // GDDR
  const auto refused = [&](std::vector<std::string> more, const char* reason, int code) {
    const auto result = decoded(std::move(more));
    CAPTURE(result.out);
    CHECK(result.code == code);
    CHECK((result.out + result.err).find(reason) != std::string::npos);
  };
  const int nothing = cli::exit_nothing_satisfies;
  refused({"--network", "llama-8b", "--machine", "gpu=T4:1", "--qps", "1"}, "[service]", nothing);
  refused({"--network", "resnet50", "--machine", "gpu=T4:1", "--qps", "1"}, "token", nothing);
  refused({"--network", "gpt2", "--machine", "vcpus=8", "--qps", "1"}, "GPU", nothing);
  refused({"--network", "gpt2", "--machine", "gpu=T4:1"}, "--qps", cli::exit_usage);
  refused({"--network", "gpt2", "--machine", "gpu=T4:1", "--qps", "1e6"}, "Saturated", nothing);
}

TEST_CASE("simulate: what would run for ever is refused with what can be asked") {
  const std::string endless = "10000000000000000000";
  const auto requests = test::served({"--qps", "100", "--simulated-items", endless});
  CHECK(requests.code == cli::exit_usage);
  CHECK(requests.err.find("at most 9,") != std::string::npos);
  const auto many =
      test::served({"--qps", "100", "--replicas", "10000", "--simulated-items", "500000"});
  CHECK(many.code == cli::exit_usage);
  CHECK(many.err.find("--simulated-items 500000: at most 196,078 are played") != std::string::npos);
  const auto items =
      test::run_without_model({"simulate", "--gpu-rate", "1400", "--simulated-items", endless});
  CHECK(items.code == cli::exit_usage);
  CHECK(items.err.find("at most 10,000,000 are played") != std::string::npos);
}

TEST_CASE("simulate: sequences of a million tokens are played fewer, unless a number was asked") {
  const TemporaryFolder folder;
  const auto job = folder.write("job.toml",
                                "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\n"
                                "precision = \"fp16\"\n[service]\nqps = 0.001\n"
                                "prompt_tokens = 10\noutput_tokens = 100000\n"
                                "first_token = \"100s\"\ntoken = \"1s\"\n");
  const auto asked = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"simulate", job, "--machine", "gpu=H100", "-o", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::run_without_model(arguments);
  };
  CHECK(asked({}).code == cli::exit_ok);
  const auto refused = asked({"--simulated-items", "20000"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("at most 1,99") != std::string::npos);
}

TEST_CASE("simulate: offers the phases that it plays, and names its own flags") {
  const auto help = test::run_without_model({"simulate", "--help"}).out;
  CHECK(help.find("train, infer or decode") != std::string::npos);
  CHECK(help.find("decode or preprocess") == std::string::npos);
  CHECK(test::run_without_model({"predict", "--help"}).out.find("decode or preprocess") !=
        std::string::npos);
  const auto refused = test::run_without_model({"simulate",
                                                "--serve",
                                                "--network",
                                                "vgg16",
                                                "--phase",
                                                "infer",
                                                "--machine",
                                                "gpu=T4",
                                                "--qps",
                                                "10",
                                                "--max-batch",
                                                "8192"});
  CAPTURE(refused.out + refused.err);
  CHECK(refused.out.find("Next: --max-batch ") != std::string::npos);
}
