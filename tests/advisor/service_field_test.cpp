// The field of a service's candidates keeps what a supposition leaves as it was: it must say what
// judging every candidate anew says.
#include "advisor/service/service_field.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/judge/standing_order.h"
#include "advisor/judged_anew.h"
#include "advisor/service_world.h"

using namespace rightsize;
using test::field_of;
using test::judged_anew;

// What the law does is not always less late with more machines: with windows and bursts it is not.
std::vector<Query> queries_with_windows() {
  std::vector<Query> queries;
  for (const double load : {1.0, 10.0, 400.0, 1500.0, 30'000.0}) {
    for (const double p99_s : {0.012, 0.026, 0.06, 0.3}) {
      for (const double window_s : {0.0, 0.005, 0.05, 0.1}) {
        for (const double group : {1.0, 2.0, 8.0}) {
          auto& query = queries.emplace_back(test::answering());
          query.service = Service{load, p99_s, window_s, group, std::nullopt};
        }
      }
    }
  }
  return queries;
}

TEST_CASE("service: the search takes of each machine the minibatch that judging all takes") {
  const auto world = test::service_world();
  const auto evidence = world.evidence();
  for (const auto& query : queries_with_windows()) {
    CAPTURE(query.service->requests_per_s);
    CAPTURE(query.service->p99_s);
    CAPTURE(query.service->max_delay_s);
    CAPTURE(query.service->group_size);
    auto maker = test::maker_of(query, evidence);
    std::map<std::string, Option> best;
    Judge judge(query, evidence);
    for (const auto& candidate : field_of(maker, evidence)) {
      Refusal refusal;
      const auto judged = judge.judge(candidate, refusal);
      if (judged && judged->option.satisfies) {
        const auto [known, fresh] = best.try_emplace(candidate.offer->instance, judged->option);
        if (!fresh && better(judged->option, known->second)) {
          known->second = judged->option;
        }
      }
    }
    const auto answer = search(query, evidence);
    const auto satisfying = static_cast<std::size_t>(
        std::count_if(answer.options.begin(), answer.options.end(), [](const Option& option) {
          return option.satisfies;
        }));
    CHECK(satisfying == best.size());
    for (const auto& option : answer.options) {
      if (option.satisfies) {
        CAPTURE(option.instance);
        REQUIRE(best.contains(option.instance));
        CHECK(option.nodes == best.at(option.instance).nodes);
        CHECK(option.batch_per_gpu == best.at(option.instance).batch_per_gpu);
        // What is in time with bad luck is so without: else it would be no better than even.
        CHECK(option.p99.value <= query.service->p99_s * 1.001);
        CHECK(option.service->machines_low >= 1);
        CHECK(option.service->machines_low <= option.nodes);
        CHECK(option.service->machines_high >= option.nodes);
      }
    }
  }
}

TEST_CASE("service field: with windows and bursts too it says what judging anew says") {
  const auto world = test::service_world();
  const auto evidence = world.evidence();
  auto base = test::answering();
  for (const double window_s : {0.0, 0.005, 0.05, 0.1}) {
    for (const double group : {1.0, 2.0, 8.0}) {
      base.service->max_delay_s = window_s;
      base.service->group_size = group;
      auto maker = test::maker_of(base, evidence);
      const auto field = field_of(maker, evidence);
      ServiceField servers(base, evidence, field);
      for (const auto& query : queries_with_windows()) {
        if (query.service->max_delay_s == window_s && query.service->group_size == group) {
          CAPTURE(window_s);
          CAPTURE(group);
          CAPTURE(query.service->requests_per_s);
          CAPTURE(query.service->p99_s);
          CHECK(servers.chosen(query, {}) == judged_anew(query, evidence, field, {}));
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

// The search works out of a fleet what ranks it, and the rest for those that are shown.
TEST_CASE("service: what is shown of a fleet is what sizing it in one go says") {
  const auto world = test::service_world();
  const auto evidence = world.evidence();
  for (const std::optional<int> machines : {std::optional<int>(), std::optional(3)}) {
    for (const double confidence : {0.5, 0.9, 0.99}) {
      auto query = test::answering();
      query.confidence = confidence;
      query.service->machines = machines;
      const auto answer = search(query, evidence);
      REQUIRE_FALSE(answer.options.empty());
      for (const auto& option : answer.options) {
        CAPTURE(option.instance);
        const auto& shown = *option.service;
        const auto sized = size_fleet(*query.service, shown.server, confidence, normal_90);
        CHECK(shown.machines == sized.machines);
        CHECK(shown.machines_low == sized.machines_low);
        CHECK(shown.machines_high == sized.machines_high);
        CHECK((machines || shown.machines_high >= shown.machines));
        CHECK(shown.each_per_s == sized.each_per_s);
        CHECK(shown.p_enough == sized.p_enough);
        CHECK(option.p_deadline == shown.p_enough);
        CHECK((machines || shown.p_enough >= confidence));
      }
    }
  }
}
