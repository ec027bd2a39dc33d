// `rightsize size` with the price of what it finds, as a user asks for it.
#include <algorithm>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "pricing/money.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("size: GPUs that write tokens are sized without prices, and say so when asked for some") {
  for (const auto* flag : {"--custom-prices=mine.csv", "--infra=aws", "--book=current"}) {
    const auto result = test::run_without_model(
        {"size", RIGHTSIZE_SOURCE_DIR "/examples/llm/serve.toml", "--gpu", "L40S", flag});
    CAPTURE(flag);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("ask advise") != std::string::npos);
  }
}

TEST_CASE("size: a month of a service's machines costs what advise says") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/service/job.toml";
  const auto asked = [&](const std::vector<std::string>& arguments) {
    return boost::json::parse(test::run_without_model(arguments).out);
  };
  const auto sized = asked({"size", job, "--gpu", "T4", "--infra", "aws", "-o", "json"});
  const auto& sold = sized.at("price").at("standard");
  const auto advised = asked({"advise", job, "--infra", "aws", "--allow", "^g4dn", "-o", "json"});
  const auto& chosen = advised.at("chosen");
  CHECK(sold.at("instance") == chosen.at("instance"));
  for (const auto* end : {"value", "low", "high"}) {
    CAPTURE(end);
    CHECK(sold.at("month").at(end).to_number<double>() ==
          test::approx(chosen.at("cost").at(end).to_number<double>()).epsilon(1e-9));
  }
  const auto text = test::run_without_model({"size", job, "--gpu", "T4"}).out;
  CHECK(text.find(" of them: ~$1,152 a month ($767.96 … $1,536)") != std::string::npos);
}

TEST_CASE("size: prices of the user's own are those asked for, beside ours where he says so") {
  const TemporaryFolder folder;
  const auto path = folder / "mine.toml";
  std::ofstream(path) << "book = \"mine\"\n[[offer]]\nprovider = \"aws\"\n"
                         "instance = \"g4dn.2xlarge\"\nregion = \"us-east-1\"\nprice = \"0.31\"\n";
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/service/job.toml";
  const auto text = test::run_without_model({"size", job, "--gpu", "T4", "--prices", path}).out;
  CHECK(text.find("aws g4dn.2xlarge (us-east-1), on demand, book mine") != std::string::npos);
  CHECK(text.find(" of them: ~$678.90 a month") != std::string::npos);  // 3 x 730 h x $0.31
  CHECK(text.find("cut to measure: no price table asked for") != std::string::npos);
  const auto both = test::run_without_model(
      {"size", job, "--gpu", "T4", "--prices", path, "--book", "current,mine"});
  CHECK(both.out.find("cut to measure: gcp custom-") != std::string::npos);
  CHECK(both.out.find("book mine") != std::string::npos);
}

TEST_CASE("size: prices are of the places and the book that the job file asks for") {
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\nnetwork = \"resnet50\"\n[data]\nitems = 1000000\n"
                         "bytes = \"110GB\"\n[constraints]\ninfra = \"azure/*\"\n";
  const auto size = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"size", path, "--gpu", "T4"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return test::run_without_model(arguments).out;
  };
  CHECK(size({}).find("holds it is azure ") != std::string::npos);
  CHECK(size({"--infra", "aws"}).find("holds it is aws ") != std::string::npos);
  CHECK(size({}).find("gcp sells this GPU by the unit, and the places that are asked for leave it "
                      "out: --infra gcp takes it in") != std::string::npos);
}

