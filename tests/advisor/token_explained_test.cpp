// Why a language model that writes tokens is answered so: explain and compare hold what advise says
// when it is asked about it.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/token_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using boost::json::value;
using test::answer_of;
using test::changed_llm;
using test::changed_llm_in;
using test::number;
using test::run;

namespace {

const std::string& small = test::small_llm;
const std::string here = "aws/us-east-1";

std::string text_of(const value& text) {
  return std::string(text.as_string());
}

// "provider/instance" that advise takes, "" where nothing satisfies.
std::string taken(const std::string& job, const std::string& model, std::vector<std::string> more) {
  std::vector<std::string> arguments{
      "advise", job, "--infra", here, "--model", model, "-o", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto document = boost::json::parse(run(arguments).out);
  const auto& chosen = document.at("chosen");
  return chosen.is_null() ? ""
                          : text_of(chosen.at("provider")) + "/" + text_of(chosen.at("instance"));
}

std::string or_nothing(const value& name) {
  return name.is_null() ? "" : text_of(name);
}

const value& named(const value& list, const char* key, const std::string& name) {
  for (const auto& row : list.as_array()) {
    if (text_of(row.at(key)) == name) {
      return row;
    }
  }
  FAIL("no " << key << " " << name);
  return list;
}

const value& part(const value& cause, const std::string& name) {
  return named(cause.at("parts"), "name", name);
}

double value_of(const value& cause) {
  return number(cause.at("value").at("value"));
}

}  // namespace

TEST_CASE("token answer: explain's tree adds up to what advise answers") {
  const test::ModelFile model;
  const auto advised = answer_of({"advise", small, "--infra", here}, model.path());
  const auto explained = answer_of({"explain", small, "--infra", here}, model.path());
  const auto& cost = explained.at("cost");
  const auto& tokens = advised.at("chosen").at("tokens");
  CHECK(value_of(cost) == test::approx(number(advised.at("chosen").at("cost").at("value"))));
  CHECK(value_of(part(cost, "price")) * value_of(part(cost, "machines")) * 730 ==
        test::approx(value_of(cost)).epsilon(0.01));
  const auto& machines = part(cost, "machines");
  CHECK(value_of(machines) == number(tokens.at("machines")));
  CHECK(value_of(part(machines, "token, p99")) ==
        test::approx(number(tokens.at("token_p99").at("value"))));
  const auto& iteration = part(part(machines, "token, p99"), "iteration");
  CHECK(value_of(iteration) ==
        test::approx(
            value_of(part(iteration, "overhead")) + value_of(part(iteration, "caches")) +
            std::max(value_of(part(iteration, "weights")), value_of(part(iteration, "products")))));
  CHECK(explained.at("service").is_null());
  CHECK(number(explained.at("tokens").at("most_sequences_per_s")) >= 5);
}

// Those that the iteration takes are in it, not in the prompt.
TEST_CASE("token answer: explain's prompt reads the experts that its iteration leaves") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  auto text = changed_llm("network = \"llama-8b\"", "network = \"mixtral-8x7b\"");
  text.replace(text.find("prompt_tokens = 512"), 19, "prompt_tokens = 64 ");
  std::ofstream(folder / "job.toml") << text;
  const auto explained = answer_of({"explain", folder / "job.toml", "--infra", here}, model.path());
  const auto& machines = part(explained.at("cost"), "machines");
  const auto& prompt = part(part(machines, "first token, p99"), "prompt");
  const auto& iteration = part(part(machines, "token, p99"), "iteration");
  const auto input = [](const value& cause, const char* name) {
    return number(named(cause.at("inputs"), "name", name).at("value"));
  };
  const double products_s = input(prompt, "work") / input(prompt, "rate");
  const double reading_s =
      input(prompt, "experts left") * 0x1p30 / input(part(iteration, "weights"), "bandwidth");
  double reduces_s = 0;
  for (const auto& one : prompt.at("inputs").as_array()) {
    reduces_s += text_of(one.at("name")) == "all-reduces" ? number(one.at("value")) : 0;
  }
  CHECK(input(prompt, "sequences of its iteration") > 1);
  CHECK(value_of(prompt) ==
        test::approx(std::max(products_s, reading_s) + reduces_s).epsilon(1e-6));
}

