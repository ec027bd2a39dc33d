// Outside what was measured: intervals widen there and not elsewhere, what no run determined is as
// wide as its prior, and what the runs do say bounds it.
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "measured_records.h"
#include "models/fit.h"
#include "models/predict.h"
#include "models/priors.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

const Parameter& named(const std::vector<Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& parameter) {
    return parameter.name == name;
  });
  REQUIRE(found != parameters.end());
  return *found;
}

// Decodes RecordIO without a disk in the way; 0 items/s of an accelerator that is none.
Setting decoding(double cpus, double accelerator_items_per_s) {
  Setting setting;
  setting.workload.engine = EngineKind::replay;
  setting.workload.data = DataFormat::recordio;
  setting.cpus = cpus;
  setting.loader_threads = static_cast<int>(std::ceil(cpus));
  setting.memory_bytes = 1ULL << 40;
  setting.disk.bytes_per_s = 1e12;
  setting.dataset_items = 800;
  setting.dataset_bytes = 800 * 110'000ULL;
  setting.accelerator_items_per_s = accelerator_items_per_s;
  return setting;
}

double log_sd(const Model& model, const Setting& setting) {
  return Predictor(model, setting.workload).predict(setting).log_sd;
}

std::vector<Record> without(const char* file, double cpus) {
  auto records = test::measured_records(file);
  std::erase_if(records, [&](const Record& record) { return record.limits.cpus == cpus; });
  return records;
}

}  // namespace

TEST_CASE("unmeasured: intervals widen with each doubling of the vCPUs, where CPUs set the pace") {
  const auto model = fit(test::measured_records("grid_emerald_rapids.jsonl")).model;
  REQUIRE(model.measured_cpus == 2);
  const double measured = log_sd(model, decoding(2, 1e6));
  const double twice = log_sd(model, decoding(4, 1e6));
  const double many = log_sd(model, decoding(64, 1e6));
  CHECK(twice > std::hypot(measured, 0.035));
  CHECK(many > std::hypot(measured, 0.085));
  CHECK(log_sd(model, decoding(64, 500)) < measured + 0.005);  // a slow GPU's pace is known
}

TEST_CASE("unmeasured: a page cache that holds more than in any run is less certain") {
  auto model = fit(test::measured_records("grid_emerald_rapids.jsonl")).model;
  CHECK(model.least_hits < 0.2);
  CHECK(model.most_hits == test::approx(1));
  const double seen = log_sd(model, decoding(2, 500));
  model.most_hits = 0.5;
  CHECK(log_sd(model, decoding(2, 500)) == test::approx(std::hypot(seen, 0.03)).epsilon(0.01));
}

TEST_CASE(
    "unmeasured: what a quota loses is fitted, and keeps its prior where no quota was tried") {
  const auto seen = fit(test::measured_records("grid_emerald_rapids.jsonl")).model;
  const auto& loss = named(seen.parameters, "quota_loss");
  CHECK(loss.value == test::approx(0.031).epsilon(0.2));
  CHECK(loss.fitted_sd < 0.4);
  auto records = without("grid_emerald_rapids.jsonl", 0.5);
  std::erase_if(records, [](const Record& record) { return record.limits.cpus == 1.5; });
  const auto unseen = fit(records).model;
  const auto i = static_cast<std::size_t>(unseen.index_of("quota_loss"));
  const auto& prior = unseen.parameters[i];
  CHECK(prior.value == test::approx(prior.prior).epsilon(0.02));
  // Whatever stretches the rest of the interval.
  const double stretch = unseen.interval_factor / normal_90;
  CHECK(std::sqrt(unseen.covariance(i, i)) * stretch == test::approx(prior.prior_sd).epsilon(0.03));
}

TEST_CASE("unmeasured: no disk is slower than its readers' least wait") {
  const auto records = without("grid_granite_rapids.jsonl", 1);
  const auto observations = observations_of(records, {});
  const auto parameters = Priors(observations).parameters();
  double least_s = 1;
  for (const auto& record : records) {
    if (2 * record.disk_read_bytes > record.bytes_requested) {
      least_s = std::min(least_s, record.stages.read);
    }
  }
  const auto& setting = observations.front().setting;
  const double miss_s =
      named(parameters, "disk_latency_s").prior +
      bytes_per_item(setting) / named(parameters, "native_disk_bytes_per_s").prior;
  CHECK(miss_s < least_s);
  CHECK(miss_s > least_s / 5);
}

TEST_CASE("unmeasured: noise of CPUs does not widen what a GPU or a disk limits") {
  const auto model =
      fit(test::measured_records("grid.jsonl")).model;  // of a machine with neighbours
  CHECK(model.cpu_noise > model.noise);
  CHECK(log_sd(model, decoding(2, 500)) < 0.6 * log_sd(model, decoding(1, 1e6)));
}

TEST_CASE("unmeasured: readers that wait for a disk are not the CPUs' noise") {
  const auto model = fit(test::measured_records("grid.jsonl")).model;
  auto waiting = decoding(8, 1e6);
  waiting.loader_threads = 1;
  waiting.memory_bytes = 1;
  waiting.disk.bytes_per_s = 20e6;
  const auto laws = laws_of(model, waiting.workload);
  const auto bounds = bounds_of(laws, waiting);
  const double rate = composed_items_per_s(bounds, laws.sharpness);
  REQUIRE(bounds[Bound::loader] < bounds[Bound::cpu]);
  // The elasticity itself, by a difference.
  auto faster = waiting;
  faster.cpu_speed *= 1.01;
  const double elasticity = std::log(predicted_items_per_s(laws, faster) / rate) / std::log(1.01);
  const auto near = test::approx(elasticity).epsilon(0.02).scale(1e-3);
  CHECK(cpu_share(laws, waiting, bounds, rate) == near);
  CHECK(elasticity < 0.3);
  CHECK(Predictor(model, waiting.workload).predict(waiting).noise_sd <
        std::hypot(model.noise, 0.3 * model.cpu_noise));
}
