// What an exported training job is told of its update: how many items, and how they are divided.
#include "advisor/update_batch.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "made_option.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Eight machines of eight GPUs, two copies of 8 x 4 GPUs; 64 items an update.
Recommendation trained_in_parts() {
  Recommendation answer;
  answer.query.file = "job.toml";
  answer.query.network = "llama-70b";
  auto option = test::made_option("p4d.24xlarge", "A100", 96, 1152);
  option.nodes = 8;
  option.gpus = 8;
  option.batch_per_gpu = 1;
  option.tensor_parallel = 8;
  option.pipeline_parallel = 4;
  option.micro_batch = 2;
  option.price_per_hour = Money::parse("1.006", "USD");
  answer.chosen = option;
  return answer;
}

}  // namespace

TEST_CASE("update: copies, portions and passes make up the judge's batch") {
  const auto answer = trained_in_parts();
  const auto batch = update_batch(answer.query, *answer.chosen);
  CHECK(batch.copies == 2);
  CHECK(batch.micro_batch == 2);
  CHECK(batch.passes == 16);
  CHECK(batch.global() == 64);  // batch_per_gpu = 1 of 64 GPUs
}

TEST_CASE("update: where every GPU has a copy, minibatches add up") {
  auto answer = trained_in_parts();
  answer.chosen->tensor_parallel = answer.chosen->pipeline_parallel = 1;
  answer.chosen->micro_batch = 0;
  answer.chosen->batch_per_gpu = 4;
  answer.query.accumulate = 3;
  CHECK(update_batch(answer.query, *answer.chosen).global() == 64 * 4 * 3);
  answer.chosen->gpus = 0;  // eight machines without one
  CHECK(update_batch(answer.query, *answer.chosen).global() == 8 * 4 * 3);
}

TEST_CASE("export: GPUs that share layers are told the batch of a portion and of an update") {
  const auto answer = trained_in_parts();
  const auto slurm = write_slurm(answer, *answer.chosen);
  CAPTURE(slurm);
  CHECK(contains(slurm, "export TENSOR_PARALLEL=8\n"));
  CHECK(contains(slurm, "export PIPELINE_PARALLEL=4\n"));
  CHECK(contains(slurm, "export DATA_PARALLEL=2\n"));
  CHECK(contains(slurm, "export DISTRIBUTED_OPTIMIZER=1\n"));
  CHECK(contains(slurm, "export MICRO_BATCH=2\n"));
  CHECK(contains(slurm, "export GRADIENT_ACCUMULATION=16\n"));
  CHECK(contains(slurm, "export GLOBAL_BATCH=64\n"));
  for (auto* write : {&write_skypilot, &write_kubernetes}) {
    const auto text = write(answer, *answer.chosen);
    CHECK(contains(text, "MICRO_BATCH"));
    CHECK(contains(text, "GLOBAL_BATCH"));
  }
  const auto variables = boost::json::parse(write_terraform(answer, *answer.chosen)).as_object();
  CHECK(variables.at("data_parallel").as_int64() == 2);
  CHECK(variables.at("micro_batch").as_int64() == 2);
  CHECK(variables.at("gradient_accumulation").as_int64() == 16);
  CHECK(variables.at("global_batch").as_int64() == 64);
  CHECK(variables.at("distributed_optimizer").as_bool());
}

TEST_CASE("export: one GPU that updates after each batch is told of that batch alone") {
  auto answer = trained_in_parts();
  answer.chosen = test::made_option("g5.xlarge", "A10G", 4, 16);
  answer.chosen->batch_per_gpu = 32;
  answer.chosen->price_per_hour = Money::parse("1.006", "USD");
  const auto alone = write_slurm(answer, *answer.chosen);
  CHECK(contains(alone, "export BATCH_PER_GPU=32\n"));
  CHECK_FALSE(contains(alone, "GLOBAL_BATCH"));
  CHECK_FALSE(contains(alone, "GRADIENT_ACCUMULATION"));
  answer.query.accumulate = 4;
  const auto adding = write_slurm(answer, *answer.chosen);
  CHECK(contains(adding, "export GRADIENT_ACCUMULATION=4\n"));
  CHECK(contains(adding, "export GLOBAL_BATCH=128\n"));
}

TEST_CASE("export: the portion of an update is the one that the answer was judged by") {
  const TemporaryFolder folder;
  const auto job =
      folder.write("job.toml",
                   "[job]\nnetwork = \"llama-70b\"\nphase = \"train\"\nprecision = \"bf16\"\n"
                   "batch_per_gpu = [1]\ntensor_parallel = 8\npipeline_parallel = 4\n"
                   "[data]\nitems = 24414\nformat = \"synthetic\"\n"
                   "[constraints]\nnodes_max = 4\ninfra = [\"aws/*\"]\n");
  const auto advised = test::run_without_model({"advise", job, "-o", "json"});
  REQUIRE(advised.code == cli::exit_ok);
  const auto portion =
      boost::json::parse(advised.out).at("chosen").at("micro_batch").to_number<int>();
  CHECK(portion >= 1);
  const auto script = test::run_without_model({"export", job, "--to", "slurm"});
  CHECK(contains(script.out, fmt::format("export MICRO_BATCH={}\n", portion)));
  CHECK(contains(script.out, "export GLOBAL_BATCH=32\n"));
}
