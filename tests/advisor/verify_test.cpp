#include "advisor/verify.h"

#include <doctest/doctest.h>

#include "right_sizing_world.h"
#include "support/approx.h"
#include "support/made_model.h"

using namespace rightsize;
using rightsize::test::made_model;

namespace {

Machine two_cpus() {
  Machine machine;
  machine.cpus = 2;
  machine.memory_bytes = 24ULL << 30;
  return machine;
}

// Four vCPUs as fast as ours, 16 GiB, a disk of 100 MB/s, 140 GB of RecordIO, a GPU of 400 items/s.
Candidate small_gpu_machine(const Offer& offer) {
  Candidate candidate;
  candidate.offer = &offer;
  auto& setting = candidate.setting;
  setting.workload.engine = EngineKind::replay;
  setting.workload.data = DataFormat::recordio;
  setting.workload.batch = 128;
  setting.cpus = 4;
  setting.memory_bytes = 16ULL << 30;
  setting.resident_bytes = 4ULL << 30;
  setting.disk.bytes_per_s = 100e6;
  setting.dataset_bytes = 140'000'000'000;
  setting.accelerator_items_per_s = 400;
  return candidate;
}

const LocalData sample{"/data/train.rec", 8000, 870'000'000};

}  // namespace

TEST_CASE("verify: the run is the machine at the scale that fits here") {
  const Offer offer;
  const auto run = verification_run(small_gpu_machine(offer), made_model(), sample, two_cpus());
  CHECK(run.scale == 0.5);
  CHECK(run.spec.limits.cpus == 2);
  CHECK(run.spec.limits.disk_read_bytes_per_s == 50e6);
  CHECK(run.spec.workload.replay_items_per_s == 200);
  CHECK(run.spec.workload.data_path == sample.path);
  CHECK(run.setting.accelerator_items_per_s == 200);
  CHECK(run.setting.dataset_bytes == sample.bytes);
}

TEST_CASE("verify: the page cache holds the share of the sample that it would hold of the whole") {
  const Offer offer;
  const auto candidate = small_gpu_machine(offer);
  const auto run = verification_run(candidate, made_model(), sample, two_cpus());
  const double share = 12.0 * (1ULL << 30) / 140e9;
  const auto cache = static_cast<double>(run.spec.limits.memory_bytes) -
                     static_cast<double>(run.setting.resident_bytes);
  CHECK(cache / static_cast<double>(sample.bytes) == test::approx(share).epsilon(0.01));

  auto large = candidate;
  large.setting.memory_bytes = 200ULL << 30;  // all of it fits there, so nothing is limited here
  CHECK(verification_run(large, made_model(), sample, two_cpus()).spec.limits.memory_bytes == 0);
}

TEST_CASE("verify: a run outside the interval fails, one that cannot be trusted says nothing") {
  const Offer offer;
  const auto candidate = small_gpu_machine(offer);
  const auto model = made_model();
  const auto run = verification_run(candidate, model, sample, two_cpus());
  Record record;
  record.status = Status::measured;
  const auto expected = verification_of(run, candidate, model, record).predicted;
  REQUIRE(expected.value > 0);
  record.throughput.median = expected.value;
  CHECK(verification_of(run, candidate, model, record).inside);
  record.throughput.median = 2 * expected.high;
  CHECK_FALSE(verification_of(run, candidate, model, record).inside);
  CHECK(verification_of(run, candidate, model, record).believed);
  record.status = Status::untrusted;
  CHECK_FALSE(verification_of(run, candidate, model, record).believed);
}

TEST_CASE(
    "verify: a run that ended in its first epoch is held against a prediction of first epochs") {
  const Offer offer;
  auto candidate = small_gpu_machine(offer);
  candidate.setting.memory_bytes = 200ULL << 30;  // it holds all the data, once they were read
  candidate.setting.disk.bytes_per_s = 4e6;
  const auto model = made_model();
  const auto run = verification_run(candidate, model, sample, two_cpus());
  Record record;
  record.status = Status::measured;
  record.throughput.median = 2e6 / 108'750;  // what 2 MB/s bring, at some 109 kB an item
  record.epochs = 0;
  const auto cold = verification_of(run, candidate, model, record);
  CHECK(cold.epoch == EpochKind::first);
  CHECK(cold.inside);
  CHECK(cold.first_epoch_s > 400);  // 870 MB at 2 MB/s
  record.epochs = 1;
  record.cold_items_per_s = record.throughput.median;
  record.throughput.median *= 3;  // the windows behind the first epoch's end were faster
  CHECK(verification_of(run, candidate, model, record).measured == *record.cold_items_per_s);
  CHECK(verification_of(run, candidate, model, record).inside);
  record.epochs = 2;
  const auto warm = verification_of(run, candidate, model, record);
  CHECK(warm.epoch == EpochKind::later);
  CHECK(warm.predicted.value > 5 * cold.predicted.value);
  CHECK_FALSE(warm.inside);
}

TEST_CASE("verify: why a run and the answer are apart is said, and not where they agree") {
  const Offer offer;
  auto candidate = small_gpu_machine(offer);
  candidate.setting.disk.bytes_per_s = 1e9;  // the GPU is what it waits for
  const auto model = made_model();
  const auto run = verification_run(candidate, model, sample, two_cpus());
  Record record;
  record.status = Status::measured;
  record.epochs = 2;
  record.throughput.median = 190;
  const auto verdict = verification_of(run, candidate, model, record);
  CHECK(verdict.overlapped > verdict.predicted.value);
  const auto there = verdict.overlapped / run.scale;
  CHECK(why_apart(run, verdict, there, 1).find("what stands for the GPU here copies, then") !=
        std::string::npos);
  CHECK(why_apart(run, verdict, verdict.predicted.value / run.scale, 1).empty());
  CHECK(why_apart(run, verdict, there / 2, 1).find(" % less: vCPUs, memory and batch") !=
        std::string::npos);
  CHECK(why_apart(run, verdict, 2 * there, 2) ==
        "the answer is of 2 machines together, the run of one");
}

TEST_CASE("verify: a CPU machine's run of a network without runs goes by the law of the answer") {
  const auto world =
      test::knowledge_of(test::right_sizing_header,
                         "acme,c.two,2,16,,,here,0.10,USD,x86_64,current,2026-01-01,test\n");
  Query query;
  query.network = "mobilenet-v2";
  query.phase = Phase::infer;
  query.precision = Precision::fp32;
  query.batches = {1};
  query.format = DataFormat::synthetic;
  query.items = 100'000;
  const auto evidence = world.evidence();
  const auto answer = search(query, evidence);
  REQUIRE_FALSE(answer.options.empty());
  const auto candidate = candidate_of(answer.options.front(), query, evidence);
  const auto model = model_of_run(candidate, query, evidence);
  const auto run = verification_run(candidate, model, {}, two_cpus());
  Record record;
  record.status = Status::measured;
  const auto& told = answer.options.front().throughput;
  const auto predicted = verification_of(run, candidate, model, record).predicted;
  CHECK(predicted.value == test::approx(told.value * run.scale).epsilon(0.2));

  // Whatever program the job names, the run is made by our engine.
  query.framework = "PyTorch";
  const auto named = model_of_run(candidate, query, evidence);
  CHECK(verification_of(run, candidate, named, record).predicted.value ==
        test::approx(predicted.value));
}
