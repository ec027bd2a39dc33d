// The field of candidates that do a job keeps what a supposition leaves as it was: it must say what
// judging every candidate anew says, of machines that stay and of those that are taken away.
#include "advisor/explain/job_field.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/judged_anew.h"
#include "support/made_catalog.h"

using namespace rightsize;
using test::judged_anew;

namespace {

Knowledge rented() {
  constexpr const char* header =
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "SpotPrice,Currency,Arch,Book,AsOf,Source";
  const auto row = [](const char* name,
                      int vcpus,
                      const char* gpu,
                      int gpus,
                      const char* price,
                      const char* spot) {
    return fmt::format("acme,{},{},{},{},{},here,{},{},USD,x86_64,current,2026-01-01,test\n",
                       name,
                       vcpus,
                       4 * vcpus,
                       gpu,
                       gpus,
                       price,
                       spot);
  };
  return test::knowledge_of(header,
                            row("t4.small", 4, "T4", 1, "0.50", "0.20") +
                                row("t4.large", 16, "T4", 1, "0.90", "") +
                                row("v100.one", 8, "V100", 1, "2.00", "0.65") +
                                row("v100.four", 32, "V100", 4, "7.00", "3.90") +
                                row("a100.eight", 96, "A100", 8, "24.00", "9.00"));
}

Query training() {
  auto query = test::imagenet_job();
  query.batches = {64, 128};
  query.markets = {Market::on_demand, Market::spot};
  query.deadline_s = 48 * 3600;
  return query;
}

}  // namespace

TEST_CASE("job field: says what judging every candidate anew says, whatever is supposed") {
  const auto world = rented();
  const auto evidence = world.evidence();
  for (const auto* objective : {"cost", "time", "cost*0.5+time*0.5"}) {
    CAPTURE(std::string(objective));
    auto query = training();
    query.objective = parse_objective(objective, "--objective");
    auto maker = test::maker_of(query, evidence);
    const auto field = test::field_of(maker, evidence);
    REQUIRE(std::any_of(field.begin(), field.end(), [](const Candidate& c) {
      return c.offer->market == Market::spot;
    }));
    JobField jobs(query, evidence, field);
    std::set<std::string> seen;
    const auto agree = [&](const Query& asked, const Supposal& supposal) {
      const auto anew = judged_anew(asked, evidence, field, supposal);
      CHECK(jobs.chosen(asked, supposal) == anew);
      seen.insert(anew);
    };
    for (const double hours : {0.1, 2.0, 6.0, 20.0, 60.0, 1e4}) {
      CAPTURE(hours);
      auto asked = query;
      asked.deadline_s = hours * 3600;
      agree(asked, {});
    }
    for (const double factor : {0.1, 0.5, 0.9, 1.0, 1.5, 4.0, 20.0}) {
      CAPTURE(factor);
      const auto any = [](const Candidate&) { return true; };
      agree(query,
            {[](const Candidate& c) { return c.offer->gpu == "T4"; },
             [&](Candidate& c) { c.scale_gpu(factor); },
             factor});
      agree(query, {any, [&](Candidate& c) { c.scale_gpu(factor); }, factor});
      agree(query, {any, [&](Candidate& c) { c.scale_cpu(factor); }, factor});
      std::deque<Offer> changed;
      agree(query,
            {[](const Candidate& c) {
               return c.offer->instance == "v100.one" && c.offer->market == Market::spot;
             },
             [&](Candidate& c) {
               auto& dearer = changed.emplace_back(*c.offer);
               dearer.price_per_hour =
                   Money(std::llround(dearer.price_per_hour.approximate() * factor * 1e9), "USD");
               c.offer = &dearer;
             },
             0});
    }
    CHECK(seen.contains(""));  // in six minutes none
    CHECK(seen.size() > 1);
  }
}
