// The study of the chosen option against what it is drawn from: moving the option's own condition
// must give back the option, and its knees must be where the curve says.
#include "advisor/study/study.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "advisor/calibration.h"
#include "advisor/full_name.h"
#include "advisor/knowledge.h"
#include "advisor/service_world.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

Query imagenet() {
  Query query;
  query.name = "ImageNet";
  query.precision = Precision::fp16;
  query.batches = {128};
  query.items = 1281167;
  query.epochs = 90;
  query.dataset_bytes = 140'000'000'000;
  query.deadline_s = 48 * 3600;
  query.infra = {"aws"};
  return query;
}

struct Studied {
  Recommendation answer;
  std::optional<Study> study;
};

const Studied& studied() {
  static const Studied once = [] {
    const auto knowledge = knowledge_with(test::made_model());
    auto answer = search(imagenet(), knowledge.evidence());
    Estimator estimator(
        knowledge.model, gpu_rates_with(knowledge.model), knowledge.cpu_speeds, knowledge.catalog);
    auto found = study(answer, knowledge.evidence(), estimator, false);
    return Studied{std::move(answer), std::move(found)};
  }();
  return once;
}

}  // namespace

TEST_CASE("study: each curve passes through the option and has its knee where it reaches 95 %") {
  const auto& [answer, study] = studied();
  REQUIRE(study.has_value());
  REQUIRE(study->responses.size() >= 2);
  for (const auto& response : study->responses) {
    CAPTURE(response.resource);
    REQUIRE(response.points.size() > 3);
    double most = 0;
    const ResponsePoint* nearest = &response.points.front();
    for (const auto& point : response.points) {
      most = std::max(most, point.throughput.value);
      CHECK(point.throughput.low <= point.throughput.value);
      CHECK(point.throughput.high >= point.throughput.value);
      if (std::abs(std::log(point.amount / response.now)) <
          std::abs(std::log(nearest->amount / response.now))) {
        nearest = &point;
      }
    }
    CHECK(nearest->throughput.value == test::approx(answer.chosen->throughput.value).epsilon(0.08));
    CHECK(response.knee_low <= response.knee);
    CHECK(response.knee_high >= response.knee);
    for (const auto& point : response.points) {
      if (point.amount < response.knee * 0.999) {
        CHECK(point.throughput.value < knee_share * most * 1.001);
      }
    }
  }
}

TEST_CASE("study: no end of the throughput falls with more disk or memory") {
  const auto& [answer, study] = studied();
  REQUIRE(study.has_value());
  int checked = 0;
  for (const auto& response : study->responses) {
    for (std::size_t i = 1; response.resource != "vCPUs" && i < response.points.size(); ++i) {
      CAPTURE(response.resource);
      CAPTURE(response.points[i].amount);
      const auto& less = response.points[i - 1].throughput;
      const auto& more = response.points[i].throughput;
      CHECK(more.low >= less.low);
      CHECK(more.high >= less.high);
      ++checked;
    }
  }
  CHECK(checked > 60);
}

TEST_CASE("study: where the accelerator limits, a lucky disk makes it no faster") {
  const auto world = knowledge_with(test::made_model());
  const auto query = imagenet();
  const auto evidence = world.evidence();
  Appraiser appraiser(query, evidence);
  auto appraisal = appraiser.appraise(search(query, evidence).chosen->instance);
  auto& candidate = appraisal.candidate;
  candidate.uncertainty = {.accelerator = 0.02, .disk = 0.5};
  const Predictor predictor(world.model, candidate.setting.workload);
  int checked = 0;
  for (const auto& response : responses(world.model, appraisal, query.epochs)) {
    for (const auto& point : response.points) {
      if (response.resource == "disk") {
        auto setting = candidate.setting;
        setting.disk.bytes_per_s = point.amount * 1e6;
        const auto alone =
            predictor.estimate(predictor.predict(setting, candidate.uncertainty), Source::assumed);
        CAPTURE(point.amount);
        CHECK(point.throughput.high <= alone.high * 1.001);
        ++checked;
      }
    }
  }
  CHECK(checked > 20);
}

TEST_CASE("study: a dearer hour costs more in proportion, and swings come widest first") {
  const auto& [answer, study] = studied();
  REQUIRE(study.has_value());
  double last = INFINITY;
  bool has_price = false;
  for (const auto& swing : study->swings) {
    const double width = std::abs(swing.cost_at_high - swing.cost_at_low);
    CHECK(width <= last);
    last = width;
    if (swing.input == "price per hour") {
      has_price = true;
      const double cost = answer.chosen->cost.value;
      CHECK(swing.cost_at_high > cost);
      CHECK(swing.cost_at_high <= cost * 1.1 * 1.001);  // the disk's price stays
    }
  }
  CHECK(has_price);
}

TEST_CASE("study: a service's uncertain inputs move its cost within the interval of its cost") {
  const auto world = test::service_world();
  const auto query = test::answering();
  const auto answer = search(query, world.evidence());
  REQUIRE(answer.chosen.has_value());
  const auto& cost = answer.chosen->cost;
  REQUIRE(cost.low < cost.high);
  Appraiser appraiser(query, world.evidence());
  const auto appraisal = appraiser.appraise(answer.chosen->instance);
  int checked = 0;
  for (const auto& swing : swings(query, world.evidence(), appraisal, {})) {
    if (!swing.range.starts_with("90% interval")) {
      continue;
    }
    CAPTURE(swing.input);
    CHECK(swing.cost_at_low >= cost.low * 0.999);
    CHECK(swing.cost_at_low <= cost.high * 1.001);
    CHECK(swing.cost_at_high >= cost.low * 0.999);
    CHECK(swing.cost_at_high <= swing.cost_at_low);
    ++checked;
  }
  CHECK(checked > 0);
}

