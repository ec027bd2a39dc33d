// Google's TPUs, as users ask for them.
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;
using test::run_without_model;

namespace {

const std::string fine_tuning = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/train.toml";

Result asked(const std::string& command, const std::vector<std::string>& more) {
  std::vector<std::string> words{command, fine_tuning, "--infra", "gcp/us-central1"};
  words.insert(words.end(), more.begin(), more.end());
  return run_without_model(words);
}

Result predicted(const std::string& machine, const std::vector<std::string>& more) {
  std::vector<std::string> words{"predict", "--machine", "gpu=" + machine, "--data", "synthetic"};
  words.insert(words.end(), more.begin(), more.end());
  return run_without_model(words);
}

std::vector<std::string> training(const std::string& network,
                                  const std::string& batch,
                                  const std::string& sequence) {
  return {"--network",
          network,
          "--phase",
          "train",
          "--precision",
          "bf16",
          "--batch",
          batch,
          "--sequence",
          sequence};
}

bool says(const Result& result, const std::string& words) {
  return result.out.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("tpu: predict answers in the words of XLA, and in none of NVIDIA's") {
  const auto told = predicted("v6e:256", training("llama-2-70b", "2", "4096"));
  CHECK(told.code == cli::exit_ok);
  CHECK(says(told, "56.3 sequences/s"));
  CHECK(says(told, "905 tokens/s a chip"));
  CHECK(says(told, "as Google published"));
  CHECK(says(told, "256 chips gather parameters and sum up gradients over ICI"));
  const auto carried = predicted("TPU-v5p:4", training("llama-2-7b", "4", "4096"));
  CHECK(carried.code == cli::exit_ok);
  CHECK(says(carried, "from what MaxText reaches with other networks on it"));
  for (const auto& result : {told, carried}) {
    CAPTURE(result.out + result.err);
    CHECK(says(result, "compiled by XLA"));
    for (const auto* word : {"cuDNN", "TensorRT", "nccl", "NVLink", "no machine has"}) {
      CHECK_FALSE(says(result, word));
      CHECK(result.err.find(word) == std::string::npos);
    }
  }
}

TEST_CASE("tpu: predict refuses what no figure bears out, and says what to ask") {
  const auto decode = predicted("v6e:8",
                                {"--network",
                                 "llama-8b",
                                 "--phase",
                                 "decode",
                                 "--precision",
                                 "bf16",
                                 "--batch",
                                 "8",
                                 "--sequence",
                                 "2048"});
  CHECK(decode.code == cli::exit_nothing_satisfies);
  CHECK(says(decode, "one network"));
  const auto slices = predicted("TPU-v5p:4,nodes=2", training("llama-2-7b", "4", "4096"));
  CHECK(slices.code == cli::exit_nothing_satisfies);
  CHECK(says(slices, "gpu=TPU-v5p:8"));
  const auto large = predicted("v6e:8", training("llama-8b", "6", "8192"));
  CHECK(says(large, "chip memory too small"));
  CHECK(says(large, "what MaxText can keep in the host's memory is not modelled"));
  const auto few = predicted("v6e:4", training("llama-8b", "1", "2048"));
  CHECK(says(few, "gpu=TPU-v6e:8 fits, whose chips share the parameters"));
  CHECK_FALSE(says(few, "more memory"));
  CHECK(says(predicted("v6e:8", training("llama-70b", "1", "2048")), "gpu=TPU-v6e:128 fits"));
  const auto slice = predicted("tpu-v5p-8", training("llama-2-7b", "4", "4096"));
  CHECK(slice.err.find("its chips are TPU-v5p:4") != std::string::npos);
  const auto pictures = predicted("v5e", {"--network", "resnet50", "--precision", "bf16"});
  CHECK(pictures.code == cli::exit_nothing_satisfies);
  CHECK(says(pictures, "none that are like resnet50"));
}

TEST_CASE("tpu: a published run is answered, though by our count it does not fit") {
  const auto told = predicted("TPU-v6e:8", training("llama-8b", "3", "8192"));
  CAPTURE(told.out + told.err);
  CHECK(told.code == cli::exit_ok);
  CHECK(says(told, "7137 tokens/s a chip of batch 3 on 8 TPU-v6e (MaxText), as Google published"));
  CHECK(says(told, "by our count 45.7 GiB do not fit a chip"));
  CHECK(says(told, "in the host's memory"));
  const TemporaryFolder folder;
  std::ofstream(folder / "train.toml")
      << "name = \"as published\"\n[job]\nnetwork = \"llama-8b\"\nsequence = 8192\n"
         "phase = \"train\"\nprecision = \"bf16\"\nbatch_per_gpu = 3\n"
         "[data]\nitems = 24414\nformat = \"tokens\"\nbytes = \"400MB\"\n";
  const auto advised = run_without_model(
      {"advise", folder / "train.toml", "--infra", "gcp", "--gpu", "v6e", "--book", "tpu"});
  CAPTURE(advised.out + advised.err);
  CHECK(says(advised, "Take ct6e-standard-8t"));
  CHECK(says(advised, "46 GiB a chip then by our count, of which MaxText kept some in the host"));
  CHECK(predicted("TPU-v6e:8", training("mistral-7b", "6", "8192")).code == cli::exit_ok);
  CHECK(predicted("TPU-v6e:4", training("llama-8b", "3", "8192")).code ==
        cli::exit_nothing_satisfies);
  const auto fits = predicted("TPU-v6e:256", training("llama-8b", "1", "2048"));
  CHECK(fits.code == cli::exit_ok);
  CHECK_FALSE(says(fits, "by our count"));
}

TEST_CASE("tpu: predict knows no link but ICI, and no slice that is not sold") {
  for (const std::string link : {"pcie", "pcie-p2p", "nvlink", "xgmi"}) {
    const auto told = predicted("TPU-v6e:8,link=" + link, training("llama-8b", "2", "2048"));
    CAPTURE(told.out + told.err);
    CHECK(told.code == cli::exit_nothing_satisfies);
    CHECK(says(told, "joined by ICI, and by nothing else: leave the link out"));
  }
  const auto three = predicted("TPU-v6e:6", training("llama-8b", "1", "2048"));
  CHECK(three.code == cli::exit_nothing_satisfies);
  CHECK(says(three, "no slice of TPU-v6e has 6 chips: the nearest have 4 and 8"));
}

TEST_CASE("tpu: predict speaks of chips, and of GPUs where it computes on those") {
  const auto told = predicted("TPU-v6e:8", training("llama-8b", "2", "2048"));
  CAPTURE(told.out);
  CHECK(says(told, "batch 2 a chip"));
  CHECK(says(told, "scaling efficiency over 8 chips"));
  CHECK(says(told, "Chip memory ~"));
  CHECK(says(told, "of each chip's memory"));
  CHECK_FALSE(says(told, "GPU's memory"));
  const auto usual = predicted("H100:8", training("llama-8b", "2", "2048"));
  CHECK(says(usual, "batch 2 a GPU"));
  CHECK(says(usual, "GPU memory ~"));
}

TEST_CASE("tpu: advise names the book of a TPU that is asked for") {
  const auto left_out = asked("advise", {"--gpu", "TPU-v6e"});
  CAPTURE(left_out.out + left_out.err);
  CHECK(says(left_out, "--gpu TPU-v6e: Google's TPUs run what XLA compiled: --book current,tpu"));
  const auto elsewhere =
      run_without_model({"advise", fine_tuning, "--infra", "aws", "--gpu", "TPU-v6e"});
  CHECK_FALSE(says(elsewhere, "--book current,tpu"));
}

TEST_CASE("tpu: figures of shapes that go by no name say so") {
  const auto v6e = run_without_model({"gpus", "TPU-v6e"});
  CHECK(says(v6e, "gpt3-175b: of a shape that MaxText ran"));
  CHECK(says(run_without_model({"gpus", "TPU-v5e"}), "maxtext-32b"));
  CHECK_FALSE(says(run_without_model({"gpus", "H100"}), "of a shape"));
}

TEST_CASE("tpu: advise leaves them out until their book is asked for") {
  const auto usual = asked("advise", {});
  CHECK(usual.code == cli::exit_ok);
  CHECK_FALSE(says(usual, "TPU"));
  const auto both = asked("advise", {"--book", "current,tpu"});
  CAPTURE(both.out);
  CHECK(both.code == cli::exit_ok);
  CHECK(says(both, "Take ct6e-standard-8t"));
  CHECK(says(both, "runs what XLA compiled"));
  CHECK(says(both, "ct5p-hightpu-4t"));
  const auto torch =
      asked("advise", {"--book", "current,tpu", "--framework", "PyTorch", "-o", "json"});
  CHECK_FALSE(says(torch, "\"instance\":\"ct"));
  CHECK(says(torch, "the figures of TPU-v6e are of JAX (MaxText)"));
}

TEST_CASE("tpu: an imported catalogue's are rejected, with the way to ask for them") {
  const TemporaryFolder folder;
  std::ofstream(folder / "vms.csv")
      << "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region\n"
         "ct6e-standard-8t,TPU-v6e,8,360,1440,21.6,us-central1\n"
         "a3-highgpu-8g,H100,8,208,1872,88.49,us-central1\n";
  const auto rejected =
      run_without_model({"advise", fine_tuning, "--infra", "*", "--prices", folder / "vms.csv"});
  CAPTURE(rejected.out + rejected.err);
  CHECK(says(rejected, "Google's TPUs run what XLA compiled"));
  CHECK(says(rejected, "--book vms,tpu"));
}

TEST_CASE("tpu: what launches them names the slice, or refuses") {
  const auto exported = [](const std::string& tool) {
    return asked("export", {"--book", "tpu", "--gpu", "v5p", "--deadline", "100h", "--to", tool});
  };
  const auto sky = exported("skypilot");
  CAPTURE(sky.out + sky.err);
  CHECK(says(sky, "accelerators: \"tpu-v5p-8:1\""));  // two cores of each chip
  CHECK_FALSE(says(sky, "\n  instance_type"));
  CHECK_FALSE(says(sky, "cpus:"));
  const auto cluster = exported("kubernetes");
  CAPTURE(cluster.out);
  CHECK(says(cluster, "google.com/tpu: 4"));
  CHECK(says(cluster, "cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice"));
  CHECK(says(cluster, "cloud.google.com/gke-tpu-topology: 2x2x1"));
  CHECK(says(cluster, "node.kubernetes.io/instance-type: \"ct5p-hightpu-4t\""));
  CHECK_FALSE(says(cluster, "nvidia"));
  const auto variables = exported("terraform");
  CHECK(says(variables, "the TPU API calls the slice of all its chips tpu-v5p-8"));
  const auto slurm = exported("slurm");
  CAPTURE(slurm.err);
  CHECK(slurm.code != cli::exit_ok);
  CHECK(slurm.err.find("--to skypilot, kubernetes or terraform") != std::string::npos);
}