TEST_CASE("size: names what its machine costs, with a disk that is fast enough, book and day") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  const auto text = test::run_without_model({"size", job, "--gpu", "T4"}).out;
  CHECK(text.find("cut to measure: gcp custom-") != std::string::npos);
  CHECK(text.find("on demand, book current, as of 2026-07-30, custom.csv") != std::string::npos);
  CHECK(text.find(" USD an hour; the job, ~") != std::string::npos);
  CHECK(text.find("% busy, ~") != std::string::npos);
  const auto sold = text.find("as it is sold: the cheapest machine that holds it is ");
  REQUIRE(sold != std::string::npos);
  CHECK(text.find("\ntotal ", sold) != std::string::npos);  // the job's bill, whose steps are seen
  const auto document =
      boost::json::parse(test::run_without_model({"size", job, "--gpu", "T4", "-o", "json"}).out);
  const auto& hour = document.at("price").at("by_the_unit").at("hour");
  auto sum = Money(0, "USD");
  for (const auto& line : hour.at("bill").as_array()) {
    sum += Money::parse(std::string(line.at("amount").as_string()), "USD");
  }
  CHECK(sum.decimal() == hour.at("bill_total").at("amount").as_string());
  const auto& by_the_unit = document.at("price").at("by_the_unit");
  const auto& cost = by_the_unit.at("cost");
  const auto& hours = by_the_unit.at("hours");
  const double by_hour = std::stod(std::string(hour.at("bill_total").at("amount").as_string()));
  for (const auto* end : {"value", "low"}) {  // what is billed by the second: in proportion
    CHECK(cost.at(end).as_double() / hours.at(end).as_double() ==
          test::approx(by_hour).epsilon(1e-4));
  }
  // A week and more has Google's discount of sustained use.
  CHECK(hours.at("high").as_double() > 730 / 4.0);
  CHECK(cost.at("high").as_double() / hours.at("high").as_double() < 0.99 * by_hour);
  CHECK(hour.at("bill").as_array().size() == 4);  // vCPUs, memory, the GPU and a disk
  CHECK(document.at("price").at("by_the_unit").at("accelerator_busy").as_double() >= 0.949);
}

// What is priced is what predict says of that machine, and what advise says of what is sold.
TEST_CASE("size: the machine that is priced does what predict and advise say it does") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  const auto sized =
      boost::json::parse(test::run_without_model({"size", job, "--gpu", "T4", "-o", "json"}).out);
  const auto& unit = sized.at("price").at("by_the_unit");
  const auto predicted = boost::json::parse(
      test::run_without_model({"predict",
                               job,
                               "--machine",
                               fmt::format("gpu=T4,vcpus={},memory={}GiB,disk=pd-ssd:151GiB",
                                           unit.at("vcpus").to_number<double>(),
                                           unit.at("memory_gib").to_number<double>()),
                               "-o",
                               "json"})
          .out);
  CHECK(unit.at("disk") == "pd-ssd 151 GiB");
  CHECK(unit.at("throughput").at("value").to_number<double>() ==
        test::approx(predicted.at("throughput").at("value").to_number<double>()).epsilon(1e-3));
  const auto& standard = sized.at("price").at("standard");
  const auto advised = boost::json::parse(
      test::run_without_model({"advise",
                               job,
                               "--allow",
                               fmt::format("^{}$", standard.at("instance").as_string().c_str()),
                               "--deadline",
                               "2000h",
                               "-o",
                               "json"})
          .out);
  CHECK(
      standard.at("hours").at("value").to_number<double>() ==
      test::approx(advised.at("chosen").at("hours").at("value").to_number<double>()).epsilon(1e-3));
}

TEST_CASE("size: a machine with more GPUs than were asked for is priced by all of them") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  const auto sized =
      boost::json::parse(test::run_without_model({"size", job, "--gpu", "L4:3", "-o", "json"}).out);
  const auto& standard = sized.at("price").at("standard");
  REQUIRE(standard.at("gpus").to_number<double>() == 4);
  const auto predicted = boost::json::parse(
      test::run_without_model(
          {"predict", job, "--machine", standard.at("instance").as_string().c_str(), "-o", "json"})
          .out);
  CHECK(standard.at("throughput").at("value").to_number<double>() ==
        test::approx(predicted.at("throughput").at("value").to_number<double>()).epsilon(1e-2));
}

TEST_CASE("size: csv and md have the price too, and flags say of which place and book it is") {
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  const auto sized = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"size", job});
    if (std::find(more.begin(), more.end(), "--gpu") == more.end()) {
      more.insert(more.end(), {"--gpu", "T4"});
    }
    const auto result = test::run_without_model(more);
    CHECK(result.code == cli::exit_ok);
    return result.out;
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  for (const auto* format : {"csv", "md"}) {
    const auto text = sized({"-o", format, "--infra", "aws/eu-*"});
    CAPTURE(text);
    CHECK(has(text, "as it is sold"));
    CHECK(has(text, " the job"));
    CHECK(has(text, "aws g4dn."));
    CHECK(has(text, "(eu-"));
    CHECK(has(text, "gcp sells this GPU by the unit"));  // gcp does
  }
  CHECK(has(sized({"--book", "current"}), "cut to measure: gcp custom-"));
  CHECK_FALSE(has(sized({"--book", "era-2017"}), "cut to measure: gcp custom-"));
  const auto retired = sized({"--gpu", "M60", "--infra", "azure"});
  CHECK(has(retired, "--retired takes it all the same"));
  CHECK(has(sized({"--gpu", "M60", "--infra", "azure", "--retired"}),
            "machine that holds it is azure"));
}
