// The search against brute force, and its promises: reasons, the whole bill, no silent loss.
#include "advisor/search.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/candidate/candidate.h"
#include "advisor/candidate/constraint.h"
#include "advisor/full_name.h"
#include "advisor/judge/judge.h"
#include "advisor/judge/near_ties.h"
#include "advisor/judge/standing_order.h"
#include "advisor/knowledge.h"
#include "advisor/suppose/appraisal.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

Query imagenet() {
  Query query;
  query.network = "resnet50";
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 10;
  query.dataset_bytes = 140'000'000'000;
  query.deadline_s = 24 * 3600;
  return query;
}

}  // namespace

TEST_CASE("search: the chosen one is the cheapest of all candidates judged one by one") {
  const auto world = knowledge_with(test::made_model());
  const auto query = imagenet();
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen);
  // Brute force over the same candidates and laws: what is checked is that the search's caching,
  // ranking and choice of disk and region lose nothing.
  CandidateMaker maker(query, world.catalog, world.gpu_rates, world.cpu_speeds, world.model.cpu());
  const OfferConstraints constraints(query);
  double cheapest = 1e300;
  std::string name;
  for (const auto& offer : world.catalog.offers()) {
    if (!constraints.in_scope(offer) || constraints.refusal_of(offer)) {
      continue;
    }
    for (const auto& disk : maker.disks(offer)) {
      Refusal refusal;
      const auto candidate = maker.make(offer, disk, {128}, refusal);
      if (!candidate) {
        continue;
      }
      const Predictor predictor(model_for(query, world.evidence(), *candidate),
                                candidate->setting.workload);
      const auto prediction = predictor.predict(candidate->setting, candidate->uncertainty);
      const double items = static_cast<double>(query.items);
      const double seconds =
          items / prediction.cold_items_per_s + 9 * items / prediction.items_per_s;
      const double z = std::log(24 * 3600 / seconds) / prediction.log_sd;
      if (0.5 * std::erfc(-z / std::sqrt(2.0)) < query.confidence) {
        continue;
      }
      std::optional<VolumeChoice> volume;
      if (disk.volume != nullptr) {
        volume = VolumeChoice{disk.volume, disk.gib, disk.bought};
      }
      const auto total = bill(offer,
                              1,
                              volume,
                              std::chrono::seconds(static_cast<std::int64_t>(std::ceil(seconds))),
                              world.catalog.billing(offer.provider, offer.book))
                             .total.approximate();
      if (total < cheapest) {
        cheapest = total;
        name = offer.provider + "/" + offer.instance;
      }
    }
  }
  CHECK(answer.chosen->cost.value == test::approx(cheapest));
  CHECK(answer.chosen->provider + "/" + answer.chosen->instance == name);
}

TEST_CASE("search: every offer in scope ends as an option or with a reason") {
  const auto world = knowledge_with(test::made_model());
  const auto query = imagenet();
  const auto answer = search(query, world.evidence());
  const OfferConstraints constraints(query);
  const auto in_scope = static_cast<std::size_t>(std::count_if(
      world.catalog.offers().begin(), world.catalog.offers().end(), [&](const Offer& offer) {
        return constraints.in_scope(offer);
      }));
  std::size_t rejected = 0;
  for (const auto& rejection : answer.rejected) {
    CHECK_FALSE(rejection.reason.empty());
    CHECK_FALSE(rejection.examples.empty());
    rejected += rejection.count;
  }
  CHECK(answer.options_total + rejected == in_scope);
}

TEST_CASE("search: options are ranked by cost, their bills add up, and chances are shares") {
  const auto world = knowledge_with(test::made_model());
  const auto answer = search(imagenet(), world.evidence());
  double before = 0;
  double chances = 0;
  for (const auto& option : answer.options) {
    CHECK(option.score >= (1 - same_cost) * before);  // of such the faster comes first
    // Of bills by the second it is the cost, of those by the hour one that may be rounded up.
    CHECK(option.score > 0.6 * option.cost.value);
    CHECK(option.score < 1.7 * option.cost.value);
    before = option.score;
    CHECK(option.hours.low < option.hours.value);
    CHECK(option.hours.value < option.hours.high);
    Money sum(0, option.bill.total.currency());
    for (const auto& line : option.bill.lines) {
      sum += line.amount;
    }
    CHECK(sum == option.bill.total);
    CHECK(option.bill.total.approximate() == test::approx(option.cost.value));
    CHECK(option.p_deadline >= 0.9);
    chances += option.p_cheapest;
  }
  CHECK(chances <= 1.0 + 1e-9);
  CHECK(chances > 0.9);
}

