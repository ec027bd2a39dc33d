// A machine that is rented by the month, as its user meets it in advise and explain.
#include <fstream>
#include <optional>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/explain/explanation.h"
#include "pricing/money.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string book_in(const TemporaryFolder& folder, const std::string& more) {
  std::ofstream(folder / "book.toml")
      << "book = \"mine\"\nas_of = \"2026-11-01\"\n[[offer]]\nprovider = \"aws\"\n"
         "instance = \"g6e.xlarge\"\nregion = \"us-east-1\"\nprice = \"900\"\n"
      << more;
  return folder / "book.toml";
}

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

// What the flips say is taken where the number stands; nullopt where they say nothing of it.
std::optional<std::string> taken_now(const Sensitivity& moved) {
  if (moved.flips.empty() || !moved.now) {
    return std::nullopt;
  }
  auto taken = moved.flips.front().below;
  for (const auto& flip : moved.flips) {
    taken = flip.at <= *moved.now ? flip.above : taken;
  }
  return taken;
}

}  // namespace

// A day's job pays 900 for the month, and 151 GiB at 0.08 for it, 12.08: 912.08 together.
TEST_CASE("rented monthly: a job of a day is billed a month, line by line, and that is said") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto book = book_in(folder, "per = \"month\"\n");
  const auto asked = [&](const char* command, std::vector<std::string> more) {
    more.insert(more.begin(), {command, job, "--prices", book, "--model", model.path()});
    const auto result = test::run(more);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return result.out;
  };
  const auto answer = boost::json::parse(asked("advise", {"--deadline", "700h", "-o", "json"}));
  const auto& chosen = answer.at("chosen");
  auto sum = Money(0, "USD");
  for (const auto& line : chosen.at("bill").as_array()) {
    sum += Money::parse(std::string(line.at("amount").as_string()), "USD");
  }
  CHECK(chosen.at("bill").at(0).at("quantity") == "1 x 1 month");
  CHECK(chosen.at("bill").at(0).at("amount") == "900.00");
  CHECK(sum.decimal() == "912.08");
  CHECK(chosen.at("cost").at("value").to_number<double>() == test::approx(912.08));
  CHECK(asked("advise", {"--deadline", "700h"}).find("rented by the month at 900.00 USD") !=
        std::string::npos);
  const auto explained = asked("explain", {"--deadline", "700h"});
  CHECK(explained.find("billed 730 h") != std::string::npos);
  CAPTURE(explained);
  CHECK(explained.find("a month 900") != std::string::npos);
  const auto shared = [&](const std::vector<std::string>& more) {
    auto words = more;
    words.insert(words.end(), {"--deadline", "700h", "--utilisation", "50%", "-o", "json"});
    return asked("advise", words);
  };
  CHECK(shared({}).find("rented by the month: --utilisation is of reservations and does not enter; "
                        "a run alone pays the months it begins") != std::string::npos);
  CHECK(shared({"--runs-per-month", "4"}).find("the 4 runs a month share the months they take") !=
        std::string::npos);
}

// A 730th of the month is 0.41, less than an hour's 2, but a day's job pays all of the month.
TEST_CASE("rented monthly: an hour's price is not hidden behind a month's 730th") {
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "MonthlyPrice,Currency,Arch,Book,AsOf,Source",
      "acme,gpu-l,16,64,V100,1,here,2.00,300,USD,x86_64,current,2026-01-01,test\n"
      "acme,gpu-xl,16,64,V100,1,here,9.00,,USD,x86_64,current,2026-01-01,test\n");
  const auto explained = explain(test::imagenet_job(), world.evidence(), "");
  REQUIRE(explained.chosen == "acme/gpu-l");
  REQUIRE_FALSE(explained.option.price_per_month);
  for (const auto& sensitivity : explained.sensitivities) {
    CAPTURE(sensitivity.what);
    CHECK(taken_now(sensitivity).value_or(explained.chosen) == explained.chosen);
  }
}

TEST_CASE("rented monthly: what makes no sense is refused where it stands") {
  const TemporaryFolder folder;
  const auto book = book_in(folder, "per = \"month\"\nmarket = \"spot\"\n");
  const auto result = test::run_without_model({"advise", job, "--prices", book});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("book.toml:8: per = \"month\" with market = \"spot\"") !=
        std::string::npos);
}
