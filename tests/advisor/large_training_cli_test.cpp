// FP8, sequences that GPUs share and interleaved stages, as users ask for them and see them.
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::rate;
using test::Words;
namespace json = boost::json;

namespace {

const std::string eight_nodes = "gpu=H100:8,link=nvlink,nodes=8,net=ib:3200";

json::value answer(const std::string& network, const std::string& machine, Words more) {
  more.insert(more.end(), {"--precision", "bf16", "--framework", "NeMo"});
  return test::predicted_step(network, machine, more);
}

void refused(const std::string& network, const Words& more, const std::string& reason) {
  const auto* sequence = network == "resnet50" ? "0" : "2048";
  const auto result = test::predict_step(network, "gpu=H100:8,link=nvlink", more, sequence);
  CAPTURE(result.out);
  CAPTURE(result.err);
  CHECK((result.out + result.err).find(reason) != std::string::npos);
}

}  // namespace

TEST_CASE("large training: flags, job file and row of a table say the same") {
  const Words flags{"--batch", "2", "--tensor-parallel", "4", "--pipeline-parallel", "4"};
  auto more = flags;
  more.insert(more.end(), {"--context-parallel", "2", "--virtual-pipeline", "5"});
  const auto by_flag = answer("llama-70b", eight_nodes, more);
  CHECK(by_flag.at("context_parallel") == 2);
  CHECK(by_flag.at("virtual_pipeline") == 5);
  const auto by_file = test::predicted_job(
      "network = \"llama-70b\"\nprecision = \"bf16\"\nsequence = 2048\nbatch_per_gpu = 2\n"
      "tensor_parallel = 4\npipeline_parallel = 4\ncontext_parallel = 2\nvirtual_pipeline = 5\n"
      "framework = \"NeMo\"\n",
      eight_nodes);
  CHECK(rate(by_file) == test::approx(rate(by_flag)));
  CHECK(test::rate_of_row(
            "network,precision,sequence,batch,gpu,gpus,nodes,interconnect,framework,tp,pp,cp,vp",
            "llama-70b,bf16,2048,2,H100,64,8,NVLink; IB 3200,NeMo,4,4,2,5") ==
        test::approx(rate(by_flag)));
}

TEST_CASE("large training: stages are interleaved where that is faster, unless it is forbidden") {
  Words more{"--global-batch", "64", "--tensor-parallel", "8", "--pipeline-parallel", "4"};
  const auto tried = answer("llama-70b", eight_nodes, more);
  CHECK(tried.at("virtual_pipeline").as_int64() > 1);
  more.insert(more.end(), {"--virtual-pipeline", "1"});
  const auto plain = answer("llama-70b", eight_nodes, more);
  CHECK(plain.at("virtual_pipeline") == 1);
  CHECK(rate(tried) > rate(plain));
}

TEST_CASE("large training: fp8 is told, and said where it is not to be had") {
  const Words eight{"--batch", "1", "--precision", "fp8"};
  const auto narrow = test::predicted_step("llama-8b", "gpu=H100:8,link=nvlink", eight);
  const auto wide = test::predicted_step(
      "llama-8b", "gpu=H100:8,link=nvlink", {"--batch", "1", "--precision", "bf16"});
  CHECK(narrow.at("precision") == "fp8");
  CHECK(rate(narrow) > 1.1 * rate(wide));
  const auto older = test::predict_step("llama-8b", "gpu=A100-80GB:8,link=nvlink", eight);
  CHECK(older.out.find("has no fp8: it computes in bf16") != std::string::npos);
  refused("resnet50", {"--batch", "8", "--precision", "fp8"}, "fp8 is of the linear layers");
  refused("llama-8b", {"--phase", "infer", "--precision", "fp8"}, "fp8 is of training");
  refused("llama-8b",
          {"--batch", "1", "--precision", "fp8", "--adapter", "qlora:16"},
          "widened to 16 bits for its products");
  refused("llama-8b",
          {"--batch", "1", "--precision", "fp8", "--measured", "A100-80GB=2"},
          "has no fp8, in which");
}

