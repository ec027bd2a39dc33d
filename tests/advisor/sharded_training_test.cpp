// Training that no GPU has the memory for alone: shared parameters and recomputation, as their user
// meets them.
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

namespace json = boost::json;

Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/train.toml";

Result predict(const std::string& network,
               const std::string& batch,
               const std::string& machine,
               const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"predict",
                                 "--network",
                                 network,
                                 "--phase",
                                 "train",
                                 "--batch",
                                 batch,
                                 "--machine",
                                 machine,
                                 "--data",
                                 "synthetic"};
  if (network == "llama-8b") {
    words.insert(words.end(), {"--sequence", "4096", "--precision", "bf16"});
  }
  words.insert(words.end(), more.begin(), more.end());
  return run(words);
}

json::value answer(const std::string& network,
                   const std::string& batch,
                   const std::string& machine,
                   std::vector<std::string> more = {}) {
  more.insert(more.end(), {"-o", "json"});
  const auto result = predict(network, batch, machine, more);
  REQUIRE(result.code == cli::exit_ok);
  return json::parse(result.out);
}

double rate(const json::value& document) {
  return document.at("throughput").at("value").as_double();
}

constexpr const char* eight = "gpu=H100:8,link=nvlink";

}  // namespace

TEST_CASE("sharded training: eight H100 train llama-8b, one does not, and both say why") {
  const auto together = predict("llama-8b", "1", eight);
  CHECK(together.code == cli::exit_ok);
  CHECK(together.out.find("8 GPUs gather parameters and sum up gradients over NVLink") !=
        std::string::npos);
  CHECK(together.out.find("sharded (FSDP, ZeRO stage 3): about ") != std::string::npos);
  CHECK(together.out.find(" GiB would not fit") != std::string::npos);
  const auto alone = predict("llama-8b", "1", "gpu=H100");
  CHECK(alone.out.find("Cannot: GPU memory too small for the batch, also with recomputation: ") !=
        std::string::npos);
  const auto copies = predict("llama-8b", "1", eight, {"--exchange", "nccl"});
  CHECK(copies.out.find("Cannot: GPU memory too small for the batch, also with recomputation: ") !=
        std::string::npos);
}

TEST_CASE("sharded training: the words of others mean the same") {
  const auto unasked = answer("llama-8b", "1", eight);
  for (const auto* word : {"sharded", "fsdp", "zero3"}) {
    const auto asked = answer("llama-8b", "1", eight, {"--exchange", word});
    CHECK(asked.at("sharded").as_bool());
    CHECK(rate(asked) == rate(unasked));
  }
}

TEST_CASE("sharded training: nothing is spared where nothing has to be") {
  const auto small = answer("llama-160m", "1", eight);
  CHECK_FALSE(small.at("sharded").as_bool());
  CHECK_FALSE(small.at("recompute").as_bool());
  // Sharing moves half as much again as averaging.
  const auto shared = answer("llama-160m", "1", eight, {"--exchange", "sharded"});
  CHECK(shared.at("sharded").as_bool());
  CHECK(shared.at("gpu_memory_needed_gib").as_double() <
        small.at("gpu_memory_needed_gib").as_double());
  // A batch that fits no GPU stays one: only transformers are made of equal blocks.
  const auto pictures = predict("resnet50", "4096", "gpu=V100:8");
  CHECK(pictures.out.find("Cannot: GPU memory too small for the batch: ") != std::string::npos);
}

TEST_CASE("sharded training: of what fits the fastest is taken, whole copies where it is even") {
  // Shared parameters leave room for the activations that whole copies would run again.
  const auto taken = answer("llama-1b", "4", eight, {"--precision", "bf16"});
  const auto whole = answer("llama-1b", "4", eight, {"--precision", "bf16", "--exchange", "nccl"});
  CHECK(whole.at("recompute").as_bool());
  CHECK(taken.at("sharded").as_bool());
  CHECK_FALSE(taken.at("recompute").as_bool());
  CHECK(rate(taken) > 1.2 * rate(whole));
  // Each rank updates a part of the parameters alone: faster, but by less than the law is sure of.
  constexpr const char* a100 = "gpu=A100:8,link=nvlink";
  const auto even = answer("gpt2", "4", a100, {"--precision", "bf16"});
  const auto shared = answer("gpt2", "4", a100, {"--precision", "bf16", "--exchange", "fsdp"});
  CHECK_FALSE(even.at("sharded").as_bool());
  CHECK(rate(shared) > rate(even));
  CHECK(rate(shared) < 1.03 * rate(even));
}

