// What is asked for and has no part in the answer: refused or said, never passed over.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Words;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Lines that were broken to a width in one.
std::string unwrapped(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!line.empty() && line.back() != ' ')) {
      line += blank ? ' ' : c;
    }
  }
  return line;
}

std::string told(const std::string& network, const std::string& machine, const Words& more) {
  const auto result = test::predict_step(network, machine, more, "0");
  return result.out + result.err;
}

const std::string cpus = "vcpus=16,memory=64GiB";

}  // namespace

TEST_CASE("unused words: GPUs that share a copy, and engines of GPUs, are refused without one") {
  for (const auto* flag : {"--tensor-parallel", "--pipeline-parallel", "--context-parallel"}) {
    CAPTURE(flag);
    CHECK(holds(told("bert-base", cpus, {"--phase", "train", flag, "2"}),
                "Cannot: the machine has no GPUs to share the layers"));
  }
  CHECK(holds(told("resnet50", cpus, {"--phase", "train", "--framework", "TensorRT"}),
              "TensorRT is known on GPUs alone"));
}

TEST_CASE("unused words: what a machine without GPUs has no use for is said") {
  const Words train{"--phase", "train"};
  const auto said = [&](Words more) {
    more.insert(more.begin(), train.begin(), train.end());
    return told("bert-base", cpus, more);
  };
  CHECK(holds(said({"--exchange", "sharded"}), "exchange sharded changes nothing here"));
  CHECK(holds(said({"--compression", "2bit"}), "compression of gradients changes nothing here"));
  CHECK(holds(said({"--recompute", "true"}), "recompute changes nothing here"));
  CHECK(holds(said({"--measured", "A100:8=100"}), "measured on A100 changes nothing here"));
  CHECK(holds(said({"--preprocess-on", "gpu"}), "preprocess_on gpu changes nothing here"));
  CHECK_FALSE(holds(said({}), "changes nothing here"));
}

TEST_CASE("unused words: what answering has no use for is said") {
  const auto said = told("bert-base",
                         "gpu=A100",
                         {"--phase", "infer", "--compression", "2bit", "--preprocess-on", "gpu"});
  CHECK(holds(said, "compression of gradients changes nothing here: it is of training"));
  CHECK(holds(said, "preprocess_on gpu changes nothing here"));
  const auto result = test::run_without_model({"predict",
                                               "--network",
                                               "sdxl",
                                               "--phase",
                                               "infer",
                                               "--machine",
                                               "gpu=A100",
                                               "--data",
                                               "recordio"});
  CHECK(holds(result.out, "data recordio changes nothing here: a prompt is a line of text"));
}

