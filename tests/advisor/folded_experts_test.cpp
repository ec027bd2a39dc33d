// Experts that fewer GPUs share than the other layers, as users ask for it and see it.
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/recommendation_file.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::rate;
using test::Words;
namespace json = boost::json;

namespace {

constexpr const char* qwen = "qwen3-235b-a22b";
const std::string machines = "gpu=H100:8,link=nvlink,nodes=32,net=ib:3200";

// 235 billion parameters on 256 H100, as NVIDIA and Megatron's own authors train them: two GPUs
// share a layer, eight stages, of each stage's 32 GPUs every one has 4 of 128 experts.
Words as_published(Words more) {
  Words words{"--precision",
              "bf16",
              "--tensor-parallel",
              "2",
              "--pipeline-parallel",
              "8",
              "--expert-parallel",
              "32",
              "--global-batch",
              "2048"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("folded experts: what too few GPUs refuse names the key, and runs with it") {
  const auto refused = test::predict_step(qwen, machines, as_published({}));
  CHECK(refused.code == cli::exit_nothing_satisfies);
  CHECK(holds(refused.out,
              "expert_parallel = 32 takes 512 GPUs: ask for as many, or leave it out; with "
              "expert_tensor_parallel = 1 it takes 256"));
  const auto found =
      test::predict_step(qwen, machines, as_published({"--expert-tensor-parallel", "1"}), "4096");
  REQUIRE(found.code == cli::exit_ok);
  CHECK(holds(found.out, "experts divided by 32 GPUs of a stage"));
  CHECK(holds(found.out, "each expert whole on a GPU"));
  const auto document =
      test::predicted_step(qwen, machines, as_published({"--expert-tensor-parallel", "1"}), "4096");
  CHECK(document.at("expert_parallel") == 32);
  CHECK(document.at("expert_tensor_parallel") == 1);
  CHECK(document.at("sharded") == false);
  // Where nothing is gained nothing is named.
  const auto small =
      test::predict_step("mixtral-8x7b",
                         "gpu=H100",
                         {"--precision", "bf16", "--batch", "1", "--expert-parallel", "8"});
  CHECK_FALSE(holds(small.out, "expert_tensor_parallel"));
}

TEST_CASE("folded experts: flag, job file and row of a table say the same") {
  const std::string machine = "gpu=H200:8,link=nvlink";
  const auto by_flag = test::predicted_step("mixtral-8x7b",
                                            machine,
                                            {"--precision",
                                             "bf16",
                                             "--batch",
                                             "2",
                                             "--tensor-parallel",
                                             "2",
                                             "--expert-parallel",
                                             "8",
                                             "--expert-tensor-parallel",
                                             "1",
                                             "--framework",
                                             "PyTorch"});
  const auto by_file = test::predicted_job(
      "network = \"mixtral-8x7b\"\nprecision = \"bf16\"\nsequence = 2048\nbatch_per_gpu = 2\n"
      "tensor_parallel = 2\nexpert_parallel = 8\nexpert_tensor_parallel = 1\n"
      "framework = \"PyTorch\"\n",
      machine);
  CHECK(rate(by_file) == test::approx(rate(by_flag)));
  CHECK(test::rate_of_row("network,precision,sequence,batch,gpu,gpus,interconnect,framework,tp,ep,"
                          "expert_tensor_parallel_size",
                          "mixtral-8x7b,bf16,2048,2,H200,8,NVLink,PyTorch,2,8,1") ==
        test::approx(rate(by_flag)));
}

TEST_CASE("folded experts: as many as share the layers is what is meant without") {
  const std::string machine = "gpu=H200:8,link=nvlink,nodes=4,net=ib:3200";
  const Words asked{
      "--precision", "bf16", "--batch", "2", "--tensor-parallel", "2", "--expert-parallel", "8"};
  auto said = asked;
  said.insert(said.end(), {"--expert-tensor-parallel", "2"});
  const auto unsaid = test::predicted_step("mixtral-8x7b", machine, asked);
  CHECK(rate(test::predicted_step("mixtral-8x7b", machine, said)) == rate(unsaid));
  CHECK(unsaid.at("expert_tensor_parallel") == 2);
}

TEST_CASE("folded experts: what does not go together is refused") {
  const auto refused = [](const std::string& network, Words more) {
    more.insert(more.end(), {"--precision", "bf16", "--batch", "2"});
    const auto result =
        test::predict_step(network, "gpu=H200:8,link=nvlink,nodes=4,net=ib:3200", more);
    CHECK(result.code != cli::exit_ok);
    return result.out + result.err;
  };
  CHECK(holds(refused("llama-8b", {"--tensor-parallel", "2", "--expert-tensor-parallel", "1"}),
              "is no mixture of experts"));
  CHECK(holds(refused("mixtral-8x7b", {"--tensor-parallel", "2", "--expert-tensor-parallel", "4"}),
              "a number that divides the 2 of tensor_parallel, as 1 does"));
  CHECK(holds(refused("mixtral-8x7b", {"--phase", "infer", "--expert-tensor-parallel", "1"}),
              "phase train, of which alone it is said"));
  CHECK(holds(refused("mixtral-8x7b",
                      {"--tensor-parallel",
                       "2",
                       "--expert-parallel",
                       "8",
                       "--expert-tensor-parallel",
                       "1",
                       "--exchange",
                       "sharded"}),
              "leave the exchange sharded out"));
  CHECK(holds(
      refused(
          "mixtral-8x7b",
          {"--tensor-parallel", "2", "--expert-parallel", "16", "--expert-tensor-parallel", "1"}),
      "has to divide the experts of every layer and the 32 GPUs of a stage, in one machine "
      "or by whole ones: 2 or 4 or 8 would do"));
}

TEST_CASE(
    "folded experts: a job says it in its answer, its file, its artifacts and a supposition") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"mixtral-8x7b\"\nprecision = \"bf16\"\nsequence = 2048\n"
         "batch_per_gpu = 2\ntensor_parallel = 2\nexpert_parallel = 8\n"
         "expert_tensor_parallel = 1\nepochs = 1\n[data]\nitems = 1000\nbytes = \"1MB\"\n"
         "[constraints]\nnodes_max = 4\n";
  const auto asked = [&](const std::string& command, const Words& more) {
    Words words{command, folder / "job.toml"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--infra", "aws/us-east-1", "--allow", "^p5.48xlarge$"});
    const auto result = test::run_without_model(words);
    CAPTURE(result.out);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return result.out;
  };
  const auto answer = asked("advise", {"-o", "json"});
  CHECK(json::parse(answer).at("query").at("expert_tensor_parallel") == 1);
  CHECK(read_recommendation(answer, "answer.json").query.expert_tensor_parallel == 1);
  CHECK(holds(asked("explain", {}), "experts divided by 8, each expert whole"));
  CHECK(holds(answer, "expert_tensor_parallel: 1 of the 2 GPUs"));
  CHECK(holds(asked("export", {"--to", "slurm"}), "export EXPERT_TENSOR_PARALLEL=1\n"));
  CHECK(json::parse(asked("export", {"--to", "terraform"})).at("expert_tensor_parallel") == 1);
  CHECK(holds(asked("what-if", {"expert-tensor-parallel=2"}), "expert-tensor-parallel=2"));
}