TEST_CASE("sharded training: what fits whole is shared where that is faster, and it is said") {
  const auto taken = predict("llama-1b", "1", eight, {"--precision", "bf16"});
  CHECK(taken.out.find("whole copies would fit too, and are slower here") != std::string::npos);
  const auto whole = predict("llama-1b", "1", eight, {"--precision", "bf16", "--exchange", "nccl"});
  CHECK(whole.out.find("recomputation") == std::string::npos);
}

TEST_CASE("sharded training: recomputation makes room at the price of a forward pass") {
  const auto kept = answer("llama-8b", "1", eight);
  const auto again = answer("llama-8b", "1", eight, {"--recompute", "true"});
  CHECK_FALSE(kept.at("recompute").as_bool());
  CHECK(again.at("recompute").as_bool());
  CHECK(rate(kept) / rate(again) > 1.15);
  CHECK(rate(kept) / rate(again) < 4.0 / 3);
  CHECK(again.at("gpu_memory_needed_gib").as_double() <
        kept.at("gpu_memory_needed_gib").as_double());
  // Eight sequences a GPU fit no other way.
  CHECK(answer("llama-8b", "8", eight).at("recompute").as_bool());
  const auto refused = predict("llama-8b", "8", eight, {"--recompute", "false"});
  CHECK(refused.out.find("Cannot: GPU memory too small for the batch, also with sharded "
                         "parameters: ") != std::string::npos);
}

TEST_CASE("sharded training: four nodes, a table of configurations, what goes with it and not") {
  const auto one = answer("llama-8b", "1", eight);
  const auto four = answer("llama-8b", "1", "gpu=H100:8,link=nvlink,nodes=4,net=ib:400");
  const auto fast = answer("llama-8b", "1", "gpu=H100:8,link=nvlink,nodes=4,net=ib:3200");
  CHECK(rate(four) < 2 * rate(one));  // 48 GB a step over 50 GB/s a node
  CHECK(rate(fast) > 3 * rate(one));
  CHECK(rate(fast) < 4 * rate(one));
  const auto packed =
      predict("llama-8b", "1", eight, {"--exchange", "fsdp", "--compression", "2bit"});
  CHECK(packed.out.find("no compression goes with it") != std::string::npos);
  const TemporaryFolder folder;
  const auto rows = folder / "rows.csv";
  std::ofstream(rows) << "network,phase,precision,batch,sequence,gpu,gpus,exchange,recompute\n"
                         "llama-8b,train,bf16,1,4096,H100,8,,\n"
                         "llama-8b,train,bf16,1,4096,H100,8,fsdp,yes\n"
                         "llama-8b,train,bf16,1,4096,H100,8,fsdp,perhaps\n";
  const auto table = run({"predict", "--batch-file", rows, "-o", "csv"});
  CHECK(table.out.find("sharded (FSDP, ZeRO stage 3): about") != std::string::npos);
  CHECK(table.out.find("recompute = \"\"perhaps\"\": expected true or false") != std::string::npos);
}

TEST_CASE("sharded training: is predicted, not run") {
  const auto result = run({"profile",
                           "--network",
                           "llama-160m",
                           "--ranks",
                           "2",
                           "--exchange",
                           "sharded",
                           "--seconds",
                           "1"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("is predicted, not run") != std::string::npos);
}

TEST_CASE("sharded training: the example is advised and explained") {
  const auto advised = run({"advise", job, "--allow", "h100|p5", "-o", "json"});
  REQUIRE(advised.code == cli::exit_ok);
  const auto document = json::parse(advised.out);
  const auto& chosen = document.at("chosen");
  CHECK(chosen.at("sharded").as_bool());
  CHECK(chosen.at("exchange").as_string().starts_with("sharded over "));
  CHECK(chosen.at("gpu_memory_needed_gib").as_double() > 20);
  CHECK(advised.out.find("optimizer out over the GPUs (FSDP, ZeRO stage 3)") != std::string::npos);
  for (const auto& option : document.at("options").as_array()) {
    if (option.at("gpu") == "H100") {
      CHECK(option.at("sharded").as_bool());
    }
  }
  const auto explained = run({"explain", job, "--allow", "h100|p5"});
  REQUIRE(explained.code == cli::exit_ok);
  CHECK(explained.out.find("memory of each") != std::string::npos);
  CHECK(explained.out.find("sharded over ") != std::string::npos);
}
