// The machine of today as --current names it: how many, which, where and in which market.
#include "advisor/right_sizing/current_machine.h"

#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/report/right_sizing_text.h"
#include "advisor/right_sizing_world.h"
#include "advisor/service_world.h"
#include "support/approx.h"

using namespace rightsize;
using test::judged;
using test::world_of;

namespace {

const std::string header = test::right_sizing_header;

Query job() {
  return test::imagenet_job();
}

}  // namespace

TEST_CASE("right-sizing: today's machine is rented on demand, or in the market its label names") {
  auto query = job();
  query.markets = {Market::on_demand, Market::spot};
  const auto world = test::knowledge_of(
      header + ",SpotPrice",
      "acme,v.both,8,64,V100,1,here,1.00,USD,x86_64,current,2026-01-01,test,0.30\n");
  const auto plain = judged(world, query, "v.both");
  REQUIRE(plain.chosen->market == Market::spot);
  CHECK(plain.current->current->market == Market::on_demand);
  CHECK(plain.current->move);
  CHECK(plain.current->savings_per_job > 0);
  const auto labelled = judged(world, query, "v.both [Spot]");
  CHECK(labelled.current->current->market == Market::spot);
  CHECK_FALSE(labelled.current->move);
  CHECK(judged(world, query, "  v.both[spot] ").current->current->market == Market::spot);
  query.markets = {Market::spot};  // of what to move to, not of today
  CHECK(judged(world, query, "v.both").current->current->market == Market::on_demand);
  CHECK(judged(world, query, "v.both [On-demand]").current->move);
  const auto refused = [&](const char* current, const char* why) {
    CAPTURE(current);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(judged(world, query, current)), doctest::Contains(why), UsageError);
  };
  refused("v.both [2y]", "[2y] is no market; expected [on-demand], [month], [Spot], [1y] or [3y]");
  refused("v.both [1y]", "not sold so; in book current it is sold on-demand, spot");
  refused(" ", "expected the machine of today");
}

TEST_CASE("right-sizing: names with brackets and CPUs with slashes are names") {
  const auto world = test::knowledge_of(
      header + ",Cpu",
      "acme,node [gpu],8,64,V100,1,here,1.00,USD,x86_64,current,2026-01-01,test,\n"
      "acme,c.one,8,64,V100,1,here,2.00,USD,x86_64,current,2026-01-01,test,Xeon 8171M / 8272CL\n");
  CHECK(judged(world, job(), "node [gpu]").current->current.has_value());
  CHECK(judged(world, job(), "node [gpu] [on-demand]").current->current.has_value());
  const auto named = judged(world, job(), "acme/here/c.one@Xeon 8171M / 8272CL");
  CHECK(named.current->place == "acme/here");
  CHECK(named.current->current->instance == "c.one");
}

TEST_CASE("right-sizing: where today's machine runs can be said, and another place is a move") {
  const auto world = world_of(
      "acme,v.same,8,64,V100,1,cheap,1.00,USD,x86_64,current,2026-01-01,test\n"
      "acme,v.same,8,64,V100,1,dear,2.00,USD,x86_64,current,2026-01-01,test\n");
  CHECK_FALSE(judged(world, job(), "acme/v.same").current->move);
  CHECK_FALSE(judged(world, job(), "acme/cheap/v.same").current->move);
  const auto moved = judged(world, job(), "acme/dear/v.same");
  const auto& it = *moved.current;
  CHECK(it.current->region == "dear");
  CHECK(it.move);
  CHECK(it.savings_share->value == test::approx(0.5).epsilon(0.05));  // the disk costs the same
  CHECK(it.effort == "Low");
  CHECK(it.effort_reason == "another region: dear -> cheap");
  CHECK(report::right_sizing_sentence(moved).starts_with(
      "Move from v.same (acme/dear) to v.same (acme/cheap): "));
  CHECK_THROWS_WITH_AS(static_cast<void>(judged(world, job(), "acme/*/v.same")),
                       doctest::Contains("expected one place"),
                       UsageError);
  CHECK_THROWS_WITH_AS(static_cast<void>(judged(world, job(), "acme/dear/v.same [Spot]")),
                       doctest::Contains("not sold so; in acme/dear it is sold on-demand"),
                       UsageError);
  CHECK_THROWS_WITH_AS(static_cast<void>(judged(world, job(), "acme/moon/v.same")),
                       doctest::Contains("not sold so; it is sold in acme/cheap, acme/dear"),
                       UsageError);
}

