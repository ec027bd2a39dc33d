// Right-sizing: what is found of the machine a job runs on today.
#include "advisor/right_sizing/right_sizing.h"

#include <algorithm>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/judge/pair_chance.h"
#include "advisor/report/answer.h"
#include "advisor/report/right_sizing_text.h"
#include "advisor/right_sizing_world.h"
#include "advisor/service_world.h"
#include "support/approx.h"
#include "support/program.h"

using namespace rightsize;
using test::judged;
using test::row;
using test::world_of;

namespace {

Query job() {
  return test::imagenet_job();
}

bool has(const RightSizing& it, const std::string& code) {
  return std::find(it.reason_codes.begin(), it.reason_codes.end(), code) != it.reason_codes.end();
}

const std::string small = row("acme", "v.small", 8, 64, "V100", "1.00");
const std::string lavish = row("acme", "v.lavish", 96, 768, "V100", "3.00");
const std::string starved = row("acme", "v.starved", 1, 256, "V100", "0.90");

}  // namespace

TEST_CASE("right-sizing: what can be halved without harm is too much") {
  auto query = job();
  query.runs_per_month = 30;
  const auto answer = judged(world_of(small + lavish), query, "v.lavish");
  const auto& it = *answer.current;
  CHECK(it.finding == Finding::overprovisioned);
  CHECK(has(it, "CPUOverprovisioned"));
  CHECK(has(it, "MemoryOverprovisioned"));
  CHECK_FALSE(has(it, "GPUOverprovisioned"));  // it limits: half a V100 takes twice as long
  REQUIRE(it.move);
  // The same GPU at a third of the price, the disk's share aside: no error of either is left.
  CHECK(it.savings_per_job == test::approx(it.current->cost.value - answer.chosen->cost.value));
  CHECK(*it.savings_per_month == test::approx(30 * it.savings_per_job));
  CHECK(it.savings_share->value == test::approx(it.savings_per_job / it.current->cost.value));
  CHECK(it.effort == "VeryLow");
  CHECK(it.risk == 0);
}

TEST_CASE("right-sizing: a machine that misses the deadline is too small, and says in what") {
  auto query = job();
  const auto world = world_of(small + starved);
  const auto options = search(query, world.evidence()).options;
  const auto large = std::find_if(options.begin(), options.end(), [](const Option& option) {
    return option.instance == "v.small";
  });
  REQUIRE(large != options.end());
  query.deadline_s = large->hours.high * 3600 * 1.02;
  const auto answer = judged(world, query, "acme/v.starved");
  const auto& it = *answer.current;
  REQUIRE(answer.chosen->instance == "v.small");
  CHECK(it.finding == Finding::underprovisioned);
  CHECK(has(it, "CPUUnderprovisioned"));
  CHECK_FALSE(has(it, "MemoryUnderprovisioned"));
  CHECK(it.p_missed == test::approx(1 - answer.chosen->p_deadline));
  CHECK(it.risk == risk_score(it.p_missed));
}

TEST_CASE("right-sizing: a machine that misses the budget alone is too dear, not too small") {
  auto query = job();
  const auto world = world_of(small + lavish);
  const auto options = search(query, world.evidence()).options;
  query.budget = Money(std::llround(options.front().cost.high * 1.05 * 1e9), "USD");
  const auto answer = judged(world, query, "v.lavish");
  const auto& it = *answer.current;
  REQUIRE(answer.chosen->instance == "v.small");
  REQUIRE_FALSE(it.current->satisfies);
  CHECK(it.finding == Finding::overprovisioned);
  CHECK(has(it, "CPUOverprovisioned"));
  CHECK_FALSE(has(it, "GPUUnderprovisioned"));
  CHECK(it.move);
}

TEST_CASE("right-sizing: the chosen one, and a tie with it, are to be kept") {
  const auto world = world_of(small + row("acme", "v.twin", 8, 64, "V100", "1.001"));
  for (const auto* name : {"v.small", "v.twin"}) {
    const auto answer = judged(world, job(), name);
    CAPTURE(name);
    REQUIRE(answer.chosen->instance == "v.small");
    CHECK(answer.current->finding == Finding::optimized);
    CHECK_FALSE(answer.current->move);
    const auto text = report::answer_text(answer, {}, 10, false, {});
    CHECK(text.starts_with("Stay on "));
    CHECK(text.find("Take ") == std::string::npos);
  }
}

