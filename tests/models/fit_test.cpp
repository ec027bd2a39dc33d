// The fit against records made from known laws, with known noise: truth is what we put in.
#include "models/fit.h"

#include <algorithm>
#include <cmath>

#include <doctest/doctest.h>

#include "models/made_runs.h"
#include "models/predict.h"
#include "models/validate.h"
#include "support/approx.h"

using namespace rightsize;
using test::made_records;
using test::record_under;

namespace {

double fitted_value(const Model& model, const std::string& name) {
  const int index = model.index_of(name);
  REQUIRE(index >= 0);
  return model.parameters[static_cast<std::size_t>(index)].value;
}

}  // namespace

TEST_CASE("fit: recovers the laws that made the records") {
  const auto summary = fit(made_records(0.02, 1));
  CHECK(summary.converged);
  CHECK(fitted_value(summary.model, "cpu_s_per_item/recordio") ==
        test::approx(1.4e-3).epsilon(0.05));
  CHECK(fitted_value(summary.model, "compute_s_per_item/resnet50/train/fp32") ==
        test::approx(0.05).epsilon(0.1));
  CHECK(fitted_value(summary.model, "cpu_contention") == test::approx(0.05).epsilon(0.3));
  CHECK(fitted_value(summary.model, "cache_protection") == test::approx(0.45).epsilon(0.25));
}

TEST_CASE("fit: the cross-validated error is that of the noise") {
  const auto summary = fit(made_records(0.03, 2));
  CHECK(summary.model.cv_median_error < 0.04);
  CHECK(summary.model.cv_p90_error < 0.10);
  CHECK(summary.model.noise < 0.06);
}

TEST_CASE("fit: intervals hold about their nominal share of runs it has not seen") {
  const auto model = fit(made_records(0.03, 3)).model;
  auto unseen = made_records(0.03, 4);
  for (auto& record : unseen) {
    record.hold_out = true;
  }
  const auto validation = validate_held_out(model, unseen);
  REQUIRE(validation.rows.size() == unseen.size());
  CHECK(validation.coverage > 0.80);
  CHECK(validation.coverage < 0.99);
  CHECK(validation.median_error < 0.04);
}

TEST_CASE("fit: a run that was disturbed does not bend the laws") {
  auto records = made_records(0.02, 5);
  records[3].throughput.median *= 0.3;
  records[40].throughput.median *= 3;
  CHECK(fitted_value(fit(records).model, "cpu_s_per_item/recordio") ==
        test::approx(1.4e-3).epsilon(0.07));
}

TEST_CASE("fit: held-out and unusable records are not used") {
  auto records = made_records(0.02, 6);
  const auto all = fit(records).model.runs;
  records[0].hold_out = true;
  records[1].status = Status::out_of_memory;
  const auto summary = fit(records);
  CHECK(summary.model.runs == all - 2);
  CHECK(summary.skipped == 2);
}

TEST_CASE("fit: too few runs are refused with what to do") {
  const auto records = made_records(0.02, 7);
  CHECK_THROWS_WITH(static_cast<void>(fit(std::span(records).first(0))),
                    doctest::Contains("there is no record to fit to"));
  CHECK_THROWS_WITH(static_cast<void>(fit(std::span(records).first(3))),
                    doctest::Contains("Run rightsize campaign first"));
}

TEST_CASE("fit: repeats of a single cell are fitted, and nothing is claimed of their error") {
  auto records = made_records(0.02, 11);
  const std::vector<Record> repeats(6, records[2]);
  const auto summary = fit(repeats);
  CHECK(summary.model.runs == 6);
  for (const auto& run : summary.runs) {
    CHECK(run.predicted == 0);
  }
}

TEST_CASE("fit: what a run was called is no setting: those of rightsize profile are told apart") {
  const auto records = made_records(0.02, 13);
  auto profiled = records;
  for (auto& record : profiled) {
    record.campaign = "profile";
    record.name = "profile";
  }
  const auto named = fit(records).model;
  const auto unnamed = fit(profiled).model;
  CHECK(unnamed.cv_median_error == test::approx(named.cv_median_error));
  CHECK(unnamed.interval_factor == test::approx(named.interval_factor));
  CHECK(was_cross_validated(unnamed));
}

TEST_CASE("fit: repeats of one setting are one, though every run has a name of its own") {
  std::vector<Record> repeats(6, made_records(0.02, 11)[2]);
  for (auto& record : repeats) {
    record.name = "run " + std::to_string(&record - repeats.data());
  }
  const auto summary = fit(repeats);
  CHECK(!was_cross_validated(summary.model));
  CHECK(summary.runs.front().predicted == 0);
}

TEST_CASE("fit: records of two machines are refused by name") {
  auto records = made_records(0.02, 12);
  records[0].machine.cpu_model = "another CPU";
  CHECK_THROWS_WITH(static_cast<void>(fit(records)), doctest::Contains("another CPU"));
}

