// The search's dimensions beyond disk and batch: nodes, markets, exchange, where pictures are
// preprocessed; and that none of them is lost.
#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "advisor/candidate/candidate.h"
#include "advisor/candidate/constraint.h"
#include "advisor/judge/judge.h"
#include "advisor/knowledge.h"
#include "advisor/search.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

Query wide_query() {
  Query query;
  query.network = "resnet50";
  query.precision = Precision::fp16;
  query.batches = {32, 128};
  query.items = 1281167;
  query.epochs = 10;
  query.dataset_bytes = 140'000'000'000;
  query.deadline_s = 6 * 3600;
  query.markets = {Market::on_demand, Market::spot};
  query.infra = {"aws/us-east-1", "gcp/us-central1"};
  query.nodes_max = 4;
  query.network_between = parse_network("ib:100", "here");
  query.preprocess_on = PreprocessChoice::either;
  return query;
}

const Offer& offer_called(const Knowledge& world, const std::string& instance, Market market) {
  const auto offers = world.catalog.offers();
  const auto found = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
    return offer.instance == instance && offer.market == market && offer.book == "current";
  });
  REQUIRE(found != offers.end());
  return *found;
}

// One instance with its fastest disk, in the way asked for.
class Bench {
 public:
  Bench(const Query& query, const std::string& instance, Market market = Market::on_demand)
      : world_(knowledge_with(test::made_model())),
        maker_(query, world_.catalog, world_.gpu_rates, world_.cpu_speeds, world_.model.cpu()),
        judge_(query, evidence_),
        offer_(offer_called(world_, instance, market)) {}

  Option operator()(const Way& way) {
    Refusal refusal;
    auto disks = maker_.disks(offer_);
    const auto fastest = std::max_element(disks.begin(), disks.end(), [](auto& a, auto& b) {
      return a.speed.bytes_per_s < b.speed.bytes_per_s;
    });
    const auto candidate = maker_.make(offer_, *fastest, way, refusal);
    REQUIRE_MESSAGE(candidate.has_value(), refusal.reason);
    auto judged = judge_.judge(*candidate, refusal);
    REQUIRE_MESSAGE(judged.has_value(), refusal.reason);
    return judged->option;
  }

 private:
  Knowledge world_;
  Evidence evidence_{world_.evidence()};
  CandidateMaker maker_;
  Judge judge_;
  const Offer& offer_;
};

}  // namespace

TEST_CASE("search: over nodes, markets, batches and preprocessing, nothing beats the answer") {
  const auto world = knowledge_with(test::made_model());
  const auto query = wide_query();
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen);
  CandidateMaker maker(query, world.catalog, world.gpu_rates, world.cpu_speeds, world.model.cpu());
  const auto evidence = world.evidence();
  Judge judge(query, evidence);
  const OfferConstraints constraints(query);
  std::size_t tried = 0;
  std::size_t satisfying = 0;
  double best = 1e300;
  for (const auto& offer : world.catalog.offers()) {
    if (!constraints.in_scope(offer) || constraints.refusal_of(offer)) {
      continue;
    }
    Refusal refusal;
    const auto all = maker.all(offer, refusal);
    tried += all.tried;
    bool any = false;
    for (const auto& candidate : all.made) {
      const auto judged = judge.judge(candidate, refusal);
      if (judged && judged->option.satisfies) {
        best = std::min(best, judged->option.score);
        any = true;
      }
    }
    satisfying += any ? 1 : 0;
  }
  CHECK(answer.candidates == tried);
  CHECK(answer.options_total == satisfying);
  CHECK(answer.chosen->score == test::approx(best).epsilon(1e-12));
}

TEST_CASE("search: nodes multiply the bill of an hour, and shorten the job by less") {
  const auto query = wide_query();
  Bench bench(query, "p3.16xlarge");
  const auto one = bench({128, 1, false});
  const auto four = bench({128, 4, false});
  CHECK(four.nodes == 4);
  CHECK(four.throughput.value > 2 * one.throughput.value);
  CHECK(four.throughput.value < 4 * one.throughput.value);
  CHECK(four.scaling_efficiency < one.scaling_efficiency);
  CHECK(four.bill.lines[0].quantity.starts_with("4 x "));
  const double hourly = four.cost.value / four.hours.value / (one.cost.value / one.hours.value);
  CHECK(hourly == test::approx(4).epsilon(0.01));
  CHECK_MESSAGE(four.exchange.find("InfiniBand 100") != std::string::npos, four.exchange);
}