TEST_CASE("right-sizing: today's machine is in the places asked for, where it is sold there") {
  const auto world = world_of(
      "acme,v.same,8,64,V100,1,cheap,1.00,USD,x86_64,current,2026-01-01,test\n"
      "acme,v.same,8,64,V100,1,dear,2.00,USD,x86_64,current,2026-01-01,test\n"
      "acme,v.other,8,64,V100,1,third,1.50,USD,x86_64,current,2026-01-01,test\n");
  auto query = job();
  query.infra = {"acme/d*"};
  const auto there = judged(world, query, "v.same");
  CHECK(there.current->current->region == "dear");
  CHECK_FALSE(there.current->move);
  query.infra = {"acme/third"};
  const auto elsewhere = judged(world, query, "v.same");
  CHECK(elsewhere.current->current->region == "cheap");
  CHECK(elsewhere.current->reason.starts_with("outside the places"));
}

TEST_CASE("right-sizing: as many of the same machine elsewhere are as good, and no move") {
  const auto at = [](const char* place) {
    return fmt::format("acme,t4.small,8,32,T4,1,{},0.50,USD,x86_64,current,2026-01-01,test\n",
                       place);
  };
  const auto world = world_of(at("here") + at("there"));
  const auto query = test::answering();
  const auto chosen = *search(query, world.evidence()).chosen;
  for (const auto* place : {"here", "there"}) {
    CAPTURE(place);
    const auto today = fmt::format("{} x acme/{}/t4.small", chosen.nodes, place);
    const auto answer = judged(world, query, today.c_str());
    CHECK_FALSE(answer.current->move);
    CHECK(answer.current->finding == Finding::optimized);
    CHECK_FALSE(answer.current->savings_share.has_value());
    CHECK(answer.current->reason.empty());
    auto elsewhere = query;
    elsewhere.infra = {std::string("acme/") + (std::string(place) == "here" ? "there" : "here")};
    CHECK(judged(world, elsewhere, today.c_str()).current->reason.find("outside the places") == 0);
    const auto more = fmt::format("{} x acme/{}/t4.small", chosen.nodes + 3, place);
    const auto kept = judged(world, query, more.c_str());
    const bool there_already = chosen.region == place;  // fewer of it are what is chosen
    CHECK(kept.current->move == there_already);
    REQUIRE(kept.current->fewer.has_value());
    CHECK(kept.current->fewer->nodes == chosen.nodes);
  }
}

TEST_CASE("right-sizing: how many of a service's machines run today is said, or said to be taken") {
  const auto world = test::service_world();
  const auto query = test::answering();
  CHECK(judged(world, query, "t4.small").current->reason.find("how many run today") == 0);
  CHECK(judged(world, query, "3 x t4.small").current->reason.empty());
}

TEST_CASE("right-sizing: a number of machines that is none is told so, not called an instance") {
  const auto world = test::service_world();
  const auto query = test::answering();
  for (const auto* number : {"-1 x ", "0 x ", "99999999999 x ", "1000000x", "--2 x "}) {
    const std::string asked = number + std::string("t4.small");
    CAPTURE(asked);
    CHECK_THROWS_WITH_AS(
        judged(world, query, asked.c_str()), doctest::Contains("from 1 to 999999"), UsageError);
  }
}

TEST_CASE("right-sizing: a machine that is sold with two CPUs is not judged by the first of them") {
  const auto of_cpu = [](const char* cpu, const char* price) {
    return fmt::format(
        "acme,big,8,64,V100,1,here,{},USD,x86_64,current,2026-01-01,test,{}\n", price, cpu);
  };
  const auto world =
      test::knowledge_of(header + ",Cpu", of_cpu("Skylake", "1.00") + of_cpu("Broadwell", "2.00"));
  CHECK_THROWS_WITH(
      static_cast<void>(judged(world, job(), "acme/big")),
      "--current acme/big: it is sold with 2 CPUs: say which by 'acme/big@Broadwell' or "
      "'acme/big@Skylake'");
  const auto broadwell = judged(world, job(), "acme/big@Broadwell");
  CHECK(broadwell.current->current->price_per_hour == Money::parse("2.00", "USD"));
  CHECK(report::right_sizing_sentence(broadwell).starts_with(
      "Move from big@Broadwell to big@Skylake: "));
  CHECK(judged(world, job(), "acme/here/big@Broadwell").current->place == "acme/here");
  CHECK(judged(world, job(), "big@Skylake").current->current->price_per_hour ==
        Money::parse("1.00", "USD"));
  CHECK_THROWS_WITH(static_cast<void>(judged(world, job(), "big@Haswell")),
                    doctest::Contains("no instance is called"));
}
