// How GPUs share a step, in the words of every answer.
#include <doctest/doctest.h>

#include "advisor/export/exporter.h"
#include "advisor/full_name.h"
#include "made_option.h"

using namespace rightsize;

namespace {

Option shared() {
  auto option = test::made_option("p5.48xlarge", "H100", 192, 2048);
  option.gpus = 8;
  option.nodes = 2;
  option.tensor_parallel = 8;
  option.pipeline_parallel = 2;
  option.micro_batch = 1;
  option.recompute = true;
  return option;
}

}  // namespace

TEST_CASE("split: what GPUs share is said as they do, and nothing of those that have all") {
  CHECK(split_words(shared()) ==
        "8 share every layer, 2 stages, micro-batches of 1, blocks recomputed");
  auto option = shared();
  option.tensor_parallel = option.pipeline_parallel = 1;
  option.micro_batch = 0;
  option.recompute = false;
  CHECK(split_words(option).empty());
  option.sharded = true;
  CHECK(split_words(option) == "parameters sharded");
  option.sharded = false;
  option.tensor_parallel = 4;  // of decode, whose copies are said with the batch
  CHECK(split_words(option).empty());
}

TEST_CASE("split: scripts say it at their top") {
  Recommendation answer;
  answer.query.network = "llama-70b";
  answer.chosen = shared();
  CHECK(write_slurm(answer, *answer.chosen).find("8 share every layer, 2 stages") !=
        std::string::npos);
}