TEST_CASE("search: a deadline nobody meets gives the nearest misses and no choice") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.deadline_s = 60;
  const auto answer = search(query, world.evidence());
  CHECK_FALSE(answer.chosen);
  REQUIRE_FALSE(answer.options.empty());
  CHECK_FALSE(answer.options.front().satisfies);
  CHECK(answer.options.front().shortfall.find("deadline") != std::string::npos);
}

TEST_CASE("search: the nearest is the one whose limits have the least far to move") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.infra = {"aws"};  // by the second: bills grow with the time
  query.deadline_s = 600;
  query.budget = Money::parse("1", "USD");
  const auto answer = search(query, world.evidence());
  REQUIRE_FALSE(answer.chosen);
  REQUIRE(answer.options.size() > 2);
  const double z90 = 1.2815515655;  // the one-sided 90 % quantile of the normal
  double before = 1;
  for (const auto& option : answer.options) {
    CAPTURE(full_name(option));
    const double spread = std::exp(z90 * option.cost_log_sd);
    const double moved =
        std::max(1.0, option.hours.value * spread * 6) * std::max(1.0, option.cost.value * spread);
    CHECK(option.miss == test::approx(moved).epsilon(0.02));  // the disk's cost has no spread
    CHECK(option.miss >= before / 1.02);                      // less is no difference
    before = option.miss;
  }
}

TEST_CASE("search: a limit missed by as good as the same is no reason for a dearer disk") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.deadline_s.reset();
  query.infra = {"gcp"};
  query.dataset_bytes = 14'000'000'000;
  const auto free = search(query, world.evidence());
  REQUIRE(free.options.size() > 20);
  query.deadline_s = 60;
  int same = 0;
  for (std::size_t i = 0; i < free.options.size(); ++i) {
    const auto& before = free.options[i];
    Appraiser appraiser(query, world.evidence());
    const auto missed =
        appraiser.appraise({before.instance, before.provider + "/" + before.region, before.market})
            .option;
    CAPTURE(full_name(before));
    CHECK_FALSE(missed.satisfies);
    // A fiftieth sooner is worth half as much again.
    const double sooner = std::log(before.hours.high / missed.hours.high) / std::log(1.02);
    CHECK(missed.cost.value <= before.cost.value * std::pow(1.5, std::max(0.0, sooner)) * 1.01);
    same += static_cast<int>(missed.disk == before.disk);
  }
  CHECK(same > 0);
}

TEST_CASE("search: of two that miss by a hair's breadth more or less the cheaper is the better") {
  Standing dear{.cost = 98.65, .score = 98.65, .p_limits = 0.2, .miss = 74.92502056 / 48};
  Standing cheap{.cost = 65.30, .score = 65.30, .p_limits = 0.1, .miss = 74.92502143 / 48};
  CHECK(better(cheap, dear));
  CHECK_FALSE(better(dear, cheap));
  CHECK(better_way(cheap, dear));
  dear.miss = cheap.miss / 1.05;  // that may be worth it
  CHECK(better(dear, cheap));
  CHECK(better_way(dear, cheap));
  cheap.score = 0;  // of a machine of one's own: nothing is a part of nothing
  CHECK(better_way(dear, cheap));
  cheap.satisfies = true;
  CHECK(better_way(cheap, dear));
}

TEST_CASE("search: what comes nearest is done the same way when asked for by name") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.deadline_s.reset();
  query.budget = Money::parse("0.01", "USD");
  query.batches = {32, 64, 128, 256};
  const auto answer = search(query, world.evidence());
  REQUIRE_FALSE(answer.chosen);
  REQUIRE_FALSE(answer.options.empty());
  for (const auto& miss : answer.options) {
    const auto named =
        Appraiser(query, world.evidence()).appraise(miss.provider + "/" + miss.instance).option;
    CHECK(named.batch_per_gpu == miss.batch_per_gpu);
    CHECK(named.region == miss.region);
    CHECK(named.disk == miss.disk);
    CHECK(named.cost.value == test::approx(miss.cost.value));
  }
}

