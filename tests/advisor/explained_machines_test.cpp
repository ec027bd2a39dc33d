// What an explanation says of the machines it is about: CPU machines by the law, several together,
// the network between them, hosts of another architecture.
#include <algorithm>
#include <sstream>
#include <string>

#include <doctest/doctest.h>

#include "advisor/explain/explanation.h"
#include "advisor/knowledge.h"
#include "advisor/report/explanation_text.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/made_model.h"

using namespace rightsize;

TEST_CASE("explain: a CPU machine by the law, and several machines, add up") {
  const auto world = knowledge_with(test::made_model());
  auto query = test::imagenet_job();
  query.network = "googlenet";
  query.precision = Precision::fp32;
  query.infra = {"aws/us-east-1"};
  query.gpus_max = 0;
  const auto by_law = explain(query, world.evidence(), "");
  CHECK(by_law.option.gpu.empty());
  CHECK(by_law.cost.value.value == test::approx(by_law.option.cost.value));
  const auto supposes = [](const Explanation& answer, const char* what) {
    return std::any_of(answer.sensitivities.begin(),
                       answer.sensitivities.end(),
                       [&](const Sensitivity& one) { return one.what == what; });
  };
  CHECK(supposes(by_law, "speed of every CPU"));  // it does the network too
  CHECK_FALSE(supposes(by_law, "decoding rate of every CPU"));
  auto together = test::imagenet_job();
  together.infra = {"aws/us-east-1"};
  together.nodes_max = 8;
  together.deadline_s = 900;
  const auto several = explain(together, world.evidence(), "");
  REQUIRE(several.option.nodes > 1);
  CHECK(supposes(several, "decoding rate of every CPU"));
  CHECK(several.cost.formula.starts_with("machines x "));
  double hourly = 0;  // price and disk, of one machine
  for (const auto& part : several.cost.parts) {
    hourly += part.name == "hours" ? 0 : part.value.value;
  }
  CHECK(several.option.nodes * hourly * several.option.hours.value ==
        test::approx(several.option.cost.value).epsilon(0.02));
}

TEST_CASE("explain: the network between machines is told, and whether anybody said it") {
  const auto world = knowledge_with(test::made_model());
  auto together = test::imagenet_job();
  together.infra = {"aws/us-east-1"};
  together.nodes_max = 8;
  together.deadline_s = 900;
  // In one line, as the words wrap and the tree's branches come between.
  const auto text_of = [&] {
    std::istringstream in(report::explanation_text(explain(together, world.evidence(), ""), {}));
    std::string text;
    for (std::string word; in >> word;) {
      text += word == "│" ? "" : word + " ";
    }
    return text;
  };
  const auto warns_of = [&](const char* words) {
    const auto warned = search(together, world.evidence()).warnings;
    return std::any_of(warned.begin(), warned.end(), [&](const std::string& warning) {
      return warning.starts_with(words);
    });
  };
  const auto published = text_of();
  CHECK(published.find("Gb/s [published]") != std::string::npos);
  CHECK(published.find("what this type keeps up") != std::string::npos);
  CHECK_FALSE(warns_of("a network of ethernet:25 between machines"));
  together.network_between = parse_network("efa:100", "--net");
  const auto given = text_of();
  CHECK(given.find("network of each machine 100 Gb/s [given]") != std::string::npos);
  CHECK(given.find("network between machines: not said") == std::string::npos);
  CHECK(warns_of("a network of efa:100 between machines [given] is taken of every instance type"));
}

TEST_CASE("explain: a network that no table says is assumed, and warned of") {
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      "acme,big,96,1152,A100,8,here,30,USD,x86_64,current,2026-11-26,test\n");
  auto together = test::imagenet_job();
  together.nodes_max = 8;
  together.deadline_s = 900;
  const auto why = explain(together, world.evidence(), "");
  REQUIRE(why.option.nodes > 1);
  CHECK(report::explanation_text(why, {}).find("ethernet:25") != std::string::npos);
  const auto warns = [&](const Query& query) {
    const auto answer = search(query, world.evidence());
    REQUIRE(answer.chosen);
    CHECK(answer.chosen->nodes > 1);
    return std::any_of(
        answer.warnings.begin(), answer.warnings.end(), [](const std::string& warning) {
          return warning.starts_with("a network of ethernet:25 between machines is taken of ");
        });
  };
  CHECK(warns(together));
  auto apart = together;  // each infers its share and talks to nobody
  apart.phase = Phase::infer;
  apart.deadline_s = 300;
  CHECK_FALSE(warns(apart));
}

TEST_CASE("explain: an Arm host is warned of, as containers must be built for it") {
  const auto warns = [](const std::string& arch) {
    const auto world = test::knowledge_of(
        "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
        "Currency,Arch,Book,AsOf,Source",
        "acme,grace,64,432,H100,1,here,3,USD," + arch + ",current,2026-11-26,test\n");
    Query query;
    query.network = "llama-1b";
    query.phase = Phase::decode;
    query.precision = Precision::bf16;
    query.format = DataFormat::synthetic;
    query.items = 1000;
    query.infra = {"acme"};
    const auto answer = search(query, world.evidence());
    REQUIRE(answer.chosen);
    return std::any_of(
        answer.warnings.begin(), answer.warnings.end(), [](const std::string& warning) {
          return warning.starts_with("grace's CPU is Arm (arm64): containers and packages must be");
        });
  };
  CHECK(warns("arm64"));
  CHECK_FALSE(warns("x86_64"));
}
