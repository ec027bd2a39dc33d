// The whole way once: a dataset on the disk, the real loader, a real engine, limits, a record.
#include <doctest/doctest.h>

#include "kernels/data/generate.h"
#include "profiler/measure/runner.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

RunOptions real_options() {
  RunOptions options;
  options.executable = RIGHTSIZE_PROBE;
  options.arguments = {"real"};
  return options;
}

RunSpec quick_spec() {
  RunSpec spec;
  spec.workload.batch = 8;
  spec.stop.window_s = 0.2;
  spec.stop.max_warmup_s = 0.5;
  spec.stop.min_s = 1;
  spec.stop.max_s = 3;
  return spec;
}

bool has_numbers(const Record& record) {
  CAPTURE(record.reason);
  CHECK((record.status == Status::measured || record.status == Status::untrusted));
  CHECK(record.throughput.median > 0);
  CHECK(record.throughput.low <= record.throughput.median);
  CHECK(record.throughput.high >= record.throughput.median);
  CHECK(record.cpu_s_per_item > 0);
  return record.throughput.median > 0;
}

}  // namespace

TEST_CASE("real work: the CPU engine trains on a synthetic batch") {
  auto spec = quick_spec();
  spec.workload.network = "alexnet";
  const auto record = run_one(spec, real_options());
  REQUIRE(has_numbers(record));
  CHECK(record.first_loss.has_value());
  CHECK(record.engine_memory_bytes > 0);
  CHECK_FALSE(record.software.empty());
  CHECK(record.peak_rss_bytes > 0);
  CHECK_FALSE(record.timeline.empty());
}

TEST_CASE("real work: replay drives the data path of every format, then JPEGs are preprocessed") {
  const TemporaryFolder folder;
  GenerateOptions options;
  options.directory = folder.path();
  options.items = 64;
  const auto made = generate_imagenet_like(options);
  CHECK(made.items == 64);
  auto spec = quick_spec();
  spec.workload.engine = EngineKind::replay;
  spec.workload.replay_items_per_s = 1000;
  spec.workload.network = "alexnet";
  const std::pair<DataFormat, const char*> formats[] = {{DataFormat::jpeg, "/jpeg"},
                                                        {DataFormat::recordio, "/train.rec"},
                                                        {DataFormat::lmdb, "/train.lmdb"}};
  for (const auto& [format, name] : formats) {
    spec.workload.data = format;
    spec.workload.data_path = folder.path() + name;
    const auto record = run_one(spec, real_options());
    CAPTURE(name);
    REQUIRE(has_numbers(record));
    CHECK(record.dataset_items == 64);
    CHECK(record.bytes_requested > 0);
    CHECK(record.throughput.median <= 1000 * 1.05);
    CHECK(record.loader_threads > 0);
    CHECK((record.stages.decode > 0) == (format != DataFormat::lmdb));
    CHECK(record.cold_items_per_s.has_value());
  }
  spec.workload.phase = Phase::preprocess;
  spec.workload.data = DataFormat::jpeg;
  spec.workload.data_path = folder.path() + "/jpeg";
  const auto record = run_one(spec, real_options());
  REQUIRE(has_numbers(record));
  CHECK(record.stages.write > 0);
  CHECK(record.disk_written_bytes > 0);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(entry.path().extension() != ".out");  // what was written is gone
  }
}

TEST_CASE("real work: a network nobody knows fails with the nearest name") {
  auto spec = quick_spec();
  spec.workload.network = "alexnett";
  const auto record = run_one(spec, real_options());
  CHECK(record.status == Status::failed);
  CHECK(record.reason.find("alexnet") != std::string::npos);
}
