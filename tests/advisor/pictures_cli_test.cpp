// Models that make pictures, as users ask for them.
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;
using test::rate;
using test::run_without_model;
using test::Words;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/pictures/";

json::value picture(const std::string& network, const std::string& gpu, const Words& more = {}) {
  Words words{
      "predict", "--network", network, "--phase", "infer", "--machine", "gpu=" + gpu, "-o", "json"};
  words.insert(words.end(), more.begin(), more.end());
  const auto result = run_without_model(words);
  CAPTURE(result.err);
  CAPTURE(result.out);
  REQUIRE(result.code == cli::exit_ok);
  return json::parse(result.out);
}

}  // namespace

TEST_CASE("pictures: a picture a second, fewer with more steps, pixels and guidance") {
  const Words one{"--batch", "1", "--precision", "fp16"};
  const auto usual = picture("sdxl", "A100-80GB", one);
  CHECK(usual.at("throughput").at("unit") == "img/s");
  const double fifty = rate(usual);
  const double twenty = rate(picture("SDXL:steps=20", "A100-80GB", one));
  CHECK(twenty > 2.2 * fifty);
  CHECK(twenty < 2.5 * fifty);
  const Words four{"--batch", "4", "--precision", "fp16"};  // a lone one waits for launches
  const double together = rate(picture("sdxl", "A100-80GB", four));
  CHECK(rate(picture("stable diffusion xl:guidance=no", "A100-80GB", four)) > 1.5 * together);
  CHECK(rate(picture("sdxl:size=768", "A100-80GB", four)) > 1.5 * together);
  CHECK(rate(picture("FLUX.1-dev", "H100", {"--batch", "1", "--precision", "bf16"})) <
        rate(picture("flux-schnell", "H100", {"--batch", "1", "--precision", "bf16"})) / 5);
}

// fal-ai/stable-diffusion-benchmarks@c0fa82c837f6, README.md: SDXL on an A100 of 80 GB, 50 steps,
// by diffusers with PyTorch 2.1 one picture in 5.93 s.
TEST_CASE("pictures: SDXL as fal.ai measured it lies inside the interval") {
  const auto answer = picture(
      "sdxl", "A100-80GB", {"--batch", "1", "--precision", "fp16", "--framework", "PyTorch"});
  const auto& told = answer.at("throughput").as_object();
  CHECK(told.at("low").as_double() < 1 / 5.93);
  CHECK(told.at("high").as_double() > 1 / 5.93);
  CHECK(std::abs(rate(answer) * 5.93 - 1) < 0.2);
}

TEST_CASE("pictures: fp8 is answered for them, and on GPUs without it is not") {
  const Words narrow{"--batch", "8", "--precision", "fp8", "--framework", "TensorRT"};
  const Words wide{"--batch", "8", "--precision", "fp16", "--framework", "TensorRT"};
  CHECK(rate(picture("sdxl:steps=20", "H100", narrow)) >
        1.2 * rate(picture("sdxl:steps=20", "H100", wide)));
  const auto older = picture("sdxl:steps=20", "A100-80GB", narrow);
  CHECK(older.at("precision") == "bf16");
}

TEST_CASE("pictures: the whole is not trained, and its denoiser is named") {
  const auto refused = run_without_model(
      {"predict", "--network", "sdxl", "--phase", "train", "--machine", "gpu=H100"});
  CHECK(refused.code == cli::exit_nothing_satisfies);
  CHECK(refused.out.find("sdxl makes pictures of prompts, which is infer") != std::string::npos);
  CHECK(refused.out.find("such as sdxl-denoiser") != std::string::npos);
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml") << "[job]\nnetwork = \"sdxl\"\nphase = \"train\"\nepochs = 1\n"
                                        "[data]\nitems = 1000\nbytes = \"1GB\"\n";
  const auto job = run_without_model({"advise", folder / "job.toml"});
  CHECK(job.code == cli::exit_usage);
  CHECK(job.err.find("job.toml:3") != std::string::npos);
}

