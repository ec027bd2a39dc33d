// The whole way once: a dataset on the disk, the real loader, a real engine, limits, a record.
#include <algorithm>

#include <doctest/doctest.h>

#include "kernels/data/generate.h"
#include "profiler/campaign/differential.h"
#include "profiler/measure/runner.h"
#include "profiler/measure/statistics.h"
#include "profiler/serving/arrivals.h"
#include "profiler/serving/latencies.h"
#include "shell_run.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::real_options;

namespace {

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

TEST_CASE("real work: a replayed server's latencies are those of the queue, one by one") {
  auto spec = quick_spec();
  spec.workload.network = "mnist-mlp";  // nothing to copy
  spec.workload.phase = Phase::infer;
  spec.workload.engine = EngineKind::replay;
  spec.workload.replay_items_per_s = 100;
  spec.workload.batch = 1;
  spec.workload.requests = Requests{60, "poisson", 0};
  spec.stop.whole_time = true;
  spec.stop.max_warmup_s = 0.4;
  spec.stop.max_s = 5;
  const auto record = run_one(spec, real_options());
  CAPTURE(record.reason);
  REQUIRE(record.served.has_value());
  CHECK(record.items > least_requests);

  // Lindley's recursion for the same arrivals and 10 ms each, from the first on.
  Arrivals arrivals(*spec.workload.requests, spec.seed);
  std::vector<double> expected;
  double free_s = 0;
  for (double at_s = arrivals.next_s(); at_s < spec.stop.max_s; at_s = arrivals.next_s()) {
    free_s = std::max(free_s, at_s) + 0.01;
    if (free_s > 0.8) {  // roughly behind the warm-up
      expected.push_back(free_s - at_s);
    }
  }
  const auto& served = *record.served;
  MESSAGE("p50 " << 1e3 * served.p50_s << " ms, Lindley " << 1e3 * quantile(expected, 0.5)
                 << " ms; p95 " << 1e3 * served.p95_s << " ms, Lindley "
                 << 1e3 * quantile(expected, 0.95) << " ms");
  // A late wake-up only adds: a millisecond on a quiet machine, a few on a busy one.
  CHECK(served.p50_s > 0.9 * quantile(expected, 0.5));
  CHECK(served.p50_s < quantile(expected, 0.5) + 0.010);
  CHECK(served.p95_s > 0.75 * quantile(expected, 0.95));
  CHECK(served.mean_batch == 1);
  CHECK(served.busy == test::approx(0.6).epsilon(0.25));
  CHECK_FALSE(served.saturated);
  CHECK(record.throughput.median == test::approx(60).epsilon(0.2));
  CHECK_FALSE(is_usable(record));  // its callers' rate, not the machine's
}

TEST_CASE("real work: the three parts of a differential tell the disk from the CPU") {
  const TemporaryFolder folder;
  GenerateOptions options;
  options.directory = folder.path();
  options.items = 400;
  static_cast<void>(generate_imagenet_like(options));
  auto spec = quick_spec();
  spec.workload.engine = EngineKind::replay;
  spec.workload.replay_items_per_s = 2000;
  spec.workload.network = "alexnet";
  spec.workload.data = DataFormat::recordio;
  spec.workload.data_path = folder.path() + "/train.rec";
  spec.limits.disk_read_bytes_per_s = 10e6;
  std::vector<Record> records;
  for (const auto& part : differential_parts(spec, "")) {
    records.push_back(run_one(part, real_options()));
    CAPTURE(records.back().part);
    CAPTURE(records.back().reason);
    CHECK(records.back().throughput.median > 0);
  }
  CHECK(records[1].disk_read_bytes < records[1].bytes_requested / 10);  // it lay in memory
  CHECK(records[2].epochs <= 1);
  const auto stalls = stalls_in(records);
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0].fetch.value > 0.3);  // 10 MB/s are some hundred pictures a second
  CHECK(stalls[0].compute.value + stalls[0].prep.value + stalls[0].fetch.value ==
        test::approx(1).epsilon(0.01));
}
