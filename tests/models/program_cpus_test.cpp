#include "models/program_cpus.h"

#include <algorithm>
#include <cmath>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/fit.h"
#include "models/predict.h"
#include "models/validate.h"
#include "support/approx.h"

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
  CHECK(programs.at("train.py").most == test::approx(0.97));
  const auto summary = fit(records);
  CHECK(on(summary.model, 2).value == test::approx(9.7).epsilon(0.05));
  CHECK(on(summary.model, 16).value == test::approx(9.7).epsilon(0.05));
  CHECK(on(summary.model, 0.5).value == test::approx(5).epsilon(0.05));
  const auto again = model_from_json(to_json(summary.model));
  CHECK(on(again, 16).value == test::approx(on(summary.model, 16).value));
  CHECK(std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& warning) {
    return warning.find("train.py used 0.97 vCPUs however many it had") != std::string::npos;
  }));
}

TEST_CASE("program cpus: of a program all of whose runs were left out a fit says nothing") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0}) {
    records.push_back(run_on(cpus, 8));
  }
  auto other = run_on(1, 8, Status::untrusted);
  other.name = other.id = "other";
  other.workload.network = "loop.py";
  other.command = "python3 loop.py";
  records.push_back(other);
  const auto summary = fit(records);
  CHECK(summary.model.programs.count("train.py") == 1);
  CHECK(summary.model.programs.count("loop.py") == 0);
  CHECK(std::none_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& warning) {
    return warning.find("loop.py") != std::string::npos;
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

namespace {

// A share `serial` of the work keeps all vCPUs but one idle (Amdahl's law).
Record amdahl_run(double cpus, double serial) {
  auto record = run_on(cpus, 0);
  record.machine.cpus = 64;
  record.achieved_cpus = cpus <= 1 ? cpus : 1 / (serial + (1 - serial) / cpus);
  record.throughput.median = 10 * record.achieved_cpus;
  return record;
}

std::vector<Record> amdahl_runs(double serial, const std::vector<double>& all_cpus) {
  std::vector<Record> records;
  for (const double cpus : all_cpus) {
    records.push_back(amdahl_run(cpus, serial));
  }
  return records;
}

}  // namespace

TEST_CASE("program cpus: one that scales with a serial share is not taken for one that does not") {
  for (const double serial : {0.02, 0.05, 0.12}) {
    CAPTURE(serial);
    const auto records = amdahl_runs(serial, {0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4});
    CHECK(std::isinf(program_cpus(records).at("train.py").most));
    const auto model = fit(records).model;
    for (const double cpus : {2.0, 4.0, 8.0, 16.0}) {
      CAPTURE(cpus);
      const auto told = on(model, cpus);
      const double truth = amdahl_run(cpus, serial).throughput.median;
      CHECK(told.low < truth);
      CHECK(told.high > truth);
      CHECK(told.value == test::approx(truth).epsilon(cpus <= 4 ? 0.06 : 0.25));
    }
  }
}

TEST_CASE("program cpus: a few threads on many vCPUs, and a program that waits on all of them") {
  const auto four_threads = std::vector{run_on(1, 4), run_on(2, 4), run_on(4, 4), run_on(8, 4)};
  CHECK(program_cpus(four_threads).at("train.py").most == test::approx(4));
  // Amdahl's law leaves it 1.0 of any number, where it was given eight alone.
  CHECK(program_cpus(std::vector{run_on(8, 0.97)}).at("train.py").most == test::approx(0.97));
  CHECK(program_cpus(std::vector{run_on(4, 0.5)}).at("train.py").most == test::approx(0.5));
  const auto lone_idle = std::vector{run_on(1, 0.85), run_on(2, 2), run_on(4, 3.98)};
  CHECK(std::isinf(program_cpus(lone_idle).at("train.py").most));
}

TEST_CASE("program cpus: held-out runs and those of other tools tell nothing") {
  auto held_out = run_on(2, 0.97);
  held_out.hold_out = true;
  auto imported = run_on(2, 0.97);
  imported.throttle.clear();
  const auto programs = program_cpus(std::vector{run_on(1, 1), held_out, imported});
  CHECK(std::isinf(programs.at("train.py").most));
  CHECK(programs.at("train.py").seen == 1);
  CHECK(program_cpus(std::vector{imported}).empty());
}

TEST_CASE("program cpus: far beyond what was seen it gains something between nothing and all") {
  const auto model = fit(amdahl_runs(0.05, {0.5, 1, 1.5, 2})).model;
  const auto two = on(model, 2);
  const auto many = on(model, 64);
  CHECK(many.low < 1.05 * two.value);
  CHECK(many.low > 0.9 * two.low);
  CHECK(many.high < 1.2 * 32 * two.value);
}

TEST_CASE("program cpus: one that uses one of sixteen leaves the others idle") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    records.push_back(run_on(cpus, 0.97));
  }
  const auto model = fit(records).model;
  auto setting = setting_of(run_on(16, 16));
  const auto busy = Predictor(model, setting.workload).predict(setting).busy;
  CHECK(busy[static_cast<std::size_t>(Bound::cpu)] == test::approx(0.97 / 16).epsilon(0.1));
}

TEST_CASE(
    "program cpus: who had to share the machine shows nothing, an untrusted run with room does") {
  auto crowded = run_on(2, 1.1, Status::untrusted);
  crowded.machine.cpus = 2;
  crowded.neighbour_cpus = 0.9;
  CHECK(std::isinf(program_cpus(std::vector{run_on(1, 1), crowded}).at("train.py").most));
  CHECK(program_cpus(std::vector{run_on(1, 1), crowded}).at("train.py").seen == 1);
  const auto noisy = run_on(2, 1.1, Status::untrusted);
  CHECK(program_cpus(std::vector{run_on(1, 1), noisy}).at("train.py").most == test::approx(1.1));
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
  CHECK(on(summary.model, 1).value == test::approx(10).epsilon(0.05));
  CHECK(std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& warning) {
    return warning.find("with 2 different command lines") != std::string::npos;
  }));
}

TEST_CASE("program cpus: beside a GPU the fit says how to ask for its rate and its vCPUs apart") {
  std::vector<Record> records;
  for (const double cpus : {1.0, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    auto record = run_on(cpus, 2.5);
    record.machine.gpus = {{"NVIDIA A10G", 24ULL << 30, "580.1", "8.6"}};
    records.push_back(record);
  }
  const auto summary = fit(records);
  CHECK(summary.model.programs.at("train.py").beside_gpu);
  CHECK(std::any_of(summary.warnings.begin(), summary.warnings.end(), [](const auto& sentence) {
    return sentence.find("--measured A10G:4=25 ") != std::string::npos &&
           sentence.find("--loader train.py") != std::string::npos;
  }));
}

TEST_CASE("program cpus: two programs of one name leave its rate as uncertain as they are apart") {
  std::vector<Record> records;
  for (const double cpus : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    records.push_back(run_on(cpus, 8));
    auto other = run_on(cpus, 8);
    other.id += "other";
    other.throughput.median /= 100;
    other.command = "python3 sub/train.py";
    records.push_back(other);
  }
  const auto estimate = on(fit(records).model, 1);
  CHECK(estimate.low < 0.2);
  CHECK(estimate.high > 5);
}