TEST_CASE("pictures: a denoiser reads latents, and pictures are refused for it") {
  const auto refused = run_without_model({"predict",
                                          "--network",
                                          "sdxl-denoiser",
                                          "--data",
                                          "jpeg",
                                          "--batch",
                                          "1",
                                          "--precision",
                                          "bf16",
                                          "--machine",
                                          "gpu=H100"});
  CHECK(refused.out.find("latents of 4x128x128") != std::string::npos);
  const auto whole = test::predicted_step(
      "sdxl-denoiser", "gpu=H100", {"--batch", "4", "--precision", "bf16"}, "0");
  const auto adapted = test::predicted_step(
      "sdxl-denoiser",
      "gpu=RTX-4090",
      {"--batch", "1", "--precision", "bf16", "--adapter", "lora:16:q_proj+k_proj+v_proj+o_proj"},
      "0");
  CHECK(whole.at("status") == "ok");
  CHECK(adapted.at("status") == "ok");
}

// huggingface.co/blog/flux-qlora, on an RTX 4090: LoRA in BF16 took 26 GB, QLoRA about 9.
TEST_CASE("pictures: transformers that attend to prompt and picture at once take adapters") {
  const auto memory = [](const char* adapter) {
    return test::predicted_step(
               "flux-dev-denoiser:size=512x768",
               "gpu=A100-80GB",
               {"--batch", "1", "--precision", "bf16", "--adapter", adapter, "--recompute", "true"},
               "0")
        .at("gpu_memory_needed_gib")
        .as_double();
  };
  CHECK(memory("lora:4:q_proj+k_proj+v_proj+o_proj") == test::approx(26).epsilon(0.15));
  CHECK(memory("qlora:4:q_proj+k_proj+v_proj+o_proj") == test::approx(9).epsilon(0.2));
}

