// What each GPU takes of an update that is said of all of them together.
#include "advisor/candidate/update_share.h"

#include <doctest/doctest.h>

using namespace rightsize;

namespace {

AcceleratorQuery asked(int global_batch, int gpus, int nodes, int batch) {
  AcceleratorQuery query;
  query.network = "llama-8b";
  query.global_batch = global_batch;
  query.gpus_per_node = gpus;
  query.nodes = nodes;
  query.batch = batch;
  return query;
}

}  // namespace

TEST_CASE("update share: minibatches accumulate to what is said, or nearly") {
  auto query = asked(1024, 8, 2, 4);
  share_update(query);
  CHECK(query.accumulate == 16);
  CHECK(why_no_update(query).empty());
  query = asked(1000, 8, 1, 8);  // 16 of 64 are 1024
  share_update(query);
  CHECK(query.accumulate == 16);
  CHECK(why_no_update(query).empty());
  query = asked(0, 8, 2, 4);
  share_update(query);
  CHECK(query.accumulate == 1);
}

TEST_CASE("update share: copies that GPUs share have an even part of it") {
  auto query = asked(128, 8, 8, 1);
  query.tensor_parallel = 4;
  query.pipeline_parallel = 8;
  share_update(query);
  CHECK(query.copy_batch == 64);
  CHECK(items_of_copy(query) == 64);
  CHECK(query.batch == 2);
  CHECK(query.accumulate == 1);
  CHECK(why_no_update(query).empty());
  CHECK(batches_of_update(query, 128) == std::vector<int>{2});
}

TEST_CASE("update share: too many GPUs, and batches that come nowhere near, are refused") {
  auto query = asked(64, 8, 16, 1);
  share_update(query);
  CHECK(why_no_update(query) ==
        "global_batch = 64: fewer items than GPUs, which take one each at the least");
  query = asked(1024, 8, 1, 100);
  share_update(query);
  CHECK(why_no_update(query) ==
        "global_batch = 1024: 8 GPUs that take as many each come to 800 at the nearest");
  query = asked(256, 8, 1, 64);  // 512 at once
  share_update(query);
  CHECK(why_no_update(query).find("come to 512") != std::string::npos);
  query.phase = Phase::infer;
  CHECK(why_no_update(query).empty());
}

TEST_CASE("update share: a GPU's batch divides its share") {
  CHECK(batches_of_update(asked(96, 8, 1, 1), 128) == std::vector<int>{12, 6, 4, 3, 2, 1});
  CHECK(batches_of_update(asked(96, 8, 1, 1), 4) == std::vector<int>{4, 3, 2, 1});
  CHECK(batches_of_update(asked(8, 8, 1, 1), 128) == std::vector<int>{1});
}