TEST_CASE("unused words: a loader's threads bound the machine that is named, as one of its parts") {
  const auto rate = [](const Words& more) {
    Words words{"predict",
                "--network",
                "resnet50",
                "--phase",
                "train",
                "--machine",
                "gpu=A100,vcpus=8,memory=64GiB",
                "--data",
                "recordio",
                "-o",
                "json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = test::run_without_model(words);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return test::rate(boost::json::parse(result.out));
  };
  CHECK(rate({"--loader-threads", "1"}) < 0.95 * rate({}));
  CHECK(rate({"--loader-threads", "8"}) == test::approx(rate({})));
}

TEST_CASE("unused words: recomputation that spares nothing is warned of") {
  const auto vgg = told("vgg16", "gpu=H200", {"--phase", "train", "--recompute", "true"});
  CHECK(holds(vgg, "recomputation takes time and spares no memory of"));
  const auto bert = told("bert-base", "gpu=H200", {"--phase", "train", "--recompute", "true"});
  CHECK_FALSE(holds(bert, "spares no memory"));
}

TEST_CASE("unused words: advise and explain say too that recomputation spares nothing") {
  const TemporaryFolder folder;
  const auto job_of = [&](const std::string& network) {
    return folder.write(network + ".toml",
                        "[job]\nnetwork = \"" + network +
                            "\"\nbatch_per_gpu = [32]\nepochs = 1\nrecompute = true\n"
                            "[data]\nitems = 100000\nformat = \"synthetic\"\n"
                            "[constraints]\ninfra = [\"aws/us-east-1\"]\n");
  };
  for (const auto* command : {"advise", "explain"}) {
    CAPTURE(command);
    const auto vgg = test::run_without_model({command, job_of("vgg16")});
    CAPTURE(vgg.err);
    CHECK(holds(unwrapped(vgg.out + vgg.err), "spares no memory of vgg16"));
    const auto bert = test::run_without_model({command, job_of("bert-base")});
    CHECK_FALSE(holds(unwrapped(bert.out + bert.err), "spares no memory"));
  }
}

TEST_CASE("unused words: a precision that a job says and a CPU lacks is warned of, as by flag") {
  const auto said = [](const std::string& line) {
    const TemporaryFolder folder;
    std::ofstream(folder / "job.toml")
        << "[job]\nnetwork = \"resnet50\"\n"
        << line << "epochs = 1\n[data]\nitems = 1000\nbytes = \"100MB\"\n";
    const auto result =
        test::run_without_model({"predict", folder / "job.toml", "--machine", "aws/c5.18xlarge"});
    return result.out + result.err;
  };
  CHECK(holds(said("precision = \"fp16\"\n"), "fp16: it computes in fp32"));
  CHECK_FALSE(holds(said(""), "fp16: it computes in fp32"));
}

TEST_CASE("unused words: without a disk a machine that is sold has one that it can have") {
  const auto said = [](const std::string& machine) {
    return test::run_without_model({"predict",
                                    "--network",
                                    "vit-b16",
                                    "--phase",
                                    "train",
                                    "--data",
                                    "jpeg",
                                    "--items",
                                    "200000",
                                    "--bytes",
                                    "60GB",
                                    "--precision",
                                    "bf16",
                                    "--machine",
                                    machine})
        .out;
  };
  CHECK(holds(said("gcp/a2-highgpu-1g"), "the disk is not stated: pd-"));
  CHECK(holds(said("azure/Standard_NC24ads_A100_v4"), "unlisted 78 GiB (price assumed) is taken"));
  // Of which EBS is let through 125 MB/s (disk_caps.csv).
  const auto capped = said("aws/g6e.xlarge");
  CHECK(holds(capped, "is taken, with which g6e.xlarge costs the least for this: 125 MB/s"));
  CHECK(holds(said("gpu=L40S:1,vcpus=4,memory=32GiB"),
              "the disk is not stated: it is taken not to limit, where advise picks one "
              "(disk=gp3:500GiB)"));
}

TEST_CASE("unused words: memory that is short by little is not told to be enough") {
  const auto said = test::predict_step("llama-3.2-3b",
                                       "gpu=A10G",
                                       {"--phase", "infer", "--precision", "bf16", "--batch", "1"},
                                       "32768")
                        .out;
  CAPTURE(said);
  const std::string words = " GiB at the least, of the ";
  const auto at = said.find(words);
  REQUIRE(at != std::string::npos);
  const double needed = std::stod(said.substr(said.rfind(' ', at - 1)));
  const double there = std::stod(said.substr(at + words.size()));
  CHECK(needed > there);
  CHECK(needed <
        there + 0.2);  // a network that is short by much would hold the rounding to nothing
}

TEST_CASE("unused words: tokens on CPUs are told of where they are modelled") {
  const auto result =
      test::run_without_model({"predict",
                               std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/serve.toml",
                               "--machine",
                               "vcpus=64,memory=256GiB"});
  CHECK(holds(result.out, "services of tokens are modelled on GPUs"));
  CHECK(holds(result.out, "--phase decode"));
}

TEST_CASE("unused words: a disk that is none spoils its row where it stands") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,vcpus,disk,data\n"
                                        "resnet50,A100,8,floppy,recordio\n"
                                        "resnet50,A100,8,gp3:500GiB,recordio\n";
  const auto out =
      test::run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "jsonl"}).out;
  const auto first = boost::json::parse(out.substr(0, out.find('\n')));
  CHECK(first.at("status") == "invalid");
  CHECK(holds(std::string(first.at("reason").as_string()), "rows.csv:2:4: disk = floppy"));
  CHECK(holds(out.substr(out.find('\n')), "\"ok\""));
}

TEST_CASE("unused words: a machine without an accelerator has none that is busy") {
  const auto played = test::run_without_model({"simulate",
                                               "--network",
                                               "bert-base",
                                               "--phase",
                                               "infer",
                                               "--data",
                                               "synthetic",
                                               "--machine",
                                               "aws/c7i.4xlarge"});
  CHECK(played.code == cli::exit_ok);
  CHECK(holds(played.out, "busy: cpu "));
  CHECK_FALSE(holds(played.out, "accelerator"));
}

TEST_CASE("unused words: profile takes no disk of another cloud than the machine's") {
  const auto result = test::run({"profile",
                                 "resnet50",
                                 "--as",
                                 "azure/Standard_NC24ads_A100_v4",
                                 "--disk",
                                 "gp3:500GiB",
                                 "--dry-run"});
  CHECK(result.code == cli::exit_usage);
  CHECK(holds(result.err, "gp3 is a disk of aws; azure has premium-ssd-v2"));
}

TEST_CASE("unused words: a dry run says which runs would end before they begin") {
  const auto warned = [](Words more) {
    more.insert(more.begin(), {"profile", "--dry-run"});
    const auto result = test::run(more);
    CHECK(result.code == cli::exit_ok);
    return holds(result.err, "1 run cannot be made on this machine");
  };
  CHECK(warned({"--network", "resnet50", "--phase", "decode"}));
  CHECK(warned({"--network", "mixtral-8x7b", "--phase", "infer"}));
  CHECK(warned({"--network", "whisper-tiny", "--phase", "train"}));
  CHECK(warned({"--network", "resnet50", "--phase", "infer", "--precision", "fp8"}));
  CHECK(warned({"--network", "resnet50", "--phase", "infer", "--precision", "fp16"}));
  CHECK(warned({"--network", "resnet50", "--data", "recordio", "--data-path", "nowhere.rec"}));
  CHECK_FALSE(warned({"--network", "resnet50", "--phase", "infer", "--precision", "fp32"}));
}