TEST_CASE("large training: no CPU takes a job in fp8, and none that is no language model is done") {
  const TemporaryFolder folder;
  for (const auto* network : {"resnet50", "llama-160m"}) {
    std::ofstream(folder / "job.toml") << "[job]\nnetwork = \"" << network
                                       << "\"\nprecision = \"fp8\"\nepochs = 1\n"
                                          "[data]\nitems = 100000\nbytes = \"1GB\"\n";
    const auto result = test::run_without_model({"advise", folder / "job.toml", "-o", "json"});
    CAPTURE(network);
    CAPTURE(result.out);
    if (std::string(network) == "resnet50") {
      CHECK(result.code == cli::exit_usage);
      CHECK(result.err.find("job.toml:3:13: job.precision: expected bf16; fp8 is of the linear "
                            "layers") != std::string::npos);
    } else {
      const auto answer = json::parse(result.out);
      CHECK_FALSE(answer.at("chosen").at("gpu").is_null());
    }
  }
  std::ofstream(folder / "rows.csv") << "network,precision,batch,vcpus\nresnet50,fp8,1,32\n";
  const auto rows =
      test::run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "csv"});
  CHECK(rows.out.find("fp8 is of GPUs") != std::string::npos);
}

TEST_CASE("large training: what cannot be shared is refused with what would do") {
  const Words narrow{"--precision", "bf16", "--global-batch", "12"};
  const auto with = [&](Words more) {
    more.insert(more.end(), narrow.begin(), narrow.end());
    return more;
  };
  refused("llama-8b", with({"--virtual-pipeline", "2"}), "pipeline_parallel above 1");
  refused("llama-8b",
          with({"--pipeline-parallel", "8", "--virtual-pipeline", "2"}),
          "12 items that a copy takes in a step are no multiple of the 8 stages");
  refused("llama-8b",
          {"--precision",
           "bf16",
           "--global-batch",
           "16",
           "--pipeline-parallel",
           "4",
           "--virtual-pipeline",
           "9"},
          "4 stages of 32 blocks have 8 parts at most");
  refused("llama-8b", with({"--context-parallel", "3"}), "no whole number of copies");
  refused("llama-8b",
          {"--precision", "bf16", "--batch", "1", "--context-parallel", "3"},
          "has 3 GPUs share a copy: ask for a multiple of that many GPUs");
  refused("resnet50", {"--batch", "8", "--context-parallel", "2"}, "no transformer");
}

// The usual way to train on long sequences: FSDP over all that share sequences too.
TEST_CASE("large training: GPUs that share sequences divide the parameters where that is needed") {
  const std::string machine = "gpu=H100:8,link=nvlink,nodes=16,net=ib:3200";
  const Words shared{"--batch", "1", "--context-parallel", "2"};
  const auto unsaid = answer("llama-70b", machine, shared);
  CHECK(unsaid.at("sharded").as_bool());
  CHECK(unsaid.at("context_parallel") == 2);
  auto more = shared;
  more.insert(more.end(), {"--exchange", "sharded"});
  CHECK(rate(answer("llama-70b", machine, more)) == rate(unsaid));
  more.back() = "nccl";
  more.insert(more.end(), {"--precision", "bf16", "--framework", "NeMo"});
  const auto whole = test::predict_step("llama-70b", machine, more);
  CAPTURE(whole.out);
  CHECK(whole.out.find("GPU memory too small") != std::string::npos);
  CHECK(whole.out.find("--exchange sharded fits") != std::string::npos);
}

// torchtitan's table of Llama 3.1 8B on eight H100 of 96 GB, one sequence for each two, four or
// eight of them: FP8, blocks run again, 84 GiB in use (tests/models/sharded_copies_test.cpp).
TEST_CASE("large training: what torchtitan trained on 65,536 tokens and more is answered") {
  const auto tokens_per_s = [](int length, const char* context) {
    const auto told = test::predicted_step("llama-8b",
                                           "gpu=H100:8,link=nvlink",
                                           {"--precision",
                                            "fp8",
                                            "--batch",
                                            "1",
                                            "--context-parallel",
                                            context,
                                            "--exchange",
                                            "sharded",
                                            "--recompute",
                                            "true",
                                            "--framework",
                                            "torchtitan"},
                                           std::to_string(length));
    CHECK(told.at("sharded").as_bool());
    return rate(told) * length / 8;
  };
  CHECK(tokens_per_s(65'536, "2") == test::approx(2540).epsilon(0.35));
  CHECK(tokens_per_s(131'072, "4") == test::approx(1071).epsilon(0.6));
}