TEST_CASE("right-sizing: a machine that cannot do the job says why") {
  auto query = job();
  const auto world = world_of(row("acme", "k.old", 8, 64, "K80", "0.50") +
                              row("acme", "h.new", 8, 512, "H100", "5"));
  query.batches = {512};
  const auto answer = judged(world, query, "k.old");
  CHECK_FALSE(answer.current->current);
  CHECK(answer.current->finding == Finding::underprovisioned);
  CHECK(has(*answer.current, "GPUMemoryUnderprovisioned"));
  CHECK(report::right_sizing_sentence(answer).find("k.old cannot do this job: GPU memory") == 0);
}

TEST_CASE("right-sizing: of a machine that nothing here reaches nobody says that it is too small") {
  std::string arm = row("acme", "g.arm", 8, 64, "V100", "0.10");
  arm.replace(arm.find("x86_64"), 6, "arm64");
  const auto world = world_of(small + arm + row("acme", "x.new", 8, 64, "Voodoo2", "0.10"));
  for (const auto& [name, why] : {std::pair{"g.arm", "another CPU architecture (arm64)"},
                                  {"x.new", "no figures for this GPU"}}) {
    CAPTURE(name);
    const auto answer = judged(world, job(), name);
    CHECK(answer.current->finding == Finding::not_judged);
    CHECK_FALSE(answer.current->move);
    CHECK(report::right_sizing_sentence(answer).starts_with(
        fmt::format("{} cannot be judged for this job: {}", name, why)));
    const auto document = to_json(answer).at("current").as_object();
    CHECK(document.at("finding") == "NotJudged");
    CHECK(document.at("cannot_do_the_job").is_null());
    CHECK(document.at("cannot_be_judged").as_string().starts_with(why));
    CHECK_FALSE(document.contains("performance_risk"));
  }
}

TEST_CASE("right-sizing: today's machine has a rank and a chance only where it is an option") {
  auto query = job();
  const auto world = world_of(small + lavish);
  const auto option_of = [&](const Query& asked) {
    const auto answer = judged(world, asked, "v.lavish");
    return to_json(answer).at("current").at("option").as_object();
  };
  CHECK(option_of(query).at("rank") == 2);
  CHECK(option_of(query).at("p_cheapest").is_number());
  query.deny = "lavish";  // it runs there all the same
  CHECK(option_of(query).at("rank").is_null());
  CHECK(option_of(query).at("p_cheapest").is_null());
}

TEST_CASE("right-sizing: what is denied, retired or lacks what is asked for is no place to stay") {
  auto query = job();
  query.deny = "small";
  const auto denied = judged(world_of(small + lavish), query, "v.small");
  CHECK(denied.current->move);  // to a dearer one
  CHECK(denied.current->finding == Finding::not_optimized);
  CHECK(denied.current->reason.starts_with("on the deny list"));
  query = job();
  query.vcpus_min = 16;
  const auto lacking = judged(world_of(small + lavish), query, "v.small");
  CHECK(lacking.current->move);
  CHECK(lacking.current->finding == Finding::not_optimized);
  CHECK(report::right_sizing_sentence(lacking).find("out of range; move to v.lavish.") !=
        std::string::npos);
  auto world = world_of(row("aws", "p3.2xlarge", 8, 61, "V100", "0.50") +
                        row("aws", "g5.xlarge", 8, 61, "A10G", "1.00"));
  world.catalog.add_retirements(
      "Provider,Instances,Gpu,RetiredOn,Source\naws,p3.*,,2025-12-20,notice\n", "retired.csv");
  world.catalog.note_retired("2026-11-24");
  const auto retired = judged(world, job(), "p3.2xlarge");
  CHECK(retired.current->move);
  CHECK_FALSE(retired.current->p_better.has_value());
  CHECK(retired.current->savings_per_job < 0);
}

TEST_CASE("right-sizing: of more machines than a service takes some are given back") {
  const auto world = test::service_world();
  auto query = test::answering();
  const auto enough = search(query, world.evidence()).chosen->nodes;
  const auto name = search(query, world.evidence()).chosen->instance;
  const auto of = [&](int machines) {
    return judged(world, query, fmt::format("{} x {} [on-demand]", machines, name).c_str());
  };
  CHECK_FALSE(of(enough).current->fewer.has_value());
  const auto many = of(enough + 5);
  REQUIRE(many.current->fewer.has_value());
  CHECK(many.current->fewer->nodes == enough);
  auto without = query;  // none of what is denied is to be kept
  without.deny = many.current->current->instance;
  const auto denied = judged(world, without, many.current->name.c_str());
  CHECK_FALSE(denied.current->fewer.has_value());
  CHECK(many.current->finding == Finding::overprovisioned);
  CHECK(has(*many.current, "MachinesOverprovisioned"));
}