namespace {

Record gpu_run(int batch, double items_per_s) {
  Workload work;
  work.engine = EngineKind::gpu;
  work.batch = batch;
  auto record = record_under(0, 0, 0, work);
  record.machine.gpus.emplace_back().name = "NVIDIA A100-SXM4-80GB";
  record.throughput.median = items_per_s;
  record.throughput.samples = 20;
  return record;
}

// What a fit keeps of these beside runs that make a model.
std::vector<MeasuredRate> gpu_rates_with(const std::vector<Record>& runs) {
  auto records = made_records(0.02, 11);
  records.insert(records.end(), runs.begin(), runs.end());
  return fit(records).model.gpu_rates;
}

}  // namespace

TEST_CASE("fit: a GPU's rate is that of one whole GPU, whatever else ran on it") {
  auto half = gpu_run(32, 600);
  half.limits.gpu_share = 0.5;
  auto pair = gpu_run(32, 1900);
  pair.workload.ranks = 2;
  auto starved = gpu_run(32, 300);
  starved.limits.cpus = 0.5;
  starved.throttled_share = 0.8;
  auto spinning = gpu_run(32, 700);  // of a limit that cannot say when it bites
  spinning.limits.cpus = 1;
  spinning.achieved_cpus = 1;
  auto fed = gpu_run(64, 1100);  // limited, and never at its limit
  fed.limits.cpus = 8;
  fed.achieved_cpus = 1.2;
  const auto rates = gpu_rates_with({gpu_run(32, 1000), half, pair, starved, spinning, fed});
  REQUIRE(rates.size() == 2);
  CHECK(rates[0].batch == 32);
  CHECK(rates[0].gpu == "A100-80GB");
  CHECK(rates[0].items_per_s == test::approx(1000));
  CHECK(rates[1].batch == 64);
  CHECK(rates[1].items_per_s == test::approx(1100));
  auto records = made_records(0.02, 11);
  records.push_back(pair);
  const auto summary = fit(records);
  CHECK(summary.model.gpu_rates.empty());
  CHECK(std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& warning) {
    return warning.find("one whole GPU") != std::string::npos;
  }));
}

TEST_CASE("fit: repeats of a run on a GPU are one rate, whichever came last") {
  const auto rates = gpu_rates_with({gpu_run(32, 1000), gpu_run(8, 400), gpu_run(32, 1210)});
  REQUIRE(rates.size() == 2);
  CHECK(rates[0].items_per_s == test::approx(1100));
  CHECK(rates[1].items_per_s == test::approx(400));
}

TEST_CASE(
    "fit: runs that are few, or all of one setting, are not believed more than they deserve") {
  const auto all = made_records(0.02, 3);
  const auto says = [](const FitSummary& summary, const char* part) {
    return std::any_of(summary.warnings.begin(), summary.warnings.end(), [&](const auto& warning) {
      return warning.find(part) != std::string::npos;
    });
  };
  const auto few = fit(std::vector(all.begin(), all.begin() + 5));
  CHECK(says(few, "5 runs: a fit is worth something from 8 on"));
  CHECK(few.model.interval_factor >= normal_90);
  std::vector<Record> one(10, all.front());
  const auto same = fit(one);
  CHECK(says(same, "all runs are of one setting"));
  CHECK_FALSE(says(fit(all), "a fit is worth something"));
}

// A program of the user's takes 0.06 vCPU-seconds for each item whatever else it does: six runs of
// it at 0.25 to 2 vCPUs make a model that says what 4 do. Contention is not among the truths here.
TEST_CASE("fit: runs of one's own program at several vCPUs are a model of that program") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    Workload work;
    work.network = "train.py";
    work.batch = 4;
    auto record = record_under(cpus, 0, 0, work);
    record.command = "python3 train.py";
    record.throttle = "cgroup v1";
    record.dataset_items = 0;
    record.dataset_bytes = 0;
    record.throughput.median = cpus / 0.06;
    record.throughput.samples = 10;
    records.push_back(record);
  }
  auto disk_bound = records.back();
  disk_bound.name = "disk";
  disk_bound.limits.disk_read_bytes_per_s = 1e6;  // what it reads is not known to any law
  disk_bound.throughput.median = 2;
  records.push_back(disk_bound);
  const auto summary = fit(records);
  CHECK(summary.skipped == 1);
  auto setting = setting_of(records.front());
  setting.cpus = 4;
  const Predictor predictor(summary.model, setting.workload);
  CHECK(predictor.predict(setting).items_per_s == test::approx(4 / 0.06).epsilon(0.1));
  setting.cpus = 1.25;  // between two that were measured
  const auto between = predictor.estimate(predictor.predict(setting), Source::fitted);
  CHECK(between.low < 1.25 / 0.06);
  CHECK(between.high > 1.25 / 0.06);
}
