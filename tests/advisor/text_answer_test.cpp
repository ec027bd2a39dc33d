// A list of texts in every command: its flags, and what a million written tokens cost in the forms
// that are no prose.
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "pricing/import/csv.h"
#include "support/program.h"

using namespace rightsize;
namespace json = boost::json;

namespace {

const std::string batch_job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/batch.toml";
constexpr const char* column = "cost_per_1m_output_tokens";

// The first row's cell.
double number(const CsvTable& csv, const char* name) {
  REQUIRE(csv.column(name) >= 0);
  REQUIRE_FALSE(csv.rows.empty());
  return std::stod(csv.rows[0].fields[static_cast<std::size_t>(csv.column(name))]);
}

}  // namespace

TEST_CASE("text answers: a CSV has what a million written tokens cost, as the JSON tells it") {
  const auto advised = [](const char* form) {
    const auto result =
        test::run_without_model({"advise", batch_job, "--infra", "aws", "-o", form});
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return result.out;
  };
  const auto csv = parse_csv(advised("csv"), "options.csv");
  const auto document = json::parse(advised("json"));
  CHECK(number(csv, column) ==
        doctest::Approx(document.at("chosen").at(column).to_number<double>()).epsilon(1e-4));
  CHECK(number(csv, column) == doctest::Approx(number(csv, "cost") / 200).epsilon(1e-2));
}

TEST_CASE("text answers: two machines are compared by it") {
  const auto compared = [](const char* form) {
    return test::run_without_model({"compare",
                                    batch_job,
                                    "aws/us-east-1/g6e.xlarge",
                                    "aws/us-east-1/g6e.2xlarge",
                                    "--deadline",
                                    "999h",
                                    "-o",
                                    form})
        .out;
  };
  const auto csv = compared("csv");
  CHECK_MESSAGE(csv.find(column) != std::string::npos, csv);
  CHECK(compared("table").find("per million tokens") != std::string::npos);
}

// Twice as many tokens of each text take less than twice as long: each is the cheaper.

TEST_CASE("text answers: of other lengths the ratio is that of a token") {
  const auto result = test::run_without_model(
      {"what-if", batch_job, "g6e.xlarge", "output-tokens=400", "--deadline", "999h", "-o", "csv"});
  const auto csv = parse_csv(result.out, "pair.csv");
  for (const auto& row : csv.rows) {
    if (row.fields[0] == column) {
      CHECK(std::stod(row.fields[static_cast<std::size_t>(csv.column("ratio"))]) < 1);
      return;
    }
  }
  FAIL(result.out, result.err);
}
