// Machines of one name that are two: by their CPUs, or by the book that their prices are in.
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/right_sizing_world.h"
#include "advisor/verify.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;
using test::run_without_model;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
const std::string job = examples + "demo/job.toml";

// The same machine with two CPUs, and a dear one of somebody else.
std::string two_cpus(const TemporaryFolder& folder) {
  const std::string path = folder / "cpus.csv";
  std::ofstream(path) << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
                         "Region,Price,Cpu\n"
                         "acme,big,16,64,L40S,1,here,1.2,Xeon E5-2686 v4\n"
                         "acme,big,16,64,L40S,1,here,1.5,EPYC 9R14\n"
                         "beta,mid,16,64,L40S,1,here,5.0,\n";
  return path;
}

std::string answer(const std::vector<std::string>& words) {
  const auto result = run_without_model(words);
  CAPTURE(result.err);
  CHECK(result.code == cli::exit_ok);
  return result.out;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Of the cost's branches: the bill, line by line.
double share_of_bill(const json::value& cost, const char* part) {
  for (const auto& each : cost.at("parts").as_array()) {
    if (has(std::string(each.at("name").as_string()), part)) {
      return each.at("value").at("value").as_double();
    }
  }
  return NAN;
}

}  // namespace

TEST_CASE("same name: of two CPUs one is the answer, and the other what it loses to") {
  const TemporaryFolder folder;
  const auto table = two_cpus(folder);
  const auto advised = answer({"advise", job, "--prices", table, "-o", "json"});
  CHECK(json::parse(advised).at("chosen").at("cpu") == "Xeon E5-2686 v4");
  const auto shown = answer({"advise", job, "--prices", table});
  const auto star = shown.find("\n*");
  REQUIRE(star != std::string::npos);
  CHECK(shown.find("\n*", star + 1) == std::string::npos);
  const auto dearer =
      answer({"what-if", job, "acme/big@Xeon E5-2686 v4", "price=x3", "--prices", table});
  CHECK(has(dearer, "loses to acme/big@EPYC 9R14"));
  CHECK(has(answer({"explain", job, "--prices", table}),
            "from 1.494 USD per hour take acme/big@EPYC 9R14"));
  CHECK(has(answer({"explain", job, "acme/big@EPYC 9R14", "--prices", table}),
            "acme/big@EPYC 9R14: "));
}

TEST_CASE("same name: verify emulates the machine of the answer's book") {
  const auto world = test::knowledge_of(
      std::string(test::right_sizing_header),
      "acme,v.both,8,64,V100,1,here,3.00,USD,x86_64,current,2026-01-01,test\n"
      "acme,v.both,16,64,V100,1,here,2.00,USD,x86_64,era-2017,2017-06-01,test\n");
  for (const auto* book : {"current", "era-2017"}) {
    auto query = test::imagenet_job();
    query.book = book;
    const auto answer = search(query, world.evidence());
    REQUIRE_FALSE(answer.options.empty());
    const auto candidate = candidate_of(answer.options.front(), query, world.evidence());
    CHECK(candidate.offer->book == book);
    CHECK(candidate.setting.cpus == answer.options.front().vcpus);
  }
}

TEST_CASE("same name: a token service's cost is the sum of what explain shows") {
  const auto explained = answer({"explain",
                                 examples + "llm/serve.toml",
                                 "g6e.xlarge",
                                 "--infra",
                                 "aws",
                                 "--market",
                                 "reserved-1y",
                                 "--reserved-discount",
                                 "40%",
                                 "--hours-per-month",
                                 "438",
                                 "-o",
                                 "json"});
  const auto cost = json::parse(explained).at("cost");
  const double idle = share_of_bill(cost, "idle");
  CHECK(idle > 0);
  CHECK(idle == test::approx(0.4 * cost.at("value").at("value").as_double()).epsilon(0.01));
}
