// What a program that serves does otherwise than is said of all.
#include "models/laws/decode_host.h"

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "figures/decode_figures.h"
#include "kernels/network.h"
#include "kernels/work.h"
#include "models/calibration_files.h"
#include "models/laws/decode_software.h"
#include "support/approx.h"

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
    CHECK(more_s == test::approx(0.5e-3 + 65e-6 * sequences));
  }
  const auto four = decode_gpu(h100, {Precision::bf16}, 4);
  CHECK(served_by(four, h100, "vLLM V0").overhead_s - four.overhead_s == test::approx(2e-3));
  CHECK(slowed(first, 2).sequence_s == test::approx(2 * first.sequence_s));
}

TEST_CASE("decode host: vLLM keeps more of a wide GPU's memory, but of an A100's") {
  const auto rates = test::shipped_rates();
  for (const auto& [name, kept_gib] : {std::pair{"H100", 4.0}, {"A100-80GB", 0.0}, {"L40S", 0.0}}) {
    const auto& gpu = *rates.find(name);
    const auto any = decode_gpu(gpu, {Precision::bf16});
    const auto vllm = served_by(any, gpu, "vLLM");
    CAPTURE(name);
    CHECK((any.memory_bytes - vllm.memory_bytes) / 0x1p30 == test::approx(kept_gib));
    CHECK(vllm.memory_bytes + vllm.kept_bytes == test::approx(any.memory_bytes + any.kept_bytes));
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
  CHECK(tokens_per_s("vLLM", 2048) == test::approx(28'391));
  CHECK(tokens_per_s("TensorRT-LLM", 2048) == test::approx(56'528));
  CHECK(tokens_per_s("", 2048) == test::approx(56'528));
  // What it does once of an iteration is what one sequence waits for.
  CHECK(tokens_per_s("vLLM", 1) == test::approx(250));
  CHECK(tokens_per_s("vLLM V0", 1) == test::approx(311.55));
  CHECK(tokens_per_s("SGLang", 1) == test::approx(458.03));
  CHECK(tokens_per_s("", 1) > 1000);
  // Of a network of usual size the GPU takes longer.
  const auto gpu = served_by(decode_gpu(b200, {Precision::bf16}), b200, "vLLM");
  const DecodeWork usual{
      .weight_bytes = 16e9, .kv_bytes_per_token = 131e3, .flops_per_token = 15e9};
  const auto step = decode_step(usual, gpu, 256, 1400);
  CHECK(step.seconds() == step.gpu_seconds());
  CHECK(slowed(gpu, 2).host_sequence_s == test::approx(2 * gpu.host_sequence_s));
}

TEST_CASE("decode host: Transformers take a time of each block, however many sequences") {
  const auto rates = test::shipped_rates();
  const auto& a100 = *rates.find("A100-80GB");
  const auto gpu = served_by(decode_gpu(a100, {Precision::bf16}), a100, "Hugging Face");
  const auto any = decode_gpu(a100, {Precision::bf16});
  const auto of = [](const char* network) {
    return decode_work(make_network(network), {Precision::bf16}, {0, 1, 2048});
  };
  const auto step_s = [&](const char* network, double sequences) {
    return decode_step_seconds(of(network), gpu, sequences, 1025);
  };
  CHECK(step_s("qwen2.5-0.5b", 1) == test::approx(24 * gpu.host_block_s));
  CHECK(step_s("qwen2.5-0.5b", 1) == step_s("qwen2.5-0.5b", 16));
  // 28 blocks either, and 36 of the smaller one.
  CHECK(step_s("qwen2.5-1.5b", 1) == step_s("qwen2.5-7b", 1));
  CHECK(step_s("qwen2.5-3b", 1) > step_s("qwen2.5-7b", 1));
  // The larger, the nearer to what the memory takes.
  double nearer = 1e9;
  for (const auto* network : {"qwen2.5-0.5b", "qwen2.5-1.5b", "qwen2.5-7b", "qwen2.5-32b"}) {
    const double times = step_s(network, 1) / decode_step_seconds(of(network), any, 1, 1025);
    CHECK(times < nearer);
    CHECK(times >= 1);
    nearer = times;
  }
  CHECK(nearer == 1);  // 65 GB: the memory's
  CHECK(slowed(gpu, 2).host_block_s == test::approx(2 * gpu.host_block_s));
}

TEST_CASE("decode host: Transformers call experts beside, llama.cpp cheaper than others") {
  const auto rates = test::shipped_rates();
  const auto& a100 = *rates.find("A100-80GB");
  const auto transformers = served_by(decode_gpu(a100, {Precision::bf16}), a100, "Hugging Face");
  const auto mixture = decode_work(make_network("mixtral-8x7b"), {Precision::bf16}, {0, 128, 128});
  CHECK(decode_step(mixture, transformers, 1, 128).host_s ==
        test::approx(32 * (transformers.host_block_s + transformers.host_mixture_s)));
  const auto any = decode_gpu(a100, {Precision::bf16});
  CHECK(served_by(any, a100, "llama.cpp").expert_s < any.expert_s);
  CHECK(served_by(any, a100, "vLLM").expert_s == any.expert_s);
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
  CHECK(decode_period_seconds(tiny, gpu, load, 256) == test::approx(256 / 28'391.0));
}

namespace {

// ln(predicted / published) of the rows of calibration/decode_one.csv that are wanted.
template <typename Wanted>
std::vector<double> errors_of_one(const Wanted& wanted) {
  const auto figures = parse_decode_figures(test::calibration_text("decode_one.csv"));
  const auto networks =
      networks_of(figures, std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/networks");
  const auto rates = test::shipped_rates();
  std::vector<double> errors;
  for (const auto& figure : figures) {
    if (wanted(figure, networks.at(figure.network))) {
      const auto predicted =
          predicted_tokens_per_s(figure, networks.at(figure.network), *rates.find(figure.gpu));
      REQUIRE(predicted);
      errors.push_back(std::log(*predicted / figure.tokens_per_s));
    }
  }
  return errors;
}

double rms(const std::vector<double>& errors) {
  REQUIRE_FALSE(errors.empty());
  const double squares = std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0);
  return std::sqrt(squares / static_cast<double>(errors.size()));
}

bool says(const DecodeFigure& figure, const char* words) {
  return figure.source.find(words) != std::string::npos;
}

}  // namespace

// Set to those of Qwen 2.5 on an A100; Qwen 2 and 3, the latter on an H20, are others' times.
TEST_CASE("decode host: Transformers are met where Python launches") {
  const auto of = [](const char* series) {
    return errors_of_one([&](const DecodeFigure& figure, const Network& network) {
      return figure.software == "Hugging Face" && !has_experts(network) && says(figure, series);
    });
  };
  CHECK(rms(of("(Qwen2.5-")) < 0.40);
  CHECK(rms(of("(Qwen2-")) < 0.45);
  CHECK(rms(of("(Qwen3-")) < 0.38);
}

TEST_CASE("decode host: small networks alone, which no constant of vLLM's has seen") {
  const auto of = [](const char* software, const char* source) {
    return errors_of_one([&](const DecodeFigure& figure, const Network& network) {
      return figure.software == software && !has_experts(network) && figure.gpu != "H20" &&
             says(figure, source);
    });
  };
  CHECK(rms(of("vLLM", "tenstorrent")) < 0.20);
  CHECK(rms(of("vLLM V0", "vLLM 0.4.2")) < 0.35);
  CHECK(rms(of("vLLM V0", "vLLM 0.6.3")) < 0.32);
}

// None of SGLang's mixtures has set a constant; AMD's are told too fast, as elsewhere.
TEST_CASE("decode host: mixtures alone by SGLang on NVIDIA's GPUs") {
  const auto errors = errors_of_one([](const DecodeFigure& figure, const Network& network) {
    return figure.software == "SGLang" && has_experts(network) && figure.gpu != "MI300X" &&
           !says(figure, "first weeks");
  });
  CHECK(errors.size() >= 7);
  CHECK(rms(errors) < 0.27);
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
