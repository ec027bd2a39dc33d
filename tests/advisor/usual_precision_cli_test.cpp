// Flags that say no precision are answered as a job file that says none, and what is taken is told.
#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string text(std::vector<std::string> more) {
  std::vector<std::string> command{"predict"};
  command.insert(command.end(), more.begin(), more.end());
  return test::run_without_model(command).out;
}

double rate(std::vector<std::string> more) {
  more.insert(more.end(), {"-o", "json"});
  return boost::json::parse(text(std::move(more))).at("throughput").at("value").to_number<double>();
}

}  // namespace

TEST_CASE("precision: unsaid by flags it is that of a job file") {
  const TemporaryFolder folder;
  const auto job = folder.write("job.toml",
                                "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\n"
                                "batch_per_gpu = [32]\nframework = \"PyTorch\"\n"
                                "[data]\nitems = 50000\nformat = \"synthetic\"\n");
  for (const auto* machine : {"gpu=A10G", "gpu=K80", "gpu=V100:2"}) {
    CAPTURE(machine);
    const std::vector<std::string> flags{"--network",
                                         "resnet50",
                                         "--phase",
                                         "infer",
                                         "--batch",
                                         "32",
                                         "--data",
                                         "synthetic",
                                         "--framework",
                                         "PyTorch",
                                         "--machine",
                                         machine};
    CHECK(rate(flags) == test::approx(rate({job, "--machine", machine})));
  }
}

TEST_CASE("precision: what is taken in place of none is said, and of what is said nothing") {
  const std::vector<std::string> flags{"--network", "resnet50", "--phase", "infer"};
  const auto with = [&](const std::vector<std::string>& more) {
    auto all = flags;
    all.insert(all.end(), more.begin(), more.end());
    return text(all);
  };
  CHECK(with({"--machine", "gpu=A10G"})
            .find("precision not stated: fp16 is used, as of a job file") != std::string::npos);
  CHECK(with({"--machine", "gpu=K80"}).find("precision not stated: fp32 is used") !=
        std::string::npos);
  CHECK(with({"--machine", "gpu=A10G", "--precision", "fp32"}).find("precision not stated") ==
        std::string::npos);
  const auto on_cpus = with({"--machine", "vcpus=8,memory=32GiB"});
  CHECK(on_cpus.find("resnet50 infer fp32") != std::string::npos);
  CHECK(on_cpus.find("precision not stated") == std::string::npos);
}

TEST_CASE("predict: an answer to nothing says what it is of") {
  const auto bare = text({});
  CHECK(bare.find("\nresnet50 train fp32, batch 32, recordio data, on 4 vCPUs, 16 GiB\n") !=
        std::string::npos);
  CHECK(bare.find("No network is named, and no machine") != std::string::npos);
  const auto rated = text({"--gpu-rate", "1400", "--cpus", "8"});
  CHECK(rated.find("on 8 vCPUs, 16 GiB and an accelerator of 1400 items/s\n") != std::string::npos);
  CHECK(rated.find("No network is named") == std::string::npos);
}

TEST_CASE("predict: tokens are written at a cache length that the answer's line says") {
  const auto written = [](const std::vector<std::string>& more) {
    std::vector<std::string> all{
        "--network", "llama3.1:8b", "--phase", "decode", "--machine", "gpu=H100"};
    all.insert(all.end(), more.begin(), more.end());
    return text(all);
  };
  CHECK(written({}).find(", 8192 tokens in the cache of each, on 1 x H100") != std::string::npos);
  CHECK(written({"--sequence", "1024"}).find(", 1024 tokens in the cache of each") !=
        std::string::npos);
  CHECK(written({"--prompt-tokens", "512", "--output-tokens", "64"}).find("in the cache of each") ==
        std::string::npos);
}

TEST_CASE("precision: unsaid of the era's libraries it is FP32, by flags and in a job file") {
  const TemporaryFolder folder;
  const auto job = folder.write("job.toml",
                                "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\n"
                                "batch_per_gpu = [32]\nstack = \"era\"\n"
                                "[data]\nitems = 50000\nformat = \"synthetic\"\n");
  CHECK(text({job, "--machine", "gpu=P100"}).find("resnet50 infer fp32") != std::string::npos);
  CHECK(
      text({"--network", "resnet50", "--phase", "infer", "--stack", "era", "--machine", "gpu=P100"})
          .find("resnet50 infer fp32") != std::string::npos);
}
