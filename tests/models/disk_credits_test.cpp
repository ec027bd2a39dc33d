#include "models/disk_credits.h"

#include <doctest/doctest.h>

#include "models/model.h"
#include "models/simulate/pipeline.h"
#include "support/approx.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

// A tiny item each, so that requests are what limits: gp2 of 100 GiB earns 300 a second, gives
// 3000, and has 5.4 million saved up.
Setting on_gp2() {
  Setting setting;
  setting.workload.network = "resnet50";
  setting.workload.phase = Phase::train;
  setting.workload.data = DataFormat::recordio;
  setting.cpus = 64;
  setting.accelerator_items_per_s = 1e6;
  setting.memory_bytes = 1ULL << 30;
  setting.dataset_items = 100'000'000;
  setting.dataset_bytes = 100'000'000'000;  // 1 kB each: as good as nothing is cached
  setting.disk = {128e6, 300, 0, 0, 3000, 5.4e6};
  setting.loader_threads = 64;
  return setting;
}

Laws laws_without_cpu() {
  auto laws = laws_of(test::made_model(), on_gp2().workload);
  laws.data_cpu_s = 0;
  laws.disk.read_latency_s = 0;
  laws.sharpness = 1e3;  // the plain minimum
  return laws;
}

}  // namespace

// The burst gives 2700 a second more than is earned, so the credits last 5.4e6 / 2700 = 2000 s, in
// which 6 million items are read; what comes after takes 1 / 300 s each.
TEST_CASE("credits: items inside the burst go at its rate, those beyond at what is earned") {
  const auto laws = laws_without_cpu();
  const auto setting = on_gp2();
  CHECK(seconds_on_credit(laws, setting, 3e6, 1) == test::approx(1000).epsilon(0.01));
  CHECK(seconds_on_credit(laws, setting, 6e6, 1) == test::approx(2000).epsilon(0.01));
  // (9e6 - 5.4e6) / 300 = 12,000 s: everything that was saved up, and 300 a second.
  CHECK(seconds_on_credit(laws, setting, 9e6, 1) == test::approx(12000).epsilon(0.01));
}

TEST_CASE("credits: what is left after a while, and never less than nothing") {
  const DiskSpeed gp2{128e6, 300, 0, 0, 3000, 5.4e6};
  CHECK(left_after(gp2, 1000, 3e6).io_credits == test::approx(2.7e6));
  CHECK(left_after(gp2, 2000, 6e6).io_credits == 0);
  CHECK(left_after(gp2, 1000, 300e3).io_credits == 5.4e6);  // what it earns costs nothing
  CHECK(left_after(gp2, 1000, 0).io_credits == 5.4e6);      // and there is no more than a bucket
  CHECK(left_after(gp2, 1000, 3e6).iops == 300);
}

// An accelerator of 1000 items a second spends 700 credits of the 2700 that it could: 3 million
// items leave 5.4e6 - 3000 s x 700 = 3.3 million, and 9 million more go at its pace for 4714 s,
// then at 300.
TEST_CASE("credits: what an accelerator does not ask for is not spent") {
  const auto laws = laws_without_cpu();
  auto setting = on_gp2();
  setting.accelerator_items_per_s = 1000;
  const auto epochs = epochs_on_credit(laws, setting, 3e6, 9e6);
  CHECK(epochs.first_s == test::approx(3000).epsilon(0.01));
  const double later_s = (9e6 - 3.3e6) / 300;
  CHECK(epochs.later.iops == test::approx(9e6 / later_s).epsilon(0.02));
}

TEST_CASE("credits: an averaged disk, the burst and what is for ever have no credits left") {
  const DiskSpeed gp2{128e6, 300, 0, 0, 3000, 5.4e6};
  for (const auto& [disk, iops] : {std::pair(averaged(gp2, 10'000), 840.0),
                                   std::pair(at_burst(gp2), 3000.0),
                                   std::pair(sustained(gp2), 300.0)}) {
    CHECK(disk.iops == test::approx(iops));
    CHECK_FALSE(bursts(disk));
    CHECK(disk.io_credits == 0);
  }
  CHECK(bursts(gp2));
}

// Four jobs: inside the burst, beyond it, one that an accelerator holds back, and one epoch only.
TEST_CASE("credits: the job played minibatch by minibatch takes the time of the closed form") {
  const Predictor predictor(test::made_model(), on_gp2().workload);
  struct Case {
    double accelerator;
    JobLength length;
  };
  for (const auto& [accelerator, length] :
       {Case{1e5, {2e6, 2}}, Case{1e5, {3e6, 4}}, Case{1000, {3e6, 4}}, Case{1e5, {9e6, 1}}}) {
    auto setting = on_gp2();
    setting.workload.batch = 1000;
    setting.accelerator_items_per_s = accelerator;
    setting.dataset_items = static_cast<std::uint64_t>(length.items);
    setting.dataset_bytes = 1000 * setting.dataset_items;
    setting.memory_bytes = 0;
    const auto job = predict_job(predictor, setting, {}, length);
    CHECK(job.on_credit);
    const auto played = simulate_job(predictor.laws(), setting, {}, length);
    CHECK(played.first_s + played.later_s ==
          test::approx(job_seconds(job.prediction, length)).epsilon(0.03));
    CHECK(played.first_s ==
          test::approx(length.first_items() / job.prediction.cold_items_per_s).epsilon(0.03));
    CHECK(played.items == static_cast<std::uint64_t>(length.items * length.epochs));
  }
}

// Of a disk that does not burst, with memory for all the data.
TEST_CASE("job time: what memory holds helps from the second epoch on, and one epoch never") {
  const Predictor predictor(test::made_model(), on_gp2().workload);
  auto setting = on_gp2();
  setting.disk = {1e6, 0, 0, 0, 0, 0};
  setting.memory_bytes = 1ULL << 40;
  setting.resident_bytes = 1ULL << 30;
  const auto of_epochs = [&](double epochs) {
    return predict_job(predictor, setting, {}, {1e6, epochs}).prediction;
  };
  const auto once = of_epochs(1);
  const auto often = of_epochs(3);
  CHECK(often.hit_ratio == 1);
  CHECK(often.items_per_s > 2 * often.cold_items_per_s);
  CHECK(once.hit_ratio == 0);
  CHECK(once.items_per_s == test::approx(often.cold_items_per_s));
  CHECK(once.cold_items_per_s == test::approx(often.cold_items_per_s));
  CHECK(once.limited_by == Bound::disk);
  CHECK(of_epochs(0.5).items_per_s == test::approx(once.items_per_s));
}

// A first epoch of 3 million items spends half the credits in 1000 s; 6 million more items have
// the other 2.7 million and 300 a second: (6e6 - 2.7e6) / 300 = 11,000 s, 545 a second.
TEST_CASE("credits: later epochs find what the first one left") {
  const auto laws = laws_without_cpu();
  const auto epochs = epochs_on_credit(laws, on_gp2(), 3e6, 6e6);
  CHECK(epochs.first_s == test::approx(1000).epsilon(0.01));
  CHECK(epochs.later.iops == test::approx(6e6 / 11000).epsilon(0.02));
  const auto only = epochs_on_credit(laws, on_gp2(), 9e6, 0);
  CHECK(only.first_s == test::approx(12000).epsilon(0.01));
  CHECK(only.later.iops == test::approx(9e6 / 12000).epsilon(0.01));
}
