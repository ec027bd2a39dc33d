// Money in documents: what is quoted or billed is exact decimal text, and adds up; only what
// follows from estimated hours is a number.
#include <fstream>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "pricing/money.h"
#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
using test::ModelFile;
using test::run;
namespace json = boost::json;

namespace {

const std::string root = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";

json::value document(std::vector<std::string> words) {
  const ModelFile model;
  words.insert(words.end(), {"--model", model.path(), "--infra", "aws/us-east-1", "-o", "json"});
  const auto result = run(words);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return json::parse(result.out);
}

Money money_of(const json::value& value) {
  return Money::parse(value.at("amount").as_string(),
                      std::string(value.at("currency").as_string()));
}

// Every field of these names is text wherever it stands.
void check_exact(const json::value& value, const std::string& path) {
  if (const auto* list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      check_exact((*list)[i], path + "[" + std::to_string(i) + "]");
    }
    return;
  }
  for (const auto& [key, field] : value.is_object() ? value.get_object() : json::object{}) {
    const std::string name(key);
    CAPTURE(path);
    CAPTURE(name);
    for (const auto* money : {"amount", "unit_price", "price_per_hour", "decimal", "budget"}) {
      CHECK((name != money || field.is_string() || field.is_null()));
    }
    check_exact(field, path + "." + name);
  }
}

// An option's bill: its lines add up to the total, to the last nano-unit, and the estimated cost is
// what that comes to.
void check_bill(const json::value& option) {
  Money sum;
  const auto& lines = option.at("bill").as_array();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    sum = i == 0 ? money_of(lines[i]) : sum + money_of(lines[i]);
  }
  CHECK(sum == money_of(option.at("bill_total")));
  CHECK(sum.decimal() == option.at("bill_total").at("amount").as_string());
  CHECK(option.at("cost").at("value").to_number<double>() == test::approx(sum.approximate()));
}

}  // namespace

TEST_CASE("exact money: of advise, the lines of every bill add up to its total") {
  for (const auto* job : {"demo/job.toml", "service/job.toml", "llm/serve.toml"}) {
    CAPTURE(job);
    const auto answer = document({"advise", root + job, "--market", "on-demand"});
    check_exact(answer, "answer");
    CHECK(answer.at("options").as_array().size() > 1);
    for (const auto& option : answer.at("options").as_array()) {
      check_bill(option);
    }
  }
}

TEST_CASE("exact money: of compare, what-if and explain too, prices in the tree included") {
  const auto job = root + "demo/job.toml";
  const auto comparison = document({"compare", job, "g6e.4xlarge", "g6.4xlarge"});
  check_exact(comparison, "comparison");
  for (const auto& option : comparison.at("options").as_array()) {
    check_bill(option);
  }
  const auto supposed = document({"what-if", job, "g6e.4xlarge", "vcpus=24"});
  check_exact(supposed, "what-if");
  check_bill(supposed.at("now"));
  check_bill(supposed.at("then"));
  const auto explanation = document({"explain", job, "g6e.4xlarge"});
  check_exact(explanation, "explanation");
  check_bill(explanation.at("option"));
  const auto& price = explanation.at("cost").at("parts").at(0);
  CHECK(price.at("name") == "price");
  CHECK(price.at("decimal") == explanation.at("option").at("price_per_hour"));
}

TEST_CASE("exact money: of a fleet, the jobs' bills add up to its total") {
  const auto fleet = document({"advise", root + "demo/job.toml", root + "fleet/vgg16.toml"});
  check_exact(fleet, "fleet");
  Money sum(0, "USD");
  for (const auto& answer : fleet.at("answers").as_array()) {
    sum += money_of(answer.at("chosen").at("bill_total"));
  }
  const auto& totals = fleet.at("total").at("bill_totals").as_array();
  REQUIRE(totals.size() == 1);
  CHECK(money_of(totals[0]) == sum);
}
