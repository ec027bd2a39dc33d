// What several machines would save of work that they could share, where one is asked for.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;

namespace {

json::value advised(const std::string& job, std::vector<std::string> more) {
  more.insert(more.begin(), {"advise", job, "--infra", "aws", "-o", "json"});
  const auto result = test::run_without_model(more);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return json::parse(result.out);
}

std::string warning_with(const json::value& answer, const std::string& part) {
  for (const auto& warning : answer.at("warnings").as_array()) {
    if (std::string text(warning.as_string()); text.find(part) != std::string::npos) {
      return text;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("several machines: pictures that a deadline gives to a large one go to small ones too") {
  const TemporaryFolder folder;
  const auto job = folder / "job.toml";
  std::ofstream(job) << "[job]\nnetwork = \"sdxl:steps=30\"\nphase = \"infer\"\n[data]\n"
                        "items = 100000\n[constraints]\ndeadline = \"48h\"\n";
  const auto one = advised(job, {});
  const auto told = warning_with(one, "share the items");
  REQUIRE_FALSE(told.empty());
  const auto asked = told.substr(told.rfind(' ') + 1);
  const auto several = advised(job, {"--nodes-max", asked});
  const auto cost = [](const json::value& answer) {
    return answer.at("chosen").at("cost").at("value").to_number<double>();
  };
  CHECK(several.at("chosen").at("nodes") == std::stoi(asked));
  CHECK(cost(several) < 0.9 * cost(one));
  CHECK(warning_with(several, "share the items").empty());
  // Without a deadline one small machine has the time.
  CHECK(warning_with(advised(job, {"--deadline", "9999h"}), "share the items").empty());
}
