#include "models/program_cpus.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/fit.h"
#include "models/predict.h"
#include "models/validate.h"

using namespace rightsize;

namespace {

// 10 items/s of each vCPU that it uses, `uses` at the most, on a machine of 8.
Record run_on(double cpus, double uses, Status status = Status::measured) {
  Record record;
  record.name = std::to_string(cpus);
  record.id = record.name;
  record.campaign = "program";
  record.workload.network = "train.py";
  record.workload.batch = 4;
  record.command = "python3 train.py";
  record.throttle = "cgroup v2";
  record.limits.cpus = cpus;
  record.machine.cpus = 8;
  record.machine.memory_bytes = 64ULL << 30;
  record.loader_threads = static_cast<int>(std::ceil(cpus));
  record.status = status;
  record.achieved_cpus = std::min(cpus, uses);
  record.throughput.median = 10 * record.achieved_cpus;
  record.throughput.samples = 10;
  return record;
}

Estimate on(const Model& model, double cpus) {
  auto setting = setting_of(run_on(cpus, cpus));
  setting.cpus = cpus;
  const Predictor predictor(model, setting.workload);
  return predictor.estimate(predictor.predict(setting), Source::fitted);
}

}  // namespace

TEST_CASE("program cpus: a serial program is no faster with more, and its fit knows it") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    records.push_back(run_on(cpus, 0.97));
  }
  const auto programs = program_cpus(records);
  REQUIRE(programs.size() == 1);
  CHECK(programs.at("train.py").most == doctest::Approx(0.97));
  const auto summary = fit(records);
  CHECK(on(summary.model, 2).value == doctest::Approx(9.7).epsilon(0.05));
  CHECK(on(summary.model, 16).value == doctest::Approx(9.7).epsilon(0.05));
  CHECK(on(summary.model, 0.5).value == doctest::Approx(5).epsilon(0.05));
  const auto again = model_from_json(to_json(summary.model));
  CHECK(on(again, 16).value == doctest::Approx(on(summary.model, 16).value));
  CHECK(std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& warning) {
    return warning.find("train.py used 0.97 vCPUs where it had more") != std::string::npos;
  }));
}

TEST_CASE("program cpus: what nobody saw on more vCPUs may use no more") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0}) {
    records.push_back(run_on(cpus, 8));
  }
  const auto model = fit(records).model;
  CHECK(std::isinf(model.programs.at("train.py").most));
  CHECK(model.programs.at("train.py").seen == 1);
  const auto one = on(model, 1);
  const auto four = on(model, 4);
  CHECK(four.value > 3 * one.value);
  CHECK(four.low < 1.05 * one.value);  // it may be serial
}

TEST_CASE(
    "program cpus: who had to share the machine shows nothing, an untrusted run with room does") {
  auto crowded = run_on(2, 1.1, Status::untrusted);
  crowded.machine.cpus = 2;
  crowded.neighbour_cpus = 0.9;
  CHECK(std::isinf(program_cpus(std::vector{run_on(1, 1), crowded}).at("train.py").most));
  CHECK(program_cpus(std::vector{run_on(1, 1), crowded}).at("train.py").seen == 1);
  const auto noisy = run_on(2, 1.1, Status::untrusted);
  CHECK(program_cpus(std::vector{run_on(1, 1), noisy}).at("train.py").most == doctest::Approx(1.1));
  auto starved = run_on(2, 0.3);
  starved.limits.disk_read_bytes_per_s = 2e6;
  CHECK(std::isinf(program_cpus(std::vector{run_on(1, 1), starved}).at("train.py").most));
  auto ours = run_on(2, 1);
  ours.command.clear();
  CHECK(program_cpus(std::vector{ours}).empty());
}

TEST_CASE(
    "fit: steps that are bytes or CPU seconds are no items, and command lines are told apart") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0}) {
    records.push_back(run_on(cpus, 8));
    auto progress = records.back();
    progress.name += "/cpu";
    progress.id = progress.name;
    progress.software["steps"] = cpus < 0.6 ? "cpu" : "io";
    progress.throughput.median = 95;
    records.push_back(progress);
  }
  records[2].command = "python3 train.py --size 160";
  const auto summary = fit(records);
  CHECK(summary.model.runs == 4);
  CHECK(summary.skipped == 4);
  CHECK(on(summary.model, 1).value == doctest::Approx(10).epsilon(0.05));
  CHECK(std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& warning) {
    return warning.find("with 2 different command lines") != std::string::npos;
  }));
}