TEST_CASE("search: a slow network between nodes scales worse than a fast one") {
  auto query = wide_query();
  query.network = "vgg16";  // 138 million parameters to exchange
  const auto efficiency = [&](const char* network) {
    query.network_between = parse_network(network, "here");
    return Bench(query, "p3.16xlarge")({128, 4, false}).scaling_efficiency;
  };
  CHECK(efficiency("ethernet:10") < 0.9 * efficiency("ib:100"));
}

TEST_CASE("search: of several spot machines any one that is taken stops the job") {
  const auto query = wide_query();
  Bench bench(query, "p3.16xlarge", Market::spot);
  const auto one = bench({128, 1, false});
  const auto four = bench({128, 4, false});
  REQUIRE(one.spot);
  REQUIRE(four.spot);
  const double per_hour = one.spot->interruptions / one.hours.value;
  CHECK(four.spot->interruptions / four.hours.value == test::approx(4 * per_hour).epsilon(0.02));
}

TEST_CASE("search: preprocessing on the GPU spares vCPUs that are too few, and costs GPU time") {
  auto query = wide_query();
  query.network = "alexnet";
  query.items = 50'000;  // all of it stays in the page cache
  query.dataset_bytes = 5'500'000'000;
  // 4 vCPUs decode far less than the A10G computes: 12 % less work each, 1 / 0.88 the rate.
  Bench starved(query, "g5.xlarge");
  const auto on_cpu = starved({128, 1, false});
  const auto on_gpu = starved({128, 1, true});
  REQUIRE(on_cpu.limited_by == Bound::cpu);
  CHECK(on_gpu.throughput.value / on_cpu.throughput.value == test::approx(1 / 0.88).epsilon(0.03));
  // On a machine with vCPUs to spare it only takes time from the GPU, and little.
  query.network = "vgg16";
  query.precision = Precision::fp32;
  Bench ample(query, "g5.16xlarge");
  const auto gpu_bound = ample({32, 1, false});
  REQUIRE(gpu_bound.limited_by == Bound::accelerator);
  const double loss = ample({32, 1, true}).throughput.value / gpu_bound.throughput.value;
  CHECK(loss < 1);
  CHECK(loss > 0.98);
}

TEST_CASE("search: an exchange that is asked for is kept to") {
  auto query = wide_query();
  query.exchange = Exchange::local;
  const auto local = Bench(query, "p3.16xlarge")({128, 1, false});
  query.exchange.reset();
  const auto fastest = Bench(query, "p3.16xlarge")({128, 1, false});
  CHECK(local.exchange.starts_with("local over "));
  CHECK(fastest.throughput.value > local.throughput.value);
}

TEST_CASE(
    "search: a network that was not measured on a CPU has CPU machines by the law, and says so") {
  auto query = wide_query();
  query.network = "googlenet";
  query.precision = Precision::fp32;
  query.phase = Phase::infer;
  query.items = 50'000;
  query.epochs = 1;
  query.dataset_bytes = 5'500'000'000;
  query.nodes_max = 1;
  query.preprocess_on = PreprocessChoice::cpu;
  query.infra = {"aws/us-east-1"};
  query.gpus_max = 0;
  const auto world = knowledge_with(test::made_model());
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen);
  CHECK(answer.chosen->gpu.empty());
  CHECK(answer.chosen->rate_provenance.find("scaled by FLOPs and bytes") != std::string::npos);
  CHECK(answer.chosen->throughput.source != Source::fitted);
  CHECK(answer.chosen->throughput.high / answer.chosen->throughput.low > 1.5);
}

TEST_CASE("search: libraries of the era are slower than today's on one GPU") {
  auto query = wide_query();
  query.stack = Stack::era;
  const auto then = Bench(query, "p3.2xlarge")({32, 1, false});
  query.stack = Stack::current;
  const auto now = Bench(query, "p3.2xlarge")({32, 1, false});
  CHECK(then.throughput.value < now.throughput.value);
}

TEST_CASE("search: CPUs that differ in vector width are not taken for one another") {
  const auto world = test::knowledge_of(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
      "Currency,Arch,Book,AsOf,Source",
      "acme,sandy bridge-16,16,64,,0,here,1.00,USD,x86_64,current,2026-01-01,test\n"
      "acme,genoa-16,16,64,,0,here,1.00,USD,x86_64,current,2026-01-01,test\n");
  auto query = wide_query();
  query.network = "googlenet";
  query.precision = Precision::fp32;
  query.infra.clear();
  query.deadline_s.reset();
  query.markets = {Market::on_demand};
  query.dataset_bytes = 5'500'000'000;
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.options.size() == 2);
  CHECK(answer.options[0].instance == "genoa-16");
  CHECK(answer.options[0].rate_provenance != answer.options[1].rate_provenance);
  CHECK(answer.options[0].throughput.value > 1.3 * answer.options[1].throughput.value);
}
