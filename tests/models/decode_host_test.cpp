// What a program that serves does otherwise than is said of all.
#include "models/laws/decode_host.h"

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "models/calibration_files.h"
#include "figures/decode_figures.h"
#include "models/laws/decode_software.h"

using namespace rightsize;

TEST_CASE("decode software: vLLM's engine by its version") {
  CHECK(decode_software("vLLM") == "vLLM");
  CHECK(decode_software("vllm 0.6.3") == "vLLM V0");
  CHECK(decode_software("vLLM v0.6.3") == "vLLM V0");
  CHECK(decode_software("vLLM-0.7.3.post1") == "vLLM V0");
  CHECK(decode_software("vLLM V0") == "vLLM V0");
  CHECK(decode_software("vLLM 0.8.5") == "vLLM");
  CHECK(decode_software("vLLM 0.11.0") == "vLLM");
  CHECK_FALSE(decode_software("vLLM 0.x"));
  CHECK_FALSE(decode_software("vLLM next"));
}

TEST_CASE("decode software: attention by sequences is of those that document it") {
  for (const auto* name : {"", "TensorRT-LLM", "vLLM", "SGLang"}) {
    CHECK(shares_by_sequences(name));
  }
  for (const auto* name : {"llama.cpp", "gpt-fast", "vLLM V0", "TGI"}) {
    CHECK_FALSE(shares_by_sequences(name));
  }
}

TEST_CASE("decode host: of vLLM's first engine, time of each step and each sequence") {
  const auto rates = test::shipped_rates();
  const auto& h100 = *rates.find("H100");
  const auto any = decode_gpu(h100, {Precision::bf16});
  const auto first = served_by(any, h100, "vLLM V0");
  const DecodeWork work{.weight_bytes = 16e9, .kv_bytes_per_token = 128e3, .flops_per_token = 16e9};
  for (const double sequences : {1.0, 64.0}) {
    const double more_s = decode_step_seconds(work, first, sequences, 512) -
                          decode_step_seconds(work, any, sequences, 512);
    CHECK(more_s == doctest::Approx(0.5e-3 + 65e-6 * sequences));
  }
  const auto four = decode_gpu(h100, {Precision::bf16}, 4);
  CHECK(served_by(four, h100, "vLLM V0").overhead_s - four.overhead_s == doctest::Approx(2e-3));
  CHECK(slowed(first, 2).sequence_s == doctest::Approx(2 * first.sequence_s));
}

TEST_CASE("decode host: vLLM keeps more of a wide GPU's memory, but of an A100's") {
  const auto rates = test::shipped_rates();
  for (const auto& [name, kept_gib] : {std::pair{"H100", 4.0}, {"A100-80GB", 0.0}, {"L40S", 0.0}}) {
    const auto& gpu = *rates.find(name);
    const auto any = decode_gpu(gpu, {Precision::bf16});
    const auto vllm = served_by(any, gpu, "vLLM");
    CAPTURE(name);
    CHECK((any.memory_bytes - vllm.memory_bytes) / 0x1p30 == doctest::Approx(kept_gib));
    CHECK(vllm.memory_bytes + vllm.kept_bytes ==
          doctest::Approx(any.memory_bytes + any.kept_bytes));
    CHECK(served_by(any, gpu, "").memory_bytes == any.memory_bytes);
  }
}

TEST_CASE("decode host: llama.cpp computes prompts at half the rate of others") {
  const auto rates = test::shipped_rates();
  for (const auto* name : {"A100-80GB", "RTX-4090"}) {
    const auto& gpu = *rates.find(name);
    const auto any = decode_gpu(gpu, {Precision::fp16});
    const auto llama = served_by(any, gpu, "llama.cpp");
    CHECK(llama.flops_per_s < 0.5 * any.flops_per_s);
    CHECK((llama.bytes_per_s < any.bytes_per_s) == gpu.stacked_memory);
  }
}

TEST_CASE("decode host: a program's host ends no iteration sooner than the fastest published") {
  const auto rates = test::shipped_rates();
  const auto& b200 = *rates.find("B200");
  const DecodeWork tiny{.weight_bytes = 250e6, .kv_bytes_per_token = 4e3, .flops_per_token = 250e6};
  const auto tokens_per_s = [&](const char* software, double sequences) {
    const auto gpu = served_by(decode_gpu(b200, {Precision::bf16}), b200, software);
    return sequences / decode_period_seconds(tiny, gpu, {0, 128, 128}, sequences);
  };
  CHECK(tokens_per_s("vLLM", 2048) == doctest::Approx(28'391));
  CHECK(tokens_per_s("TensorRT-LLM", 2048) == doctest::Approx(56'528));
  CHECK(tokens_per_s("", 2048) == doctest::Approx(56'528));
  // Of one sequence the GPU takes longer, and so it does of a network of usual size.
  CHECK(tokens_per_s("vLLM", 1) == doctest::Approx(tokens_per_s("", 1)));
  const auto gpu = served_by(decode_gpu(b200, {Precision::bf16}), b200, "vLLM");
  const DecodeWork usual{
      .weight_bytes = 16e9, .kv_bytes_per_token = 131e3, .flops_per_token = 15e9};
  const auto step = decode_step(usual, gpu, 256, 1400);
  CHECK(step.seconds() == step.gpu_seconds());
  CHECK(slowed(gpu, 2).host_sequence_s == doctest::Approx(2 * gpu.host_sequence_s));
}

TEST_CASE("decode host: prompts hide behind a host that takes longer") {
  const auto rates = test::shipped_rates();
  const auto& h100 = *rates.find("H100");
  const auto gpu = served_by(decode_gpu(h100, {Precision::bf16}), h100, "vLLM");
  const DecodeWork tiny{.weight_bytes = 250e6,
                        .kv_bytes_per_token = 4e3,
                        .flops_per_token = 250e6,
                        .prompt_flops = 32e9};
  const DecodeLoad load{0, 128, 128};
  const auto step = decode_step(tiny, gpu, 256, mean_context(load));
  REQUIRE(step.host_s > step.gpu_seconds() + 2 * prompt_seconds(tiny, gpu, load, 256));
  CHECK(decode_period_seconds(tiny, gpu, load, 256) == doctest::Approx(256 / 28'391.0));
}

// Nothing is fitted to calibration/decode_small.csv but the host's bound, to its fastest row.
TEST_CASE("decode host: small networks with many sequences are within twice of the published") {
  const auto figures = parse_decode_figures(test::calibration_text("decode_small.csv"));
  REQUIRE(figures.size() >= 11);
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  const auto rates = test::shipped_rates();
  double squares = 0;
  for (const auto& figure : figures) {
    const auto predicted =
        predicted_tokens_per_s(figure, networks.at(figure.network), *rates.find(figure.gpu));
    REQUIRE(predicted);
    CAPTURE(figure.network);
    const double error = std::log(*predicted / figure.tokens_per_s);
    CHECK(std::abs(error) < std::log(2));
    squares += error * error;
  }
  CHECK(std::sqrt(squares / static_cast<double>(figures.size())) < 0.32);
}