TEST_CASE(
    "right-sizing: of too many machines some are kept where no others are better than those") {
  const auto world = test::service_world();
  auto query = test::answering();
  const auto best = *search(query, world.evidence()).chosen;
  query.allow = "^(?!" + best.instance + "$)";  // of the others, which are dearer
  auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen.has_value());
  REQUIRE(answer.chosen->cost.value > best.cost.value);
  const auto it = right_size(
      answer, world.evidence(), fmt::format("{} x {} [on-demand]", best.nodes + 20, best.instance));
  REQUIRE(it.fewer.has_value());
  CHECK_FALSE(it.move);
  CHECK(it.finding == Finding::overprovisioned);
  answer.current = it;
  CHECK(report::right_sizing_sentence(answer).starts_with(
      fmt::format("Keep {} of {} x ", best.nodes, best.nodes + 20)));
}

TEST_CASE("right-sizing: effort grows with what must be changed") {
  const auto move_from = [](const std::string& rows, const char* current) {
    return judged(world_of(rows), job(), current).current->effort;
  };
  const auto dear = row("acme", "p.old", 8, 64, "P100", "9.00");
  CHECK(move_from(small + dear, "p.old") == "Low");
  CHECK(move_from(small + row("other", "v.far", 8, 64, "V100", "9.00"), "v.far") == "High");
  // Also from a machine that cannot do the job, which nothing was worked out for.
  auto large = job();
  large.batches = {512};
  const auto world = world_of(row("acme", "k.old", 8, 64, "K80", "0.50") +
                              row("acme", "h.new", 8, 512, "H100", "5"));
  CHECK(judged(world, large, "k.old").current->effort == "Low");
  const auto of_amd = world_of(row("acme", "k.old", 8, 64, "K80", "0.50") +
                               row("acme", "m.new", 8, 512, "MI300X", "5"));
  const auto ported = judged(of_amd, large, "k.old").current.value();
  CHECK(ported.effort == "Medium");
  CHECK(ported.effort_reason ==
        "K80 -> MI300X: from CUDA to ROCm, another image and other libraries");
}

TEST_CASE("right-sizing: the risk scale") {
  CHECK(risk_score(0.0) == 0);
  CHECK(risk_score(0.0099) == 0);
  CHECK(risk_score(0.01) == 1);
  CHECK(risk_score(0.05) == 2);
  CHECK(risk_score(0.15) == 3);
  CHECK(risk_score(0.40) == 4);
}

TEST_CASE("right-sizing: no code speaks against the move, whatever the machine of today") {
  const auto world = knowledge_with(test::made_model());
  for (const bool serves : {false, true}) {
    Query query = job();
    if (serves) {
      query.phase = Phase::infer;
      query.format = DataFormat::synthetic;
      query.service = Service{1500, 0.05, 0.005, 2, std::nullopt};
    }
    query.infra = {"aws/us-east-1"};
    const auto answer = search(query, world.evidence());
    REQUIRE(answer.chosen);
    const auto& then = *answer.chosen;
    int moves = 0;
    for (const auto* current : {"g5.xlarge",
                                "g5.16xlarge",
                                "g4dn.12xlarge",
                                "g6.48xlarge",
                                "p3.2xlarge",
                                "p3.16xlarge",
                                "p4d.24xlarge",
                                "g6e.4xlarge",
                                "c5.24xlarge",
                                "p5.48xlarge",
                                "g4dn.xlarge"}) {
      const auto it = right_size(answer, world.evidence(), current);
      CAPTURE(current);
      CAPTURE(serves);
      if (!it.current || !it.move) {
        continue;
      }
      ++moves;
      const auto less = [&](double Option::*amount) {
        return then.nodes * (then.*amount) < it.current->nodes * (*it.current.*amount);
      };
      const auto more = [&](double Option::*amount) {
        return then.nodes * (then.*amount) > it.current->nodes * (*it.current.*amount);
      };
      CHECK((!has(it, "CPUOverprovisioned") || less(&Option::vcpus)));
      CHECK((!has(it, "CPUUnderprovisioned") || more(&Option::vcpus)));
      CHECK((!has(it, "MemoryOverprovisioned") || less(&Option::memory_gib)));
      CHECK((!has(it, "MemoryUnderprovisioned") || more(&Option::memory_gib)));
      CHECK((!has(it, "MachinesOverprovisioned") || then.nodes < it.current->nodes));
      CHECK((!has(it, "MachinesUnderprovisioned") || then.nodes > it.current->nodes));
    }
    CHECK(moves > 3);
  }
}

