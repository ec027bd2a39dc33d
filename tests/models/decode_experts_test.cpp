// Decoding with mixtures of experts: what is read of them, and by whom.
#include <cmath>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/laws/decode.h"
#include "support/approx.h"

using namespace rightsize;

TEST_CASE("decode: of experts those are read that the tokens of an iteration take") {
  const auto mixtral = decode_work(make_network("mixtral-8x7b"), {Precision::bf16}, {0, 512, 128});
  const double all = 2 * 46'702'792'704.0;
  const double experts = 2.0 * 32 * 8 * 3 * 4096 * 14336;
  CHECK(mixtral.weight_bytes == test::approx(all));
  CHECK(mixtral.expert_bytes == test::approx(experts));
  // Two of eight of one token: the active parameters, but for the table of tokens.
  CHECK(read_weight_bytes(mixtral, 1) == test::approx(all - 0.75 * experts - 2 * 32'000.0 * 4096));
  // Drawn: how many different ones so many tokens take.
  std::mt19937 random(7);
  for (const int tokens : {2, 4, 16}) {
    constexpr int draws = 20'000;
    double different = 0;
    for (int draw = 0; draw < draws; ++draw) {
      std::set<int> taken;
      for (int token = 0; token < tokens; ++token) {
        const int first = static_cast<int>(random() % 8);
        const int second = (first + 1 + static_cast<int>(random() % 7)) % 8;
        taken.insert({first, second});
      }
      different += static_cast<double>(taken.size());
    }
    const double read = read_weight_bytes(mixtral, tokens) - read_weight_bytes(mixtral, 1);
    CHECK(read == test::approx((different / draws - 2) / 8 * experts).epsilon(0.01));
  }
}

// As GPTQ and AWQ leave them: a router is small, and which experts are taken hangs on it.
TEST_CASE("decode: what chooses experts is never narrow, and is on every GPU") {
  const double routers = 32.0 * 4096 * 8;
  const auto of = [](WeightFormat weights) {
    return decode_work(make_network("mixtral-8x7b"), {Precision::bf16, weights}, {0, 512, 128});
  };
  CHECK(of(WeightFormat::own).router_bytes == test::approx(2 * routers));
  CHECK(of(WeightFormat::int4).router_bytes == test::approx(2 * routers));
  const double all = 46'702'792'704.0;
  const double table = 2 * 32'000.0 * 4096;  // and the head
  const double norms = 65 * 4096.0;
  CHECK(of(WeightFormat::int4).weight_bytes ==
        test::approx(2 * (routers + table + norms) + 4.5 / 8 * (all - routers - table - norms))
            .epsilon(1e-9));
  const auto whole = of(WeightFormat::own);
  const auto half = tensor_parallel(whole, 2);
  CHECK(half.weight_bytes ==
        test::approx(whole.weight_bytes / 2 + whole.router_bytes / 2).epsilon(1e-9));
  CHECK(read_weight_bytes(half, 4) ==
        test::approx(read_weight_bytes(whole, 4) / 2 + whole.router_bytes / 2).epsilon(1e-9));
}

TEST_CASE("decode: a prompt reads all experts, and lasts at least as long") {
  const auto rates = test::shipped_rates();
  const auto mixtral = decode_work(make_network("mixtral-8x7b"), {Precision::bf16}, {0, 64, 128});
  const auto gpu = decode_gpu(*rates.find("H200"), {Precision::bf16});
  CHECK(prompt_seconds(mixtral, gpu, {0, 64, 128}) ==
        test::approx(mixtral.expert_bytes / gpu.bytes_per_s));
  const DecodeLoad longer{0, 4096, 128};
  const auto work = decode_work(make_network("mixtral-8x7b"), {Precision::bf16}, longer);
  CHECK(prompt_seconds(work, gpu, longer) ==
        test::approx(work.prompt_flops / product_flops_per_s(work, gpu)));
  // Beside many others next to all experts are read anyway.
  const double with_others = prompt_seconds(mixtral, gpu, {0, 64, 128}, 40);
  CHECK(with_others == test::approx(mixtral.prompt_flops / product_flops_per_s(mixtral, gpu)));
}

TEST_CASE("decode: an iteration reads experts once, however many prompts join it") {
  const auto rates = test::shipped_rates();
  const DecodeLoad load{0, 64, 128};
  const auto mixtral = decode_work(make_network("mixtral-8x7b"), {Precision::bf16}, load);
  const auto gpu = decode_gpu(*rates.find("H200"), {Precision::bf16});
  const auto whole = [&](double sequences, double prompts) {
    return decode_step_seconds(mixtral, gpu, sequences, 64) +
           prompts_seconds(mixtral, gpu, load, sequences, prompts);
  };
  // Next to all of them: what the sequences do not take is read for the first prompt.
  const auto read_s = [&](double sequences) {
    return overhead_seconds(mixtral, gpu) + read_weight_bytes(mixtral, 1e6) / gpu.bytes_per_s +
           sequences * 64 * mixtral.kv_bytes_per_token / gpu.bytes_per_s;
  };
  CHECK(whole(1, 1) == test::approx(read_s(1)).epsilon(1e-6));
  CHECK(whole(4, 1) == test::approx(read_s(4)).epsilon(1e-6));
  CHECK(whole(1, 3) == test::approx(read_s(1)).epsilon(1e-6));
  // Where there is more to multiply than to read, prompts are one after the other.
  CHECK(prompts_seconds(mixtral, gpu, load, 40, 3) ==
        test::approx(3 * prompt_seconds(mixtral, gpu, load, 40)));
  CHECK(prompts_seconds(mixtral, gpu, load, 2, 0.25) ==
        test::approx(0.25 * prompt_seconds(mixtral, gpu, load, 2)));
  CHECK(prompts_seconds(mixtral, gpu, load, 2, 0) == 0);
}

TEST_CASE("decode: an iteration has overhead of each block and each expert that a token takes") {
  const auto rates = test::shipped_rates();
  const auto gpu = decode_gpu(*rates.find("H200"), {Precision::bf16});
  const auto of = [](const char* network) {
    return decode_work(make_network(network), {Precision::bf16}, {0, 64, 128});
  };
  const auto small = of("llama-1b");
  const auto large = of("llama-70b");
  CHECK(small.blocks == 16);
  CHECK(large.blocks == 80);
  CHECK(large.mixtures == 0);
  CHECK(overhead_seconds(large, gpu) - overhead_seconds(small, gpu) ==
        test::approx(64 * gpu.block_s));
  // Two of eight in each of 32 layers; 256 and 8 in those of 61 that have experts.
  const auto mixtral = of("mixtral-8x7b");
  CHECK(taken_experts(mixtral) == test::approx(2 * 32));
  CHECK(overhead_seconds(mixtral, gpu) ==
        test::approx(gpu.overhead_s + 32 * gpu.block_s + 64 * gpu.expert_s));
  CHECK(taken_experts(of("deepseek-v3")) == test::approx(8 * 58));
  // Whoever shares it launches as many kernels.
  CHECK(overhead_seconds(tensor_parallel(mixtral, 4), gpu) == overhead_seconds(mixtral, gpu));
  CHECK(overhead_seconds(attention_parallel(mixtral, 4), gpu) == overhead_seconds(mixtral, gpu));
}
