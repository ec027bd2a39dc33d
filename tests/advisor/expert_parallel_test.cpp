// Experts that copies divide, as users ask for it and see it.
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

const std::string gpt_oss = RIGHTSIZE_SOURCE_DIR "/models/calibration/networks/gpt-oss-20b.json";

Words in_bf16(Words more) {
  more.insert(more.end(), {"--precision", "bf16"});
  return more;
}

test::Result predict(const std::string& network, const std::string& machine, const Words& more) {
  return test::predict_step(network, machine, in_bf16(more));
}

json::value answer(const std::string& network, const std::string& machine, const Words& more) {
  return test::predicted_step(network, machine, in_bf16(more));
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("expert parallel: flag, job file and row of a table say the same") {
  const Words flags{"--batch", "2", "--expert-parallel", "8", "--framework", "PyTorch"};
  const auto by_flag = answer(gpt_oss, "gpu=H100:8,link=nvlink", flags);
  CHECK(by_flag.at("expert_parallel") == 8);
  const auto by_file = test::predicted_job(
      "network = \"" + gpt_oss +
          "\"\nprecision = \"bf16\"\nsequence = 2048\nbatch_per_gpu = 2\nexpert_parallel = 8\n"
          "framework = \"PyTorch\"\n",
      "gpu=H100:8,link=nvlink");
  CHECK(rate(by_file) == test::approx(rate(by_flag)));
  CHECK(test::rate_of_row("network,precision,sequence,batch,gpu,gpus,interconnect,framework,ep",
                          gpt_oss + ",bf16,2048,2,H100,8,NVLink,PyTorch,8") ==
        test::approx(rate(by_flag)));
}

TEST_CASE("expert parallel: a mixture is trained faster for it, and shared parameters too") {
  const std::string machine = "gpu=H100:8,link=nvlink,nodes=8,net=ib:3200";
  const auto whole = answer(gpt_oss, machine, {"--batch", "2", "--exchange", "sharded"});
  for (const auto* exchange : {"sharded", "nccl"}) {
    CAPTURE(exchange);
    const auto divided = answer(
        gpt_oss, machine, {"--batch", "2", "--expert-parallel", "8", "--exchange", exchange});
    CHECK(rate(divided) > rate(whole));
    CHECK(divided.at("sharded") == (std::string(exchange) == "sharded"));
  }
}

TEST_CASE("expert parallel: beside stages, and said with them") {
  const auto result =
      predict(gpt_oss,
              "gpu=H100:8,link=nvlink,nodes=2,net=ib:3200",
              {"--batch", "2", "--pipeline-parallel", "2", "--expert-parallel", "8"});
  REQUIRE(result.code == cli::exit_ok);
  CHECK(holds(result.out, "2 stages share the layers, "));
  CHECK(holds(result.out, "experts divided by 8 copies"));
  CHECK(holds(result.out, "the optimizer's state divided by 8 copies (ZeRO stage 1)"));
  CHECK(holds(result.out, "and tokens go to experts and back, over"));
}

TEST_CASE("expert parallel: what cannot be divided is refused with what can") {
  const auto refused = [](const std::string& network, const std::string& machine, Words more) {
    more.insert(more.end(), {"--batch", "2"});
    const auto result = predict(network, machine, more);
    CHECK(result.code == cli::exit_nothing_satisfies);
    return result.out;
  };
  CHECK(holds(refused("llama-8b", "gpu=H100:8", {"--expert-parallel", "8"}),
              "is no mixture of experts"));
  CHECK(holds(refused("mixtral-8x7b", "gpu=H100:8", {"--expert-parallel", "3"}),
              "the 8 copies, in one machine or by whole ones: 2 or 4 or 8 would do"));
  // Twelve copies of two stages: eight do not divide them.
  CHECK(holds(refused("mixtral-8x7b",
                      "gpu=H200:8,nodes=3,net=ib:3200",
                      {"--pipeline-parallel", "2", "--expert-parallel", "8"}),
              "the 12 copies, in one machine or by whole ones: 2 or 4 would do"));
  CHECK(holds(refused(gpt_oss, "gpu=H100:8", {"--expert-parallel", "8", "--compression", "2bit"}),
              "leave compression and another exchange out"));
  const auto infer = predict(gpt_oss, "gpu=H100:8", {"--phase", "infer", "--expert-parallel", "8"});
  CHECK(infer.code == cli::exit_usage);
}

TEST_CASE("expert parallel: the batch that is looked for spares nothing unasked") {
  const auto found = answer(gpt_oss, "gpu=H200:8,link=nvlink", {"--expert-parallel", "8"});
  CHECK(found.at("recompute") == false);
  // Where the fastest way spares even at batch 1, a batch that is worth it.
  const std::string machine = "gpu=H100:8,nodes=4";
  const auto spared = answer("mixtral-8x7b", machine, {"--expert-parallel", "8"});
  CHECK(spared.at("batch_per_gpu").to_number<int>() > 1);
  CHECK(rate(spared) >
        1.2 * rate(answer("mixtral-8x7b", machine, {"--expert-parallel", "8", "--batch", "1"})));
}

TEST_CASE("expert parallel: no way out of memory is offered that would be refused") {
  for (const auto* exchange : {"device", "local"}) {
    const auto result =
        predict("mixtral-8x7b", "gpu=H100:8,nodes=4", {"--batch", "1", "--exchange", exchange});
    CHECK(result.code == cli::exit_nothing_satisfies);
    CHECK(holds(result.out, "--exchange sharded fits"));
    CHECK_FALSE(holds(result.out, "--expert-parallel"));
  }
}

TEST_CASE("expert parallel: fewer GPUs than divide the experts are told how many it takes") {
  const auto result = predict(gpt_oss, "gpu=H100", {"--batch", "1", "--expert-parallel", "8"});
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(holds(result.out, "expert_parallel = 8 takes 8 GPUs: ask for as many, or leave it out"));
}

TEST_CASE("expert parallel: a mixture that does not fit is told of it, and fits then") {
  const std::string large = RIGHTSIZE_SOURCE_DIR "/models/calibration/networks/gpt-oss-120b.json";
  const std::string machine = "gpu=H100:8,link=nvlink,nodes=4,net=ib:3200";
  const auto result = predict(large, machine, {"--batch", "1"});
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(holds(result.out, "GPU memory too small"));
  CHECK(holds(result.out, "or --expert-parallel 2 fits"));
  CHECK(predict(large, machine, {"--batch", "1", "--expert-parallel", "2"}).code == cli::exit_ok);
}

TEST_CASE("expert parallel: all-to-all through the host is slower than over links") {
  const Words flags{"--batch", "1", "--expert-parallel", "8", "--exchange", "nccl"};
  const auto links = answer(gpt_oss, "gpu=H200:8,link=nvlink", flags);
  const auto host = answer(gpt_oss, "gpu=H200:8,link=pcie", flags);
  CHECK(rate(host) < 0.5 * rate(links));
}

TEST_CASE("expert parallel: of an option everything says it") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml") << "[job]\nnetwork = \"" << gpt_oss
                                     << "\"\nprecision = \"bf16\"\nsequence = 2048\n"
                                        "batch_per_gpu = 2\nexpert_parallel = 8\nepochs = 1\n"
                                        "[data]\nitems = 1000\nbytes = \"1MB\"\n";
  const Words where{"--infra", "aws/us-east-1", "--allow", "^p5.48xlarge$"};
  const auto asked = [&](const std::string& command, const Words& more) {
    Words words{command, folder / "job.toml"};
    words.insert(words.end(), where.begin(), where.end());
    words.insert(words.end(), more.begin(), more.end());
    const auto result = test::run_without_model(words);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return result.out;
  };
  CHECK(json::parse(asked("advise", {"-o", "json"})).at("chosen").at("expert_parallel") == 8);
  CHECK(holds(asked("advise", {"-o", "csv"}), "experts divided by 8"));
  const auto explained = asked("explain", {});
  CHECK(holds(explained, "experts divided by 8"));
  CHECK_FALSE(holds(explained, "micro-batches of"));  // the batch is all there is
  CHECK(holds(explained, "tokens"));
  CHECK(holds(asked("export", {"--to", "slurm"}), "export EXPERT_PARALLEL=8\n"));
  CHECK(json::parse(asked("export", {"--to", "terraform"})).at("expert_parallel") == 8);
}
