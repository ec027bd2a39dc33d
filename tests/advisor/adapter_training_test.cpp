// Adapters trained alone, and copies of a network that GPUs share, as their user meets them.
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::gib;
using test::rate;
using test::Result;

namespace {

namespace json = boost::json;

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/lora.toml";

std::vector<std::string> in_bf16(std::vector<std::string> more, const std::string& batch) {
  more.insert(more.end(), {"--precision", "bf16", "--batch", batch});
  return more;
}

Result predict(const std::string& machine,
               const std::vector<std::string>& more = {},
               const std::string& batch = "1") {
  return test::predict_step("llama-8b", machine, in_bf16(more, batch));
}

json::value answer(const std::string& machine,
                   const std::vector<std::string>& more,
                   const std::string& batch = "1") {
  return test::predicted_step("llama-8b", machine, in_bf16(more, batch));
}

constexpr const char* one = "gpu=L40S:1";
constexpr const char* eight = "gpu=H100:8,link=nvlink";

}  // namespace

TEST_CASE("adapters: an 8B network is tuned on one GPU that has no room to train it all") {
  CHECK(predict(one).out.find("GPU memory too small") != std::string::npos);
  const auto wide = answer(one, {"--adapter", "lora:16"});
  const auto narrow = answer(one, {"--adapter", "qlora:16"});
  const auto few = answer(one, {"--adapter", "lora:8:q_proj+v_proj"});
  CHECK(gib(wide) > 16);               // the parameters themselves
  CHECK(gib(narrow) < gib(wide) - 7);  // its embedding and head are in FP32
  CHECK(rate(narrow) < rate(wide));
  CHECK(rate(few) > rate(wide));
  const auto said = predict(one, {"--adapter", "lora:16"});
  CHECK(said.out.find("adapters alone are trained (lora:16): about ") != std::string::npos);
}

TEST_CASE("adapters: two GPUs exchange next to nothing, and shared parameters are gathered") {
  const auto alone = answer("gpu=A100-80GB:1", {"--adapter", "lora:16"});
  const auto two = answer("gpu=A100-80GB:2,link=nvlink", {"--adapter", "lora:16"});
  CHECK(rate(two) > 1.9 * rate(alone));
  const auto shared =
      answer("gpu=A100-80GB:2,link=nvlink", {"--adapter", "lora:16", "--exchange", "sharded"});
  CHECK(gib(shared) < gib(two));
}

TEST_CASE("adapters: what takes none says so") {
  const auto words = predict(one, {"--adapter", "lora"});
  CHECK(words.code == cli::exit_usage);
  CHECK(words.err.find("--adapter lora: expected none, lora:RANK or qlora:RANK") !=
        std::string::npos);
  const auto phase = test::run_without_model({"predict",
                                              "--network",
                                              "llama-8b",
                                              "--phase",
                                              "infer",
                                              "--machine",
                                              one,
                                              "--adapter",
                                              "lora:8"});
  CHECK(phase.err.find("adapter: expected phase train") != std::string::npos);
  const auto pictures = test::run_without_model({"predict",
                                                 "--network",
                                                 "resnet50",
                                                 "--phase",
                                                 "train",
                                                 "--machine",
                                                 one,
                                                 "--adapter",
                                                 "lora:8"});
  CHECK(pictures.out.find("resnet50 has no such layers") != std::string::npos);
  const auto mixture = [&](const char* adapters) {
    return test::predict_step(
        "mixtral-8x7b", "gpu=H100:8,link=nvlink", in_bf16({"--adapter", adapters}, "1"));
  };
  const auto experts = mixture("lora:16");
  CHECK_MESSAGE(experts.out.find("as lora:16:q_proj+k_proj+v_proj+o_proj") != std::string::npos,
                experts.out);
  CHECK(mixture("lora:16:q_proj+k_proj+v_proj+o_proj").code == cli::exit_ok);
  const auto cpu = predict("vcpus=16,memory=256GiB", {"--adapter", "lora:8"});
  CHECK(cpu.out.find("modelled on GPUs alone") != std::string::npos);
}