TEST_CASE("study: one GPU scales ideally, more do not do better") {
  const auto& [answer, study] = studied();
  REQUIRE(study.has_value());
  REQUIRE_FALSE(study->scaling.empty());
  CHECK(study->scaling.front().gpus == 1);
  CHECK(study->scaling.front().efficiency.value == 1);
  for (const auto& step : study->scaling) {
    CHECK(step.efficiency.value <= 1);
    CHECK(step.efficiency.high <= 1);
    CHECK(step.efficiency.low <= step.efficiency.value);
  }
  CHECK_FALSE(study->markets.empty());
}

TEST_CASE("study: a GPU sold with two sizes of memory scales with the chosen one's") {
  const auto knowledge = knowledge_with(test::made_model());
  Estimator estimator(
      knowledge.model, gpu_rates_with(knowledge.model), knowledge.cpu_speeds, knowledge.catalog);
  Offer chosen;  // as p3dn has it; p3 has 16 GiB
  chosen.gpu = "V100";
  chosen.gpu_memory_gib = 32;
  auto query = imagenet();
  const auto any = [](const Offer&) { return true; };
  const auto scaling = [&](int batch) {
    return scaling_of(estimator, query, knowledge.catalog, chosen, batch, any);
  };
  const int batch = 448;  // more than 16 GiB take
  auto small = chosen;
  small.gpu_memory_gib = 16;
  REQUIRE(scaling_of(estimator, query, knowledge.catalog, small, batch, any).empty());
  const auto steps = scaling(batch);
  REQUIRE(steps.size() == 4);
  CHECK(steps.front().machine.empty());  // aws sells one V100 with 16 GiB alone
  CHECK(steps.back().machine == "aws/p3dn.24xlarge");
  const auto none = [](const Offer&) { return false; };
  CHECK(scaling_of(estimator, query, knowledge.catalog, chosen, batch, none).back().machine == "");
  query.deny = "^p3dn";
  CHECK(scaling(batch).back().machine.empty());
}

namespace {

constexpr const char* shop =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
    "MonthlyPrice,Currency,Arch,Book,AsOf,Source";

Study study_of(const Knowledge& knowledge, const Query& query) {
  const auto answer = search(query, knowledge.evidence());
  Estimator estimator(
      knowledge.model, gpu_rates_with(knowledge.model), knowledge.cpu_speeds, knowledge.catalog);
  auto found = study(answer, knowledge.evidence(), estimator, false);
  REQUIRE(found.has_value());
  return *std::move(found);
}

}  // namespace

TEST_CASE("study: prices by the hour are compared with such, on machines that can do the job") {
  const auto knowledge =
      test::knowledge_of(shop,
                         "acme,v.hour,16,64,V100,1,here,3.00,,USD,x86_64,current,2026-01-01,test\n"
                         "acme,v.hour,16,64,V100,1,here,,1000,USD,x86_64,current,2026-01-01,test\n"
                         "acme,v.bare,1,1,V100,1,here,0.50,,USD,x86_64,current,2026-01-01,test\n");
  const auto studied = study_of(knowledge, test::imagenet_job());
  REQUIRE(studied.markets.size() == 2);  // its month is another way to pay for it
  CHECK(studied.markets.front().per_hour == test::approx(3));
  CHECK_FALSE(studied.markets.front().by_month);
  CHECK(studied.markets.back().by_month);
  REQUIRE_FALSE(studied.scaling.empty());
  CHECK(studied.scaling.front().machine == "acme/v.hour");  // v.bare has too little memory
  CHECK(studied.scaling.front().price_per_hour == test::approx(3));
}

TEST_CASE("study: a bill by the month does not move with the model's error") {
  const auto knowledge = test::knowledge_of(
      shop, "acme,v.month,16,64,V100,1,here,,1000,USD,x86_64,current,2026-01-01,test\n");
  const auto studied = study_of(knowledge, test::imagenet_job());
  for (const auto& swing : studied.swings) {
    CHECK(swing.input != "throughput by the model");
  }
  const auto hourly = test::knowledge_of(
      shop, "acme,v.hour,16,64,V100,1,here,3.00,,USD,x86_64,current,2026-01-01,test\n");
  const auto swings = study_of(hourly, test::imagenet_job()).swings;
  CHECK(std::any_of(swings.begin(), swings.end(), [](const Swing& swing) {
    return swing.input == "throughput by the model";
  }));
}

TEST_CASE("study: where the option stands at a flip, it is the other that is taken beyond") {
  const auto knowledge = knowledge_with(test::made_model());
  const auto answer = search(imagenet(), knowledge.evidence());
  const auto appraisal =
      Appraiser(imagenet(), knowledge.evidence()).appraise(name_of(*answer.chosen));
  const auto own = full_name(appraisal.option);
  int seen = 0;
  for (const double at : {1.0, 1.0000001, 0.9999999}) {
    const std::vector<Sensitivity> known{
        {"speed of it", "1", 1.0, 0.5, 2, {Flip{at, "another", own}}}};
    for (const auto& swing : swings(imagenet(), knowledge.evidence(), appraisal, known)) {
      for (const auto& flip : swing.flips) {
        CHECK(flip.taken == "another");
        ++seen;
      }
    }
  }
  CHECK(seen == 3);
}

TEST_CASE("study: where nothing was chosen there is nothing to study") {
  const auto knowledge = knowledge_with(test::made_model());
  Estimator estimator(
      knowledge.model, gpu_rates_with(knowledge.model), knowledge.cpu_speeds, knowledge.catalog);
  CHECK_FALSE(study(Recommendation{}, knowledge.evidence(), estimator).has_value());
}
