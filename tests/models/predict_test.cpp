// Predictions of a fitted model: what it answers, and what it refuses.
#include "models/predict.h"

#include <cmath>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/carry.h"
#include "models/fit.h"
#include "models/made_runs.h"
#include "support/approx.h"

using namespace rightsize;
using test::made_records;
using test::record_under;

namespace {

// Of pictures, on an accelerator that is replayed.
Workload replaying(double items_per_s) {
  Workload workload;
  workload.engine = EngineKind::replay;
  workload.data = DataFormat::recordio;
  workload.replay_items_per_s = items_per_s;
  return workload;
}

}  // namespace

TEST_CASE("model: the JSON form predicts the same") {
  const auto model = fit(made_records(0.02, 8)).model;
  const auto again = model_from_json(to_json(model));
  const auto workload = replaying(1000);
  const auto setting = setting_of(record_under(3, 150ULL << 20, 50e6, workload));
  const auto a = Predictor(model, workload).predict(setting);
  const auto b = Predictor(again, workload).predict(setting);
  CHECK(a.items_per_s == b.items_per_s);
  CHECK(a.log_sd == test::approx(b.log_sd));
}

TEST_CASE("model: one that an older version fitted does not know all laws") {
  auto model = fit(made_records(0.02, 8)).model;
  CHECK(model.knows_all_laws());
  std::erase_if(model.parameters, [](const Parameter& one) { return one.name == "quota_loss"; });
  CHECK(!model.knows_all_laws());
}

TEST_CASE("predict: an unmeasured network is refused by name") {
  const auto model = fit(made_records(0.02, 9)).model;
  Workload workload;
  workload.network = "vgg16";
  CHECK_THROWS_WITH(static_cast<void>(Predictor(model, workload)),
                    doctest::Contains("vgg16/train/fp32"));
}

TEST_CASE("predict: more of any resource never slows the job, and uncertainty widens it") {
  const auto model = fit(made_records(0.02, 10)).model;
  const auto workload = replaying(1000);
  const Predictor predictor(model, workload);
  const auto base = setting_of(record_under(2, 150ULL << 20, 50e6, workload));
  const auto now = predictor.predict(base);
  auto more = base;
  more.cpus = 4;
  more.loader_threads = 4;
  CHECK(predictor.predict(more).items_per_s >= now.items_per_s);
  more = base;
  more.memory_bytes *= 2;
  CHECK(predictor.predict(more).items_per_s >= now.items_per_s);
  more = base;
  more.disk.bytes_per_s *= 2;
  CHECK(predictor.predict(more).items_per_s >= now.items_per_s);
  CHECK(predictor.predict(base, {0.3, 0.1, 0.1}).log_sd > now.log_sd);
  CHECK(now.cold_items_per_s <= now.items_per_s);
}

TEST_CASE("predict: near a tie the interval holds what the end of an input's own interval gives") {
  const auto model = fit(made_records(0.02, 10)).model;
  const auto workload = replaying(1e6);
  const Predictor predictor(model, workload);
  auto setting = setting_of(record_under(2, 150ULL << 20, 50e6, workload));
  const double without_gpu = predictor.predict(setting).items_per_s;
  // A GPU that is thought a little faster than its data path, known to a factor of 1.6 only.
  setting.accelerator_items_per_s = 1.3 * without_gpu;
  constexpr double sd = 0.3;
  const auto prediction = predictor.predict(setting, {sd, 0, 0});
  auto slow = setting;
  slow.accelerator_items_per_s *= std::exp(-normal_90 * sd);
  const double at_the_end = predictor.predict(slow).items_per_s;
  CHECK(at_the_end < 0.9 * prediction.items_per_s);
  CHECK(predictor.estimate(prediction, Source::scaled).low <= at_the_end);
}

TEST_CASE("predict: a faster disk never makes the slow end of the interval slower") {
  const auto model = fit(made_records(0.02, 10)).model;
  const auto workload = replaying(1e6);
  const Predictor predictor(model, workload);
  auto setting = setting_of(record_under(2, 1ULL << 20, 50e6, workload));
  setting.accelerator_items_per_s = 1.2 * predictor.predict(setting).items_per_s;
  double before = 0;
  for (setting.disk.bytes_per_s = 5e6; setting.disk.bytes_per_s < 1e9;
       setting.disk.bytes_per_s *= 1.1) {
    const auto prediction = predictor.predict(setting, {0.4, 0.3, 0.05});
    const double low = predictor.estimate(prediction, Source::scaled).low;
    CAPTURE(setting.disk.bytes_per_s);
    CHECK(low > before * (1 - 2e-3));
    before = low;
  }
}

TEST_CASE("predict: what limits beside the uncertain one caps how fast it may turn out") {
  const auto model = fit(made_records(0.02, 10)).model;
  const auto workload = replaying(1e6);
  const Predictor predictor(model, workload);
  auto setting = setting_of(record_under(2, 150ULL << 20, 50e6, workload));
  const double data_path = predictor.predict(setting).items_per_s;
  setting.accelerator_items_per_s = 0.8 * data_path;  // known to a factor of 2.7 either way
  const auto prediction = predictor.predict(setting, {0.6, 0, 0});
  const auto estimate = predictor.estimate(prediction, Source::scaled);
  const auto alone = predictor.estimate(predictor.predict(setting), Source::scaled);
  CHECK(estimate.low < 0.45 * prediction.items_per_s);
  CHECK(estimate.high < data_path * alone.high / alone.value);
  CHECK(estimate.high > 1.1 * prediction.items_per_s);
  // Far from the others it is as uncertain to either side.
  setting.accelerator_items_per_s = 0.1 * data_path;
  CHECK(predictor.predict(setting, {0.6, 0, 0}).faster == test::approx(1).epsilon(0.01));
}

TEST_CASE("predict: a badly known cost that does not bind counts as far as it might") {
  const auto measured = fit(made_records(0.02, 10)).model;
  const auto workload = replaying(1e6);
  auto setting = setting_of(record_under(2, 1ULL << 40, 0, workload));
  constexpr double sd = 0.4;
  const double decoding = Predictor(measured, workload).predict(setting).items_per_s;
  setting.accelerator_items_per_s = 0.75 * decoding;
  const auto model = with_data_cost(measured, workload, 1, sd);
  const auto estimate_of = [&](const Model& which) {
    const Predictor predictor(which, workload);
    return predictor.estimate(predictor.predict(setting), Source::scaled);
  };
  const auto slow = with_data_cost(measured, workload, std::exp(normal_90 * sd), 0);
  CHECK(estimate_of(model).low <= estimate_of(slow).value);
  CHECK(estimate_of(model).high < 1.15 * estimate_of(model).value);
}

TEST_CASE("predict: pictures of more bytes take more of the CPU, but for their crop") {
  const auto model = fit(made_records(0.02, 12)).model;
  const auto workload = replaying(1e6);
  const auto laws = laws_of(model, workload);
  REQUIRE(laws.picture_bytes > 0);
  auto setting = setting_of(record_under(2, 1ULL << 40, 0, workload));
  setting.dataset_bytes =
      static_cast<std::uint64_t>(laws.picture_bytes * static_cast<double>(setting.dataset_items));
  const double usual = decode_cpu_seconds(laws, setting);
  CHECK(usual == test::approx(laws.data_cpu_s).epsilon(1e-3));
  setting.dataset_bytes *= 20;
  CHECK(decode_cpu_seconds(laws, setting) == test::approx(15.25 * usual).epsilon(1e-3));
  CHECK(model_from_json(to_json(model)).picture_bytes == model.picture_bytes);
}