TEST_CASE("adapters: the example is advised on one GPU, and explained") {
  const auto advised = test::run_without_model({"advise", job, "--infra", "aws", "-o", "json"});
  REQUIRE(advised.code == cli::exit_ok);
  const auto document = json::parse(advised.out);
  CHECK(document.at("query").at("adapter").as_string() == "lora:16");
  const auto& chosen = document.at("chosen");
  CHECK(chosen.at("gpus").to_number<double>() == 1);
  CHECK(chosen.at("nodes").to_number<int>() == 1);
  const auto text = test::run_without_model({"explain", job});
  CHECK(text.out.find("GPUs 1") != std::string::npos);
  CHECK(text.out.find("per GPU [chosen]") != std::string::npos);
  CHECK(text.out.find("lora:16: only the adapters are") != std::string::npos);
}

TEST_CASE("model parallel: eight GPUs share a copy, and less of each is taken") {
  const auto sharing = answer(eight, {"--tensor-parallel", "8"}, "4");
  CHECK(sharing.at("tensor_parallel").to_number<int>() == 8);
  CHECK_FALSE(sharing.at("sharded").as_bool());
  CHECK(gib(sharing) < 40);
  const auto staged = answer(eight, {"--tensor-parallel", "2", "--pipeline-parallel", "4"}, "4");
  CHECK(staged.at("pipeline_parallel").to_number<int>() == 4);
  CHECK(staged.at("scaling_efficiency").as_double() < 1);
  const auto said = predict(eight, {"--tensor-parallel", "2", "--pipeline-parallel", "4"});
  CHECK(said.out.find("2 GPUs share every layer, 4 stages share the layers") != std::string::npos);
}

TEST_CASE("model parallel: what does not divide is refused with what has to") {
  const auto three = predict(eight, {"--tensor-parallel", "3"});
  CHECK(three.out.find("has to divide a machine's 8 GPUs and 8 heads") != std::string::npos);
  const auto both = predict(eight, {"--pipeline-parallel", "8", "--exchange", "sharded"});
  CHECK(both.out.find("keeps the parameters of its stages") != std::string::npos);
  const auto some = predict(eight, {"--tensor-parallel", "4", "--exchange", "sharded"});
  CHECK(some.out.find("parameters sharded by 2 GPUs (FSDP, ZeRO stage 3)") != std::string::npos);
  CHECK(predict(eight, {"--tensor-parallel", "0"}).code == cli::exit_usage);
}

TEST_CASE(
    "model parallel: an update of all GPUs is shared by copies, which may have less than an "
    "item a GPU") {
  const std::string machine = "gpu=H100:8,nodes=8,net=ib:3200";
  const auto asked = [&](const std::vector<std::string>& batch) {
    std::vector<std::string> words{"predict",
                                   "--network",
                                   "llama-70b",
                                   "--phase",
                                   "train",
                                   "--precision",
                                   "bf16",
                                   "--sequence",
                                   "2048",
                                   "--data",
                                   "synthetic",
                                   "--machine",
                                   machine,
                                   "--tensor-parallel",
                                   "8",
                                   "--pipeline-parallel",
                                   "4",
                                   "-o",
                                   "json"};
    words.insert(words.end(), batch.begin(), batch.end());
    return test::run_without_model(words);
  };
  const auto by_gpu = asked({"--batch", "1"});
  const auto by_all = asked({"--global-batch", "64"});
  CAPTURE(by_all.err);
  REQUIRE(by_all.code == cli::exit_ok);
  CHECK(rate(json::parse(by_gpu.out)) == rate(json::parse(by_all.out)));
  const auto few = asked({"--global-batch", "8"});  // four of a copy of 32 GPUs
  CAPTURE(few.err);
  REQUIRE(few.code == cli::exit_ok);
  CHECK(rate(json::parse(few.out)) < rate(json::parse(by_all.out)));  // stages wait
  const auto uneven = asked({"--global-batch", "7"});
  CHECK(uneven.code == cli::exit_usage);
  CHECK(uneven.err.find("a multiple of the 2 copies, each shared by 32 GPUs") != std::string::npos);
}

TEST_CASE("adapters: what does not fit is told how much it takes, and of how much") {
  const auto small = predict(one);
  CHECK(small.out.find(" GiB at the least, of the 44.5 that") != std::string::npos);
  auto words = std::vector<std::string>{"-o", "json"};
  const auto document = json::parse(predict(one, words).out);
  CHECK(document.at("gpu_memory_needed_gib").as_double() > 44);
}
