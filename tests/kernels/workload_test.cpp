#include "kernels/workload.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("workload: JSON round trip keeps every field") {
  Workload workload;
  workload.phase = Phase::infer;
  workload.network = "alexnet";
  workload.precision = Precision::bf16;
  workload.engine = EngineKind::replay;
  workload.batch = 7;
  workload.replay_items_per_s = 123.5;
  workload.data = DataFormat::recordio;
  workload.data_path = "/data/train.rec";
  workload.shuffle = false;
  workload.loader_threads = 3;
  workload.prefetch_batches = 9;
  workload.preprocess_on = PreprocessOn::gpu;
  workload.output = DataFormat::recordio;
  CHECK(workload_from_json(to_json(workload)) == workload);
}

TEST_CASE("workload: a figure that is none is named with its field") {
  auto object = to_json(Workload{});
  object["batch"] = 2.5;
  CHECK_THROWS_WITH_AS(static_cast<void>(workload_from_json(object)),
                       "workload.batch: expected a whole number in range, saw 2.5E0",
                       std::runtime_error);
  object.erase("batch");
  CHECK_THROWS_WITH_AS(static_cast<void>(workload_from_json(object)),
                       "workload.batch: expected a whole number in range, which is missing",
                       std::runtime_error);
}

TEST_CASE("workload: a word this version does not know is named with its field") {
  auto object = to_json(Workload{});
  object["phase"] = "dream";
  CHECK_THROWS_WITH(static_cast<void>(workload_from_json(object)),
                    doctest::Contains("workload.phase = \"dream\""));
}
