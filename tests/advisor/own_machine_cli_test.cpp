// A machine of the user's own, by --on-prem: its name, and its price as the user's word.
#include <regex>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;

namespace {

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
const std::string own =
    "gpu=H100:8,price=180000USD,years=4,power=6.5kW,kwh=0.15,vcpus=128,memory=1024GiB";

test::Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("own machine: predict knows it by its name, however that is spelt") {
  const auto asked = [](const std::string& machine) {
    return run({"predict", "--on-prem", own, "--machine", machine, "-o", "json"});
  };
  const auto parts = asked("gpu=H100:8,vcpus=128,memory=1024GiB");
  REQUIRE(parts.code == cli::exit_ok);
  for (const auto* name : {"own 8x H100", "own 8xh100", "on-prem/Own8xH100"}) {
    CAPTURE(name);
    const auto named = asked(name);
    CAPTURE(named.err);
    CHECK(named.code == cli::exit_ok);
  }
  const auto open = run({"predict",
                         "--on-prem",
                         "gpu=T4:1,price=9000USD,years=4,power=0.5kW,kwh=0.15",
                         "--machine",
                         "own 1x T4"});
  CHECK(open.code == cli::exit_ok);  // what is not said of it does not limit
}

TEST_CASE("own machine: a name that is none lists the machines there are") {
  const auto predicted = run({"predict", "--on-prem", own, "--machine", "xyz"});
  CHECK(predicted.code == cli::exit_usage);
  CHECK(holds(predicted.err, "--machine xyz: no such instance in the price tables"));
  CHECK(holds(predicted.err, "machines of yours: \"own 8x H100\""));
  const auto explained = run({"explain", job, "my server", "--on-prem", own});
  CHECK(holds(explained.err, "no instance is called \"my server\""));
  CHECK(holds(explained.err, "machines of yours: \"own 8x H100\""));
}

TEST_CASE("own machine: with another price the hours without work are paid for as before") {
  const auto cost_with = [](const char* price) {
    const auto said = run({"what-if",
                           job,
                           "own 8xh100",
                           price,
                           "--on-prem",
                           own,
                           "--runs-per-month",
                           "2",
                           "-o",
                           "json"});
    CAPTURE(said.err);
    const auto answer = boost::json::parse(said.out);
    const auto cost = [&](const char* which) {
      return answer.at(which).at("cost").at("value").to_number<double>();
    };
    return cost("then") / cost("now");
  };
  CHECK(cost_with("price=+10%") == test::approx(1.1).epsilon(1e-3));
  CHECK(cost_with("price=-90%") == test::approx(0.1).epsilon(1e-3));
}

TEST_CASE("own machine: the price at which it wins is one at which it does") {
  const std::string dear =
      "gpu=A100:8,price=180000USD,years=4,power=6.5kW,kwh=0.15,vcpus=128,memory=1024GiB";
  const std::vector<std::string> question{
      "--infra", "aws", "--runs-per-month", "20", "--on-prem", dear};
  const auto ask = [&](std::vector<std::string> words) {
    words.insert(words.end(), question.begin(), question.end());
    return run(words);
  };
  const auto explained = ask({"explain", job, "own 8x A100"});
  CAPTURE(explained.out);
  std::smatch found;
  REQUIRE(std::regex_search(
      explained.out, found, std::regex("under ([0-9.]+) USD per hour take on-prem/own 8x A100")));
  const double wins = std::stod(found[1]);
  const auto chosen_at = [&](double price) {
    const auto said =
        ask({"what-if", job, "own 8x A100", fmt::format("price={:.6f}", price), "-o", "json"});
    return std::string(boost::json::parse(said.out).at("chosen_then").as_string());
  };
  CHECK(holds(chosen_at(0.97 * wins), "own 8x A100"));
  CHECK_FALSE(holds(chosen_at(1.03 * wins), "own 8x A100"));
}

TEST_CASE("own machine: its price is the user's word, without a day") {
  const auto explained = run({"explain", job, "own 8xh100", "--on-prem", own});
  CAPTURE(explained.out);
  CHECK(explained.code == cli::exit_ok);
  CHECK(holds(explained.out, "USD per hour  [given]"));
  CHECK(holds(explained.out, "vCPUs 128 [given]"));
  CHECK(holds(explained.out, "from --on-prem: your own figures, as given"));
  CHECK_FALSE(holds(explained.out, "as of as given"));
  const auto advised = run({"advise", job, "--on-prem", own, "--book", "own"});
  CHECK_FALSE(holds(advised.out + advised.err, "which is no day"));
}

TEST_CASE("own machine: a GPU that is none, or counted otherwise than by a colon, is refused") {
  const auto refused = [](const std::string& gpu) {
    return run({"advise", job, "--on-prem", "gpu=" + gpu + own.substr(own.find(','))}).err;
  };
  CHECK(holds(refused("H10O:8"), "--on-prem gpu: no figures for the GPU \"H10O\""));
  CHECK(holds(refused("H100 x 8"), "--on-prem gpu=H100 x 8: expected a GPU and how many"));
}

TEST_CASE("own machine: a service takes all its hours, a job those it works") {
  const auto half = own + ",utilisation=50%";
  const std::vector<std::string> where{"--infra", "on-prem", "-o", "json"};
  const auto hour = [&](const std::string& file, const std::string& machine) {
    std::vector<std::string> words{"advise", file, "--on-prem", machine};
    words.insert(words.end(), where.begin(), where.end());
    const auto result = run(words);
    CAPTURE(result.err);
    return boost::json::parse(result.out).at("chosen").at("price_per_hour");
  };
  const std::string service = RIGHTSIZE_SOURCE_DIR "/examples/service/job.toml";
  CHECK(hour(service, half) == hour(service, own));
  CHECK(hour(job, half) != hour(job, own));
  const auto both = run({"advise", job, service, "--on-prem", half});
  CHECK(both.code == 2);
  CHECK(holds(both.err, "does not say how often it is run"));
}

TEST_CASE("own machine: data that its disk does not hold are not put on a rented one") {
  const auto asked = [](const std::string& disk) {
    return run({"advise", job, "--on-prem", own + ",disk=" + disk, "--infra", "on-prem"});
  };
  const auto small = asked("100GiB");
  CHECK(small.code == cli::exit_nothing_satisfies);
  CHECK(holds(small.out + small.err, "its own disk does not hold the data"));
  CHECK_FALSE(holds(small.out, "unlisted"));
  CHECK(asked("7680GiB").code == cli::exit_ok);
}

TEST_CASE("own machine: a discount on reservations is none on it") {
  const auto hour = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{
        "advise", job, "--on-prem", own, "--infra", "on-prem", "-o", "json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run(words);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return boost::json::parse(result.out).at("chosen").at("price_per_hour");
  };
  CHECK(hour({"--reserved-discount", "40%"}) == hour({}));
}

TEST_CASE("own machine: two of the same GPUs are two") {
  const auto second =
      "gpu=H100:8,price=90000USD,years=4,power=6.5kW,kwh=0.15,vcpus=64,memory=512GiB";
  const auto result = run(
      {"advise", job, "--on-prem", own, "--on-prem", second, "--infra", "on-prem", "-o", "csv"});
  CAPTURE(result.out);
  CHECK(holds(result.out, "own 8x H100,"));
  CHECK(holds(result.out, "own 8x H100 (2),"));
}

TEST_CASE("own machine: an export says whose price it is") {
  const auto script = run({"export", job, "--to", "slurm", "--on-prem", own, "--infra", "on-prem"});
  CAPTURE(script.err);
  CHECK(holds(script.out, " USD per hour of your machine [given]; disk:"));
}

TEST_CASE("own machine: what rents clouds is told to another machine, beside a cloud asked for") {
  const auto sky = run({"export",
                        job,
                        "--to",
                        "skypilot",
                        "--on-prem",
                        own,
                        "--infra",
                        "aws",
                        "--option",
                        "own 8x H100"});
  CHECK(holds(sky.err, "name one of the other machines with --option"));
}