TEST_CASE("right-sizing: what is marked = is stayed on, and nothing else but the first") {
  const auto world = knowledge_with(test::made_model());
  std::size_t ties = 0;
  for (const bool serves : {false, true}) {
    for (const auto* objective : {"cost", "time", "cost*0.6+time*0.4"}) {
      auto query = serves ? test::answering() : job();
      query.objective = parse_objective(objective, "--objective");
      auto answer = search(query, world.evidence());
      REQUIRE(answer.options.size() > 10);
      for (std::size_t i = 1; i < answer.options.size() && i < 16; ++i) {
        const bool marked = std::count(answer.ties.begin(), answer.ties.end(), i) > 0;
        const auto& option = answer.options[i];
        const auto it =
            right_size(answer, world.evidence(), option.provider + "/" + option.instance);
        CAPTURE(serves);
        CAPTURE(objective);
        CAPTURE(option.instance);
        REQUIRE(it.p_better);
        CHECK(it.move == !marked);
        CHECK(it.move == (*it.p_better > 1 - tie_chance));
        answer.current = it;
        const auto odds = report::right_sizing_facts(answer)[1].second;
        CHECK(odds.ends_with("over the 70% that a move asks for"));
        CHECK((odds.find(" not ") == std::string::npos) == it.move);
        ties += marked ? 1 : 0;
      }
    }
  }
  CHECK(ties > 0);
}

TEST_CASE("right-sizing: by the time a faster machine is worth moving to, though it is dearer") {
  auto query = job();
  query.objective = parse_objective("time", "--objective");
  const auto answer =
      judged(world_of(small + row("acme", "h.new", 16, 512, "H100", "9.00")), query, "v.small");
  REQUIRE(answer.chosen->instance == "h.new");
  CHECK(answer.current->move);
  CHECK(answer.current->savings_per_job < 0);
  const auto facts = report::right_sizing_facts(answer);
  CHECK(facts[1].first == "odds");
  CHECK(facts[1].second.find("h.new is faster with ") == 0);
}

TEST_CASE("right-sizing: too few of a machine is no GPU that is short, if weaker ones are taken") {
  const auto world = test::service_world();
  auto query = test::answering();
  query.service->requests_per_s = 6000;
  const auto answer = judged(world, query, "1 x v100.one");
  REQUIRE(answer.chosen->gpu == "T4");
  REQUIRE(answer.chosen->nodes > 1);
  const auto& it = *answer.current;
  CHECK(it.finding == Finding::underprovisioned);
  CHECK(has(it, "MachinesUnderprovisioned"));
  CHECK_FALSE(has(it, "GPUUnderprovisioned"));
}

TEST_CASE("right-sizing: what was signed for is paid, whatever the job moves to") {
  const auto shown = test::run_without_model({"advise",
                                              RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml",
                                              "--infra",
                                              "aws",
                                              "--current",
                                              "p4d.24xlarge [1y]",
                                              "--reserved-discount",
                                              "10%",
                                              "--runs-per-month",
                                              "2"});
  CAPTURE(shown.out);
  CHECK(shown.out.find("what was signed for (reserved-1y) is paid until it ends") !=
        std::string::npos);
  CHECK(shown.err.find("--reserved-discount changes nothing") == std::string::npos);
}

TEST_CASE("right-sizing: rows have no place for the verdict, and stderr has it then") {
  const auto rows = test::run_without_model({"advise",
                                             RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml",
                                             "--infra",
                                             "aws",
                                             "--current",
                                             "p4d.24xlarge",
                                             "-o",
                                             "csv"});
  CHECK(rows.out.find("p4d.24xlarge") != std::string::npos);
  const bool said = rows.err.find("Move from p4d.24xlarge to") != std::string::npos ||
                    rows.err.find("Stay on p4d.24xlarge") != std::string::npos;
  CHECK_MESSAGE(said, rows.err);
}
