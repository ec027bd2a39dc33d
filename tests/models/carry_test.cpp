#include "models/carry.h"

#include <cmath>

#include <doctest/doctest.h>

#include "models/predict.h"
#include "models/seldom_measured.h"
#include "support/approx.h"
#include "support/made_model.h"

using namespace rightsize;

namespace {

Workload reading(DataFormat data, bool shuffle = true) {
  Workload workload;
  workload.engine = EngineKind::replay;
  workload.data = data;
  workload.shuffle = shuffle;
  return workload;
}

}  // namespace

TEST_CASE("carry: formats nobody read cost what their relatives do, and are less certain") {
  const auto model = test::made_model();
  CHECK_THROWS_AS(static_cast<void>(laws_of(model, reading(DataFormat::tfrecord))), ModelError);
  const auto carried = carried_model(model);
  const double recordio = laws_of(carried, reading(DataFormat::recordio)).data_cpu_s;
  for (const auto data : {DataFormat::tfrecord, DataFormat::jpeg}) {
    CHECK(laws_of(carried, reading(data)).data_cpu_s == test::approx(recordio));
  }
  CHECK(laws_of(carried, reading(DataFormat::lmdb, false)).data_cpu_s ==
        test::approx(laws_of(carried, reading(DataFormat::lmdb)).data_cpu_s));
  const auto sd = [&](const char* name) {
    return carried.parameters[static_cast<std::size_t>(carried.index_of(name))].fitted_sd;
  };
  CHECK(sd("cpu_s_per_item/tfrecord") > sd("cpu_s_per_item/recordio"));
}

TEST_CASE("carry: which format stands in for one that nobody read is told") {
  const auto model = test::made_model();
  CHECK(stand_in_format(model, reading(DataFormat::recordio)) == "");
  CHECK(stand_in_format(model, reading(DataFormat::synthetic)) == "");
  CHECK(stand_in_format(model, reading(DataFormat::mnist)) == "");  // related to none
  for (const auto data : {DataFormat::tfrecord, DataFormat::jpeg}) {
    CHECK(stand_in_format(model, reading(data)) == "recordio");
    CHECK(stand_in_format(model, reading(data, false)) == "recordio");
  }
  // Where one is named the carried model has its cost, and where none is it has none either.
  const auto carried = carried_model(model);
  CHECK_NOTHROW(static_cast<void>(laws_of(carried, reading(DataFormat::tfrecord, false))));
  CHECK_THROWS_AS(static_cast<void>(laws_of(carried, reading(DataFormat::mnist))), ModelError);
}

TEST_CASE("carry: data that nobody read costs what another model has, on vCPUs of this speed") {
  auto own = test::made_model();  // of a program alone
  for (const char* name : {"cpu_s_per_item/recordio", "cpu_s_per_item/lmdb"}) {
    own.parameters[static_cast<std::size_t>(own.index_of(name))].name = std::string("x/") + name;
  }
  CHECK_THROWS_AS(static_cast<void>(laws_of(own, reading(DataFormat::recordio))), ModelError);
  CpuSpeed twice;
  twice.factor = 2;
  const auto other = test::made_model();
  const auto completed = with_data_costs_of(other, own, twice);
  CHECK(laws_of(completed, reading(DataFormat::recordio)).data_cpu_s == test::approx(1.1e-3 / 2));
  CHECK(completed.borrowed.size() == 2);
  const auto& added = completed.parameters.back();
  CHECK(added.fitted_sd * completed.interval_factor / normal_90 >= 0.25);
  // What a run read itself, or in a relative, is not replaced.
  CHECK(with_data_costs_of(other, other, twice).borrowed.empty());
  own.parameters[2].name = "cpu_s_per_item/jpeg";
  CHECK(with_data_costs_of(other, own, twice).borrowed ==
        std::set<std::string>{"cpu_s_per_item/lmdb"});
}

TEST_CASE("carry: a cost that was measured whole gets no other model's reading on top") {
  auto other = test::made_model();
  for (const auto* name : {"read_cpu_s_per_byte/recordio", "serial_s_per_item/recordio"}) {
    auto added =
        other.parameters[static_cast<std::size_t>(other.index_of("cpu_s_per_item/recordio"))];
    added.name = name;
    other.parameters.push_back(added);
  }
  const auto own = test::made_model();
  CHECK(with_data_costs_of(other, own, {}).borrowed.empty());
  auto program = own;
  program.parameters[static_cast<std::size_t>(program.index_of("cpu_s_per_item/recordio"))].name =
      "x/recordio";
  program.parameters[static_cast<std::size_t>(program.index_of("cpu_s_per_item/lmdb"))].name =
      "x/lmdb";
  CHECK(with_data_costs_of(other, program, {}).borrowed.size() == 4);
}

TEST_CASE("carry: what a quota loses is not carried to CPUs of another kind") {
  auto model = test::made_model();
  model.parameters[static_cast<std::size_t>(model.index_of("quota_loss"))].value = 0.09;
  const auto loss = [](const Model& m) {
    return m.parameters[static_cast<std::size_t>(m.index_of("quota_loss"))];
  };
  CHECK(loss(carried_model(model)).value == 0.09);
  const auto other = carried_model(model, {.other_cpu = true});
  CHECK(loss(other).value == quota_loss_prior.value);
  CHECK(loss(other).fitted_sd * other.interval_factor / normal_90 ==
        test::approx(quota_loss_prior.log_sd));
}

TEST_CASE("carry: what the runs determined stays as it is") {
  const auto model = test::made_model();
  const auto carried = carried_model(model);
  for (const char* name : {"cpu_s_per_item/recordio", "compute_s_per_item/resnet50/train/fp32"}) {
    const auto at = [&](const Model& m) {
      return m.parameters[static_cast<std::size_t>(m.index_of(name))].value;
    };
    CHECK(at(carried) == at(model));
  }
  CHECK(carried.covariance.size() == carried.parameters.size());
}

TEST_CASE("carry: a compute law that was given predicts, with its own interval") {
  Workload workload;
  workload.network = "vgg16";
  workload.engine = EngineKind::cpu;
  const auto model = carried_model(test::made_model());
  CHECK_FALSE(measured_compute(model, workload));
  const auto completed = with_compute(model, workload, {0, 0.5}, 0.3);
  CHECK(measured_compute(completed, workload));
  Setting setting;
  setting.workload = workload;
  const auto prediction = Predictor(completed, workload).predict(setting);
  CHECK(prediction.items_per_s == test::approx(2).epsilon(0.01));
  CHECK(prediction.log_sd > 0.3);
}

TEST_CASE("carry: a costlier loader costs that much more") {
  const auto workload = reading(DataFormat::recordio);
  const auto model = carried_model(test::made_model());
  const auto dearer = with_data_cost(model, workload, 3, 0.4);
  CHECK(laws_of(dearer, workload).data_cpu_s ==
        test::approx(3 * laws_of(model, workload).data_cpu_s));
}
