// The fit against records made from known laws, with known noise: truth is what we put in.
#include "models/fit.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/predict.h"
#include "models/validate.h"

using namespace rightsize;

namespace {

Laws true_laws() {
  Laws laws;
  laws.compute = {0.8, 0.05};
  laws.data_cpu_s = 1.4e-3;
  laws.scaling = {0.05, 0};
  laws.disk = {0.97, 3e-4};
  laws.native_disk.bytes_per_s = 2e9;
  laws.cache.protection = 0.45;
  laws.sharpness = 8;
  return laws;
}

Record record_under(double cpus, std::uint64_t memory, double disk_read, Workload workload) {
  Record record;
  record.campaign = "synthetic";
  record.name = std::to_string(cpus) + "/" + std::to_string(memory) + "/" +
                std::to_string(disk_read) + "/" + std::to_string(workload.batch) +
                std::string(to_string(workload.engine));
  record.id = record.name;
  record.workload = workload;
  record.limits.cpus = cpus;
  record.limits.memory_bytes = memory;
  record.limits.disk_read_bytes_per_s = disk_read;
  record.machine.cpus = 16;
  record.machine.memory_bytes = 64ULL << 30;
  record.dataset_items = 2000;
  record.dataset_bytes = 2000 * 110'000ULL;
  record.loader_threads = static_cast<int>(std::ceil(cpus));
  record.peak_anonymous_bytes = 50ULL << 20;
  record.status = Status::measured;
  record.reason.clear();
  return record;
}

// A grid of runs whose throughput is the truth times exp(normal noise).
std::vector<Record> made_records(double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, noise);
  const Laws truth = true_laws();
  std::vector<Record> records;
  const auto add = [&](Record record) {
    const auto setting = setting_of(record);
    Laws laws = truth;
    if (record.workload.data == DataFormat::synthetic) {
      laws.data_cpu_s = 0;
    }
    record.throughput.median = predicted_items_per_s(laws, setting) * std::exp(normal(random));
    record.throughput.samples = 20;
    record.cpu_s_per_item = laws.data_cpu_s * std::exp(normal(random));
    records.push_back(record);
  };
  Workload replay;
  replay.engine = EngineKind::replay;
  replay.data = DataFormat::recordio;
  for (const double rate : {400.0, 2500.0}) {
    replay.replay_items_per_s = rate;
    for (const double cpus : {1.0, 2.0, 4.0, 8.0}) {
      for (const std::uint64_t memory : {100ULL << 20, 200ULL << 20, 600ULL << 20}) {
        for (const double disk : {0.0, 20e6, 80e6}) {
          add(record_under(cpus, memory, disk, replay));
        }
      }
    }
  }
  Workload compute;
  compute.engine = EngineKind::cpu;
  for (const int batch : {1, 8, 32}) {
    for (const double cpus : {1.0, 2.0, 4.0}) {
      compute.batch = batch;
      add(record_under(cpus, 0, 0, compute));
    }
  }
  return records;
}

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
        doctest::Approx(1.4e-3).epsilon(0.05));
  CHECK(fitted_value(summary.model, "compute_s_per_item/resnet50/train/fp32") ==
        doctest::Approx(0.05).epsilon(0.1));
  CHECK(fitted_value(summary.model, "cpu_contention") == doctest::Approx(0.05).epsilon(0.3));
  CHECK(fitted_value(summary.model, "cache_protection") == doctest::Approx(0.45).epsilon(0.25));
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
        doctest::Approx(1.4e-3).epsilon(0.07));
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
  CHECK(unnamed.cv_median_error == doctest::Approx(named.cv_median_error));
  CHECK(unnamed.interval_factor == doctest::Approx(named.interval_factor));
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

TEST_CASE("model: the JSON form predicts the same") {
  const auto model = fit(made_records(0.02, 8)).model;
  const auto again = model_from_json(to_json(model));
  Workload workload;
  workload.engine = EngineKind::replay;
  workload.data = DataFormat::recordio;
  workload.replay_items_per_s = 1000;
  const auto setting = setting_of(record_under(3, 150ULL << 20, 50e6, workload));
  const auto a = Predictor(model, workload).predict(setting);
  const auto b = Predictor(again, workload).predict(setting);
  CHECK(a.items_per_s == b.items_per_s);
  CHECK(a.log_sd == doctest::Approx(b.log_sd));
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
  Workload workload;
  workload.engine = EngineKind::replay;
  workload.data = DataFormat::recordio;
  workload.replay_items_per_s = 1000;
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
  Workload workload;
  workload.engine = EngineKind::replay;
  workload.data = DataFormat::recordio;
  workload.replay_items_per_s = 1e6;
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
  CHECK(rates[0].items_per_s == doctest::Approx(1000));
  CHECK(rates[1].batch == 64);
  CHECK(rates[1].items_per_s == doctest::Approx(1100));
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
  CHECK(rates[0].items_per_s == doctest::Approx(1100));
  CHECK(rates[1].items_per_s == doctest::Approx(400));
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
  CHECK(predictor.predict(setting).items_per_s == doctest::Approx(4 / 0.06).epsilon(0.1));
  setting.cpus = 1.25;  // between two that were measured
  const auto between = predictor.estimate(predictor.predict(setting), Source::fitted);
  CHECK(between.low < 1.25 / 0.06);
  CHECK(between.high > 1.25 / 0.06);
}
