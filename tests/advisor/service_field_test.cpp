// The field of a service's candidates keeps what a supposition leaves as it was: it must say what
// judging every candidate anew says.
#include "advisor/service/service_field.h"

#include <cmath>
#include <deque>
#include <set>

#include <doctest/doctest.h>

#include "advisor/judged_anew.h"
#include "advisor/service_world.h"

using namespace rightsize;
using test::field_of;
using test::judged_anew;

TEST_CASE("service: the search takes of each machine the minibatch that judging all of them takes") {
  const auto world = test::service_world();
  const auto evidence = world.evidence();
  for (const double load : {10.0, 400.0, 1500.0, 30'000.0}) {
    for (const double p99_s : {0.012, 0.03, 0.3}) {
      for (const bool budget : {false, true}) {
        CAPTURE(load);
        CAPTURE(p99_s);
        auto query = test::answering();
        query.service->requests_per_s = load;
        query.service->p99_s = p99_s;
        if (budget) {
          query.budget = Money::parse("3000", "USD");
        }
        auto maker = test::maker_of(query, evidence);
        const auto field = field_of(maker, evidence);
        for (const auto& option : search(query, evidence).options) {
          CAPTURE(option.instance);
          Judge judge(query, evidence);
          std::optional<Judged> best;
          for (const auto& candidate : field) {
            std::string reason;
            auto judged = candidate.offer->instance == option.instance
                              ? judge.judge(candidate, reason)
                              : std::nullopt;
            if (judged && (!best || better(judged->option, best->option))) {
              best = std::move(judged);
            }
          }
          REQUIRE(best);
          CHECK(option.nodes == best->option.nodes);
          CHECK(option.service->server.max_batch == best->option.service->server.max_batch);
        }
      }
    }
  }
}

TEST_CASE("service field: says what judging every candidate anew says, whatever is supposed") {
  const auto world = test::service_world();
  const auto evidence = world.evidence();
  for (const auto* objective : {"cost", "cost*0.5+time*0.5"}) {
    auto query = test::answering();
    query.objective = parse_objective(objective, "--objective");
    auto maker = test::maker_of(query, evidence);
    const auto field = field_of(maker, evidence);
    REQUIRE(field.size() > 8);
    ServiceField servers(query, evidence, field);
    const auto agree = [&](const Query& asked, const Supposal& supposal) {
      const auto anew = judged_anew(asked, evidence, field, supposal);
      CHECK(servers.chosen(asked, supposal) == anew);
      return anew;
    };
    std::set<std::string> seen;
    for (const double load : {1.0, 75.0, 400.0, 1500.0, 30'000.0, 1e6}) {
      for (const double p99_s : {0.002, 0.012, 0.03, 0.05, 1.0}) {
        CAPTURE(load);
        CAPTURE(p99_s);
        auto asked = query;
        asked.service->requests_per_s = load;
        asked.service->p99_s = p99_s;
        seen.insert(agree(asked, {}));
      }
    }
    CHECK(seen.size() > 1);
    for (const double factor : {0.2, 0.5, 0.9, 1.0, 1.5, 3.0}) {
      CAPTURE(factor);
      agree(query,
            {[](const Candidate& c) { return c.offer->gpu == "T4"; },
             [&](Candidate& c) { c.scale_gpu(factor); },
             factor});
      agree(query,
            {[](const Candidate&) { return true; },
             [&](Candidate& c) { c.scale_cpu(factor); },
             factor});
      std::deque<Offer> changed;
      agree(query,
            {[](const Candidate& c) { return c.offer->instance == "t4.small"; },
             [&](Candidate& c) {
               auto& dearer = changed.emplace_back(*c.offer);
               dearer.price_per_hour =
                   Money(std::llround(dearer.price_per_hour.approximate() * factor * 1e9), "USD");
               c.offer = &dearer;
             },
             0});
    }
  }
}
