// What a setting's bounds work out anew where little differs, against all worked out anew.
#include "models/setting_bounds.h"

#include <algorithm>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include "models/fit.h"
#include "models/made_runs.h"
#include "models/predict.h"

using namespace rightsize;
using test::made_records;
using test::record_under;

namespace {

Workload workload_of(EngineKind engine, Phase phase, DataFormat data) {
  Workload workload;
  workload.engine = engine;
  workload.phase = phase;
  workload.data = data;
  workload.replay_items_per_s = 1000;
  return workload;
}

// Data that the page cache holds in part and whole, on GPUs and on CPUs, and none.
std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const auto& workload : {workload_of(EngineKind::replay, Phase::train, DataFormat::recordio),
                               workload_of(EngineKind::cpu, Phase::train, DataFormat::recordio),
                               workload_of(EngineKind::cpu, Phase::train, DataFormat::synthetic),
                               workload_of(EngineKind::cpu, Phase::preprocess, DataFormat::jpeg)}) {
    for (const std::uint64_t memory : {std::uint64_t{60} << 20, std::uint64_t{4} << 30}) {
      auto setting = setting_of(record_under(1.5, memory, 50e6, workload));
      setting.disk.iops = 500;
      setting.disk_write_bytes_per_s = 40e6;
      setting.copy_before_step = true;
      all.push_back(setting);
    }
  }
  return all;
}

Laws some_laws() {
  const auto model = fit(made_records(0.02, 8)).model;
  auto laws = laws_of(model, workload_of(EngineKind::replay, Phase::train, DataFormat::recordio));
  laws.compute = {0.5, 0.01};
  laws.serial_cpu_s = laws.data_cpu_s / 10;
  laws.picture_bytes = 110e3;
  laws.read_cpu_s_per_byte = 1e-9;
  return laws;
}

using Change = std::function<void(Laws&)>;
const std::vector<Change> changes{[](Laws& l) { l.compute.fixed_s *= 1.1; },
                                  [](Laws& l) { l.compute.per_item_s *= 1.1; },
                                  [](Laws& l) { l.data_cpu_s *= 1.1; },
                                  [](Laws& l) { l.picture_bytes *= 1.1; },
                                  [](Laws& l) { l.serial_cpu_s *= 1.1; },
                                  [](Laws& l) { l.read_cpu_s_per_byte *= 1.1; },
                                  [](Laws& l) { l.copy_s += 1e-5; },
                                  [](Laws& l) { l.scaling.contention += 0.1; },
                                  [](Laws& l) { l.scaling.coherency += 0.1; },
                                  [](Laws& l) { l.scaling.measured_cpus = 1; },
                                  [](Laws& l) { l.scaling.beyond += 0.1; },
                                  [](Laws& l) { l.scaling.quota_loss += 0.1; },
                                  [](Laws& l) { l.scaling.most_used = 1; },
                                  [](Laws& l) { l.scaling.seen_cpus = 1; },
                                  [](Laws& l) { l.fixed_scaling.contention += 0.1; },
                                  [](Laws& l) { l.disk.efficiency *= 0.9; },
                                  [](Laws& l) { l.disk.read_latency_s += 1e-4; },
                                  [](Laws& l) { l.disk.amplification *= 1.1; },
                                  [](Laws& l) { l.native_disk.bytes_per_s *= 1.1; },
                                  [](Laws& l) { l.native_disk.latency_s += 1e-4; },
                                  [](Laws& l) { l.cache.protection *= 0.9; },
                                  [](Laws& l) { l.sharpness += 1; }};

}  // namespace

TEST_CASE("setting bounds: other laws give what they give anew, whatever differs") {
  const auto laws = some_laws();
  std::vector<bool> felt(changes.size());
  for (const auto& setting : settings()) {
    const SettingBounds at(laws, setting);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      CAPTURE(i);
      auto other = laws;
      changes[i](other);
      const auto anew = SettingBounds(other, setting).bounds().items_per_s;
      CHECK(at.under(other, difference(laws, other)).items_per_s == anew);
      felt[i] = felt[i] || anew != at.bounds().items_per_s;
    }
    auto every = laws;
    for (const auto& change : changes) {
      change(every);
    }
    CHECK(at.under(every, difference(laws, every)).items_per_s ==
          SettingBounds(every, setting).bounds().items_per_s);
  }
  // All but contention beyond the vCPUs measured and those seen, which so few do not reach, the
  // measured disk's wait, which a law of its own has, and the sharpness, which is of no bound.
  CHECK(std::count(felt.begin(), felt.end(), true) == 18);
}

TEST_CASE("setting bounds: the same setting otherwise is that setting anew") {
  const auto laws = some_laws();
  for (const auto& setting : settings()) {
    const SettingBounds at(laws, setting);
    auto other = setting;
    other.cpu_speed *= 1.3;
    CHECK(at.with_cpu_speed(other.cpu_speed).items_per_s == bounds_of(laws, other).items_per_s);
    other = setting;
    other.disk.bytes_per_s *= 3;
    other.disk.iops *= 0.2;
    CHECK(at.with_disk(other.disk).items_per_s == bounds_of(laws, other).items_per_s);
    if (setting.accelerator_items_per_s > 0) {
      other = setting;
      other.accelerator_items_per_s *= 0.7;
      CHECK(at.with_accelerator(other.accelerator_items_per_s).items_per_s ==
            bounds_of(laws, other).items_per_s);
    }
    for (const double miss : {0.0, 0.5, 1.0}) {
      CHECK(at.with_miss(miss).items_per_s == bounds_of(laws, setting, miss).items_per_s);
    }
  }
}