TEST_CASE("search: a tighter deadline never makes the answer cheaper") {
  const auto world = knowledge_with(test::made_model());
  double before = 0;
  for (const double hours : {48.0, 24.0, 12.0, 6.0, 3.0}) {
    auto query = imagenet();
    query.deadline_s = hours * 3600;
    const auto answer = search(query, world.evidence());
    if (!answer.chosen) {
      break;
    }
    CHECK(answer.chosen->cost.value >= before - 1e-9);
    before = answer.chosen->cost.value;
  }
}

TEST_CASE("search: by time alone, of places where it is as fast the cheapest is taken") {
  const auto row = [](const char* region, const char* price) {
    return fmt::format(
        "acme,v,16,64,V100,1,{},{},USD,x86_64,current,2026-01-01,test\n", region, price);
  };
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      row("dear", "2.00") + row("cheap", "1.00") + row("middling", "1.50"));
  auto query = test::imagenet_job();
  query.objective = {0, 1};
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen);
  CHECK(answer.chosen->region == "cheap");
  CHECK(Appraiser(query, world.evidence()).appraise("v").option.region == "cheap");
}

TEST_CASE("search: a currency without a rate is a reason, with a rate it is converted") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.book = "era-2017";
  query.precision = Precision::fp32;
  query.batches = {32};
  query.deadline_s.reset();
  query.infra = {"alibaba"};
  const auto without = search(query, world.evidence());
  CHECK_FALSE(without.chosen);
  REQUIRE_FALSE(without.rejected.empty());
  CHECK(without.rejected[0].reason ==
        "priced in CNY: --fx CNY=RATE says what 1 CNY is in USD, or --currency CNY");
  query.rates["CNY"] = {"CNY", "USD", 150'000'000, "test"};
  const auto with = search(query, world.evidence());
  REQUIRE(with.chosen);
  CHECK(with.chosen->gpu == "P100");
  CHECK(with.chosen->cost.unit == "USD");
}

TEST_CASE("search: filters keep to the places, sizes and names asked for") {
  const auto world = knowledge_with(test::made_model());
  auto query = imagenet();
  query.infra = {"aws/us-east-1"};
  query.deny = "^p";
  query.vcpus_min = 8;
  const auto answer = search(query, world.evidence());
  REQUIRE_FALSE(answer.options.empty());
  for (const auto& option : answer.options) {
    CHECK(option.provider == "aws");
    CHECK(option.region == "us-east-1");
    CHECK(option.instance[0] != 'p');
    CHECK(option.vcpus >= 8);
  }
  query.deny = "(";
  CHECK_THROWS_AS(static_cast<void>(search(query, world.evidence())), UsageError);
}

TEST_CASE("search: the same question gives the same answer") {
  const auto world = knowledge_with(test::made_model());
  const auto a = search(imagenet(), world.evidence());
  const auto b = search(imagenet(), world.evidence());
  REQUIRE(a.options.size() == b.options.size());
  for (std::size_t i = 0; i < a.options.size(); ++i) {
    CHECK(a.options[i].p_cheapest == b.options[i].p_cheapest);
    CHECK(a.options[i].cost.value == b.options[i].cost.value);
  }
}

TEST_CASE("search: a table that does not say how many GPUs is told so") {
  const auto knowledge = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,AsOf,Source",
      "acme,v.some,16,64,V100,,here,1.00,USD,x86_64,2026-11-20,test\n"
      "acme,v.part,16,64,V100,0.4,here,1.00,USD,x86_64,2026-11-20,test\n");
  auto query = test::imagenet_job();
  query.book = "acme.csv";
  query.gpus_min = 0.25;
  const auto answer = search(query, knowledge.evidence(), {});
  std::vector<std::string> reasons;
  for (const auto& rejection : answer.rejected) {
    reasons.push_back(rejection.reason);
  }
  CHECK(reasons == std::vector<std::string>{"a fraction of a GPU: not modelled yet",
                                            "how many GPUs it has is not in the price table"});
}