TEST_CASE("pictures: weights in fewer bits than products fit smaller GPUs, at the price of time") {
  const Words one{"--batch", "1", "--precision", "bf16"};
  const double whole = rate(picture("flux-dev", "H100", one));
  const double narrow = rate(picture("flux-dev:weights=int8", "H100", one));
  CHECK(narrow < whole);
  CHECK(narrow > 0.5 * whole);
  CHECK(rate(picture("flux-dev:weights=fp8", "A10G", one)) > 0);
  const auto refused = [](const Words& more) {
    Words words{"predict", "--phase", "infer", "--batch", "1", "--machine", "gpu=A10G"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run_without_model(words);
    CHECK(result.code != cli::exit_ok);
    return result.out + result.err;
  };
  CHECK(refused({"--network", "flux-dev", "--precision", "bf16"}).find("memory") !=
        std::string::npos);
  CHECK(refused({"--network", "flux-dev:weights=int8", "--precision", "fp8"}).find("weights=") !=
        std::string::npos);
}

TEST_CASE("pictures: a job file says weights as a service of tokens does, and needs no bytes") {
  const TemporaryFolder folder;
  const auto advised = [&](const std::string& weights) {
    std::ofstream(folder / "job.toml")
        << "[job]\nnetwork = \"flux-dev:steps=20\"\nphase = \"infer\"\nprecision = \"bf16\"\n"
        << weights << "epochs = 1\n[data]\nitems = 5000\n";
    return run_without_model(
        {"advise", folder / "job.toml", "--infra", "aws", "--allow", "g5[.].*", "-o", "json"});
  };
  const auto answered = advised("weights = \"fp8\"\n");
  CHECK(answered.code == cli::exit_ok);
  CHECK(answered.out.find("machines train together") == std::string::npos);
  CHECK(advised("").code == cli::exit_nothing_satisfies);
  const auto unknown = advised("weights = \"nvfp4\"\n");
  CHECK(unknown.code == cli::exit_usage);
  CHECK(unknown.err.find("job.toml:5") != std::string::npos);
  const auto verified =
      run_without_model({"verify", examples + "batch.toml", "--infra", "aws", "--seconds", "5"});
  CHECK(verified.code == cli::exit_usage);
  CHECK(verified.err.find("--seconds") != std::string::npos);
  CHECK(unknown.err.find("fp8, int8 or nf4") != std::string::npos);
}

// One replica in 0.3 requests a second has a request in many seconds.
TEST_CASE("pictures: verify plays no service that few ask for minutes, and says what to do") {
  const auto result = run_without_model({"verify", examples + "serve.toml", "--infra", "aws"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("too few for a 99th percentile") != std::string::npos);
  CHECK(result.err.find("rightsize simulate") != std::string::npos);
}

TEST_CASE("pictures: where no batch is stated, few at once are tried") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"sdxl-denoiser\"\nprecision = \"bf16\"\nadapter = \"lora:16\"\n"
         "epochs = 1\n[data]\nitems = 5000\nbytes = \"1750MB\"\nformat = \"tfrecord\"\n";
  const auto result =
      run_without_model({"advise", folder / "job.toml", "--infra", "aws", "-o", "json"});
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  const auto answer = json::parse(result.out);
  CHECK(answer.at("chosen").at("batch_per_gpu").as_int64() <= 8);
}

TEST_CASE("pictures: the examples are answered") {
  const auto service =
      run_without_model({"advise", examples + "serve.toml", "--infra", "aws", "-o", "json"});
  REQUIRE(service.code == cli::exit_ok);
  CHECK_FALSE(json::parse(service.out).at("chosen").is_null());
  const auto tuning =
      run_without_model({"advise", examples + "finetune.toml", "--infra", "aws", "-o", "json"});
  REQUIRE(tuning.code == cli::exit_ok);
  const auto batch =
      run_without_model({"advise", examples + "batch.toml", "--infra", "aws", "-o", "json"});
  REQUIRE(batch.code == cli::exit_ok);
  CHECK_FALSE(json::parse(batch.out).at("chosen").at("gpu").is_null());
  CHECK_FALSE(json::parse(tuning.out).at("chosen").at("gpu").is_null());
}

TEST_CASE("pictures: hub names and forms are read wherever a network is named") {
  const Words one{"--batch", "1", "--precision", "fp16"};
  CHECK(rate(picture("stabilityai/stable-diffusion-xl-base-1.0:steps=20", "L40S", one)) ==
        rate(picture("sdxl:steps=20", "L40S", one)));
  const auto plan = run_without_model(
      {"profile", "sdxl:steps=20", "--phase", "infer", "--engine", "cpu", "--dry-run"});
  CAPTURE(plan.err);
  CHECK(plan.code == cli::exit_ok);
  CHECK(plan.out.find("sdxl:steps=20") != std::string::npos);
  const auto two = run_without_model(
      {"profile", "--network", "sdxl:steps=20,gpt2", "--phase", "infer", "--dry-run"});
  CHECK(two.out.find("sdxl:steps=20") != std::string::npos);
  CHECK(two.out.find("gpt2") != std::string::npos);
}

TEST_CASE("pictures: rows and the list know them by name") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,phase,precision,batch,gpu\nsdxl:steps=20,infer,"
                                        "fp16,1,H100\nsdlx,infer,fp16,1,H100\n";
  const auto rows =
      run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "csv"});
  CHECK(rows.out.find("sdxl:steps=20,infer,fp16,1,H100,") != std::string::npos);
  CHECK(rows.out.find("Did you mean \"\"sdxl\"\"?") != std::string::npos);
  const auto list = run_without_model({"networks", "SDXL:steps=20", "-o", "csv"});
  CHECK(list.out.find("\"Stable Diffusion XL, 20 steps at 1024x1024\"") != std::string::npos);
  CHECK(run_without_model({"networks", "-o", "names"}).out.find("flux-dev\n") != std::string::npos);
}

TEST_CASE("pictures: a batch of them rents a disk for the model, and waits for it to load") {
  const auto result = run_without_model({"explain", examples + "batch.toml", "--infra", "aws"});
  CAPTURE(result.out + result.err);
  REQUIRE(result.code == cli::exit_ok);
  CHECK(result.out.find("moving the model") != std::string::npos);
  CHECK(result.out.find("GB of weights") != std::string::npos);
  CHECK(result.out.find("synthetic") == std::string::npos);
  const auto advised =
      run_without_model({"advise", examples + "batch.toml", "--infra", "aws", "-o", "json"});
  REQUIRE(advised.code == cli::exit_ok);
  const auto chosen = json::parse(advised.out).at("chosen");
  CHECK(!chosen.at("disk").as_string().starts_with("none"));
}