TEST_CASE("token answer: on either side of a flip advise takes what explain says") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto explained = answer_of({"explain", small, "--infra", here}, model.path());
  const auto& rows = explained.at("sensitivities");
  int checked = 0;
  for (const auto& flip : named(rows, "what", "sequences").at("flips").as_array()) {
    const double at = number(flip.at("at"));
    CAPTURE(at);
    CHECK(taken(small, model.path(), {"--qps", std::to_string(at * 0.995)}) ==
          or_nothing(flip.at("chosen_below")));
    CHECK(taken(small, model.path(), {"--qps", std::to_string(at * 1.005)}) ==
          or_nothing(flip.at("chosen_above")));
    ++checked;
  }
  for (const auto& flip : named(rows, "what", "a token within").at("flips").as_array()) {
    for (const auto& [factor, side] : {std::pair{0.995, "chosen_below"}, {1.005, "chosen_above"}}) {
      const double ms = 1e3 * factor * number(flip.at("at"));
      const auto job =
          changed_llm_in(folder, "token = \"50ms\"", "token = \"" + std::to_string(ms) + "ms\"");
      CAPTURE(ms);
      CHECK(taken(job, model.path(), {}) == or_nothing(flip.at(side)));
      ++checked;
    }
  }
  CHECK(checked > 2);
}

TEST_CASE("token answer: advise takes the least limits that explain names, and nothing below") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto explained = answer_of({"explain", small, "g6e.xlarge", "--infra", here}, model.path());
  const auto& margins = explained.at("tokens");
  for (const auto& [limit, least] : {std::pair{"token = \"50ms\"", "least_token_s"},
                                     std::pair{"first_token = \"1s\"", "least_first_token_s"}}) {
    for (const auto& [factor, takes] : {std::pair{1.0001, "aws/g6e.xlarge"}, {0.999, ""}}) {
      const double ms = 1e3 * factor * number(margins.at(least));
      const std::string key(limit, std::string(limit).find('"'));
      const auto job = changed_llm_in(
          folder, "\n" + std::string(limit), fmt::format("\n{}\"{:.6f}ms\"", key, ms));
      CAPTURE(key);
      CAPTURE(ms);
      CHECK(taken(job, model.path(), {"--allow", "^g6e.xlarge$"}) == takes);
    }
  }
}

TEST_CASE("token answer: the better of two changes where compare says") {
  const test::ModelFile model;
  const std::string first = "aws/g6e.xlarge";
  const std::string second = "aws/p5.4xlarge";
  const auto compared = answer_of({"compare", small, first, second, "--infra", here}, model.path());
  const std::vector<std::string> both = {"--allow", "^(g6e.xlarge|p5.4xlarge)$"};
  const auto& better = compared.at("options").as_array()[compared.at("better").as_int64() - 1];
  CHECK(taken(small, model.path(), both) == "aws/" + text_of(better.at("instance")));
  const auto& flips = named(compared.at("crossings"), "what", "load").at("flips");
  for (const auto& flip : flips.as_array()) {
    auto above = both;
    above.insert(above.end(), {"--qps", std::to_string(1.005 * number(flip.at("at")))});
    CHECK(taken(small, model.path(), above) == or_nothing(flip.at("better_above")));
  }
  REQUIRE(compared.at("price_flips").as_array().size() > 0);
  const auto& flip = compared.at("price_flips").as_array()[0];
  const double price = number(flip.at("better_below_price_per_hour"));
  const auto& moved = flip.at("option").as_int64() == 1 ? first : second;
  const auto& other = flip.at("option").as_int64() == 1 ? second : first;
  std::vector<std::string> supposed{"what-if", small, moved, "", "--infra", here};
  supposed.insert(supposed.end(), both.begin(), both.end());
  for (const auto& [factor, wins] : {std::pair{0.999, moved}, {1.001, other}}) {
    supposed[3] = "price=" + std::to_string(price * factor);
    CHECK(text_of(answer_of(supposed, model.path()).at("chosen_then")) == wins);
  }
  CHECK(
      number(compared.at("ratios").at("token_p99").at("value")) ==
      test::approx(number(compared.at("options").at(1).at("tokens").at("token_p99").at("value")) /
                   number(compared.at("options").at(0).at("tokens").at("token_p99").at("value"))));
}
