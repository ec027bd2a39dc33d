#include "models/program_work.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "models/laws/host_cpu.h"
#include "models/predict.h"
#include "support/approx.h"
#include "support/program_model.h"

using namespace rightsize;

namespace {

// Of pictures that a GPU of `rate` works through.
Setting pictures(double cpus, double rate) {
  Setting setting;
  setting.workload.engine = EngineKind::replay;
  setting.workload.data = DataFormat::recordio;
  setting.workload.batch = 128;
  setting.cpus = cpus;
  setting.loader_threads = static_cast<int>(cpus);
  setting.memory_bytes = 1ULL << 40;
  setting.dataset_items = 1'000'000;
  setting.dataset_bytes = 100'000'000'000;
  setting.accelerator_items_per_s = rate;
  return setting;
}

double rate_with(const Model& model, const Setting& setting) {
  return predicted_items_per_s(laws_of(model, setting.workload), setting);
}

}  // namespace

TEST_CASE("program work: an item bears its share of a step") {
  const auto model = test::program_model();
  const auto work = program_work(model, "train.py").value();
  CHECK(work.cpu_s_per_item == test::approx(0.06 + 0.08 / 4));
  CHECK(work.phase == Phase::train);
  CHECK(work.precision == Precision::fp32);
  CHECK(work.cpus.resident_bytes == 2e9);
  // Shares of 3/4 and 1/4 that are known to 3 % each, stretched by the model's own factor.
  CHECK(work.log_sd ==
        test::approx(0.03 * std::hypot(0.75, 0.25) * model.interval_factor / normal_90));
  CHECK_FALSE(program_work(model, "other.py"));
}

TEST_CASE("program work: a model of a version that did not keep their steps knows none") {
  auto document = to_json(test::program_model());
  for (auto& [name, program] : document.at("programs").as_object()) {
    program.as_object().erase("batch");
  }
  CHECK_FALSE(program_work(model_from_json(document), "train.py"));
  const auto kept = model_from_json(to_json(test::program_model()));
  CHECK(program_work(kept, "train.py")->cpus.batch == 4);
  CHECK(program_work(kept, "train.py")->cpus.resident_bytes == 2e9);
}

TEST_CASE("program work: what loads for a GPU takes its own CPU seconds, whatever was measured") {
  const auto model = test::program_model();
  const auto setting = pictures(8, 1e6);
  // load.py uses no more than 2 vCPUs a process.
  const auto one = with_program_loader(model, setting.workload, "load.py", 1);
  CHECK(rate_with(one, setting) == test::approx(2 / 0.004).epsilon(0.01));
  const auto four = with_program_loader(model, setting.workload, "load.py", 4);
  CHECK(rate_with(four, setting) == test::approx(8 / 0.004).epsilon(0.01));
  const auto eight = with_program_loader(model, setting.workload, "load.py", 8);
  CHECK(rate_with(eight, setting) == test::approx(8 / 0.004).epsilon(0.01));
  CHECK(rate_with(model, setting) == test::approx(8 / 1.1e-3).epsilon(0.01));
  CHECK_THROWS_AS((void)with_program_loader(model, setting.workload, "none.py", 1), ModelError);
}

TEST_CASE("program work: beside a GPU it was that one which left vCPUs idle") {
  auto model = test::program_model();
  model.programs.at("load.py").beside_gpu = true;
  const auto setting = pictures(8, 1e6);
  const auto loaded = with_program_loader(model, setting.workload, "load.py", 1);
  CHECK(rate_with(loaded, setting) == test::approx(8 / 0.004).epsilon(0.01));
}

TEST_CASE("program work: it reads its disk, and its own time has the reading in it") {
  auto model = test::program_model();
  auto setting = pictures(8, 0);
  setting.workload.engine = EngineKind::cpu;
  setting.workload.network = "train.py";
  setting.workload.batch = 4;
  const auto reading = with_program_reading(model, setting.workload);
  CHECK(rate_with(reading, setting) == test::approx(8 / 0.08).epsilon(0.01));
  setting.memory_bytes = 0;
  setting.disk.bytes_per_s = 5e6;  // of 100 kB an item
  CHECK(rate_with(reading, setting) == test::approx(50).epsilon(0.02));
}
