// Waiting for tokens: the closed form against the same replica played iteration by iteration.
#include "models/laws/decode_latency.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/calibration_table.h"
#include "models/simulate/decode.h"

using namespace rightsize;

namespace {

// 8 billion parameters at 16 bits.
constexpr DecodeWork work{.weight_bytes = 16e9,
                          .kv_bytes_per_token = 128e3,
                          .flops_per_token = 16e9,
                          .prompt_flops = 8.2e12};
// Something like an A100, and like an L40S.
const DecodeGpu a100{
    .bytes_per_s = 1.5e12, .flops_per_s = 150e12, .memory_bytes = 80e9, .overhead_s = 1e-3};
const DecodeGpu l40s{
    .bytes_per_s = 0.6e12, .flops_per_s = 235e12, .memory_bytes = 47e9, .overhead_s = 1e-3};

DecodeReplicas replica_of(const char* network, const char* gpu, const DecodeLoad& lengths) {
  static const auto rates = test::shipped_rates();
  return {decode_work(make_network(network), {Precision::bf16}, lengths),
          decode_gpu(*rates.find(gpu), {Precision::bf16})};
}

struct Traced {
  std::vector<double> tokens;
  double mean = 0;
  double stddev = 0;
};

Traced traced(const std::string& trace, const std::string& of) {
  Traced all;
  double squares = 0;
  for (const auto& row : parse_table(test::calibration_text("token_length_quantiles.csv"),
                                     "token_length_quantiles.csv")) {
    if (row.text("trace") == trace && row.text("of") == of) {
      all.tokens.push_back(row.number("tokens"));
      all.mean += all.tokens.back();
      squares += all.tokens.back() * all.tokens.back();
    }
  }
  const auto n = static_cast<double>(all.tokens.size());
  all.mean /= n;
  all.stddev = std::sqrt(squares / n - all.mean * all.mean);
  return all;
}

}  // namespace

TEST_CASE("decode latency: quantiles are those of the played iterations") {
  for (const auto* gpu : {&a100, &l40s}) {
    const double most = serve_decode(work, *gpu, {0, 512, 128}).most_sequences_per_s;
    for (const double share : {0.02, 0.1, 0.3, 0.5, 0.7}) {
      const DecodeLoad load{share * most, 512, 128};
      const auto law = decode_latency({work, *gpu}, load);
      const auto played = simulate_decode({work, *gpu}, load, {20'000, 3});
      CAPTURE(gpu->bytes_per_s);
      CAPTURE(share);
      CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.20));
      CHECK(law.first_token_p95_s == doctest::Approx(played.first_token_p95_s).epsilon(0.15));
      CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.15));
      CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.05));
      CHECK(law.token_p95_s == doctest::Approx(played.token_p95_s).epsilon(0.12));
      CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.16));
    }
  }
}

TEST_CASE("decode latency: one alone waits for its prompt and an iteration") {
  const DecodeLoad load{1e-6, 512, 128};
  const auto law = decode_latency({work, a100}, load);
  const double step_s = decode_step_seconds(work, a100, 1, 576);
  CHECK(law.token_p50_s == doctest::Approx(step_s).epsilon(1e-3));
  CHECK(law.first_token_p50_s ==
        doctest::Approx(prompt_seconds(work, a100, load) + step_s).epsilon(1e-2));
}

// A prompt beside few reads the experts that they do not take, beside many next to none.
TEST_CASE("decode latency: of experts, quantiles are those of the played iterations") {
  for (const auto& [network, gpu] :
       {std::pair{"mixtral-8x7b", "H200"}, {"qwen1.5-moe-a2.7b", "A100-80GB"}}) {
    for (const auto& [prompt, output] : {std::pair{128, 256}, {512, 128}}) {
      DecodeLoad load{0, prompt, output};
      const auto replicas = replica_of(network, gpu, load);
      const double most = serve_decode(replicas.work, replicas.gpu, load).most_sequences_per_s;
      for (const double share : {0.02, 0.1, 0.3, 0.5, 0.7}) {
        load.sequences_per_s = share * most;
        const auto law = decode_latency(replicas, load);
        const auto played = simulate_decode(replicas, load, {20'000, 3});
        CAPTURE(network);
        CAPTURE(prompt);
        CAPTURE(share);
        CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.20));
        CHECK(law.first_token_p95_s == doctest::Approx(played.first_token_p95_s).epsilon(0.15));
        CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.15));
        CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.05));
        CHECK(law.token_p95_s == doctest::Approx(played.token_p95_s).epsilon(0.12));
        CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.16));
        CHECK(law.joined >= 1);
        CHECK(law.prompt_s ==
              doctest::Approx(prompt_seconds(replicas.work, replicas.gpu, load, law.joined)));
      }
    }
  }
}

// Prompts that join an iteration share attention that one alone does not: the more come, the less
// each takes.
TEST_CASE("decode latency: of attention by sequences, quantiles are near the played iterations'") {
  static const auto rates = test::shipped_rates();
  for (const auto& [network, gpu] :
       {std::pair{RIGHTSIZE_SOURCE_DIR "/models/calibration/networks/deepseek-v3.json", "H200"},
        {"mixtral-8x22b", "H100"}}) {
    DecodeLoad load{0, 4096, 200};
    const DecodeForm form{Precision::bf16, WeightFormat::fp8};
    const auto work = attention_parallel(decode_work(make_network(network), form, load), 8);
    const DecodeReplicas replicas{work, decode_gpu(*rates.find(gpu), form, 8)};
    const double most = serve_decode(work, replicas.gpu, load).most_sequences_per_s;
    for (const double share : {0.1, 0.3, 0.5, 0.7}) {
      load.sequences_per_s = share * most;
      const auto law = decode_latency(replicas, load);
      const auto played = simulate_decode(replicas, load, {10'000, 3});
      CAPTURE(network);
      CAPTURE(share);
      CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.20));
      CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.50));
      CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.10));
      CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.30));
    }
  }
}

TEST_CASE("decode latency: on an idle GPU both laws of the first token are one") {
  for (const auto& [network, gpu] : {std::pair{"llama-8b", "A100-80GB"},
                                     {"mixtral-8x7b", "H200"},
                                     {"qwen1.5-moe-a2.7b", "A100-80GB"}}) {
    const DecodeLoad idle{0, 128, 256};
    const auto replicas = replica_of(network, gpu, idle);
    const double alone_s = serve_decode(replicas.work, replicas.gpu, idle).first_token_s;
    CAPTURE(network);
    // Its experts are read once: by its prompt or its iteration.
    CHECK(alone_s == doctest::Approx(prompt_seconds(replicas.work, replicas.gpu, idle, 1) +
                                     decode_step_seconds(replicas.work, replicas.gpu, 1, 128)));
    const DecodeLoad rare{1e-9, 128, 256};
    CHECK(decode_latency(replicas, rare).first_token_p50_s == doctest::Approx(alone_s));
    CHECK(serve_decode(replicas.work, replicas.gpu, rare).first_token_s ==
          doctest::Approx(alone_s));
    CHECK(simulate_decode(replicas, rare, {100, 3}).first_token_p50_s ==
          doctest::Approx(alone_s).epsilon(0.01));
  }
}

TEST_CASE("decode latency: the largest load is within its limits, and a little more is not") {
  const DecodeLoad lengths{0, 512, 128};
  const DecodeLimits limits{1.0, 0.030};
  const double most = largest_sequences_per_s({work, a100}, lengths, limits);
  REQUIRE(most > 0);
  CHECK(decodes_within({work, a100}, {0.999 * most, 512, 128}, limits));
  CHECK_FALSE(decodes_within({work, a100}, {1.01 * most, 512, 128}, limits));
  CHECK(largest_sequences_per_s({work, slowed(a100, 1.2)}, lengths, limits) < most);
  // A token takes 12 ms alone.
  CHECK(largest_sequences_per_s({work, a100}, lengths, {1.0, 0.010}) == 0);
  CHECK(largest_sequences_per_s({work, a100}, lengths, {0.05, 0.030}) == 0);
  const double free = largest_sequences_per_s({work, a100}, lengths, {});
  CHECK(free == doctest::Approx(0.85 * serve_decode(work, a100, lengths).most_sequences_per_s));
}

TEST_CASE("decode latency: of several replicas, quantiles are those of the played fleet") {
  const double most = serve_decode(work, a100, {0, 512, 128}).most_sequences_per_s;
  for (const int count : {2, 4, 16}) {
    for (const double share : {0.1, 0.3, 0.5, 0.7}) {
      const DecodeReplicas replicas{work, a100, count};
      const DecodeLoad load{share * count * most, 512, 128};
      const auto law = decode_latency(replicas, load);
      const auto played = simulate_decode(replicas, load, {20'000 * count, 3});
      CAPTURE(count);
      CAPTURE(share);
      CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.20));
      CHECK(law.first_token_p95_s == doctest::Approx(played.first_token_p95_s).epsilon(0.25));
      CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.25));
      CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.05));
      CHECK(law.token_p95_s == doctest::Approx(played.token_p95_s).epsilon(0.08));
      CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.10));
    }
  }
}

// Prompts and outputs as in a provider's conversations and among its programmers.
TEST_CASE("decode latency: of lengths that spread, quantiles are those of the played fleet") {
  for (const auto& [prompt_cv, output_cv] : {std::pair{0.96, 0.77}, {0.96, 2.15}, {0.0, 1.0}}) {
    for (const int count : {1, 4}) {
      DecodeLoad load{0, 512, 128, 0, prompt_cv * 512, output_cv * 128};
      auto replicas = replica_of("llama-8b", "A100-80GB", load);
      replicas.count = count;
      const double most = serve_decode(replicas.work, replicas.gpu, load).most_sequences_per_s;
      for (const double share : {0.1, 0.4, 0.7}) {
        load.sequences_per_s = share * count * most;
        const auto law = decode_latency(replicas, load);
        const auto played = simulate_decode(replicas, load, {20'000 * count, 3});
        CAPTURE(prompt_cv);
        CAPTURE(output_cv);
        CAPTURE(count);
        CAPTURE(share);
        CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.25));
        CHECK(law.first_token_p95_s == doctest::Approx(played.first_token_p95_s).epsilon(0.25));
        CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.30));
        CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.06));
        CHECK(law.token_p95_s == doctest::Approx(played.token_p95_s).epsilon(0.12));
        CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.20));
      }
    }
  }
}

TEST_CASE("decode latency: of sequences in bursts, quantiles are near those of the played fleet") {
  for (const double burst : {2.0, 4.0, 16.0}) {
    for (const int count : {1, 4, 16}) {
      DecodeLoad load{0, 512, 128};
      load.burst = burst;
      const double most = serve_decode(work, l40s, load).most_sequences_per_s;
      for (const double share : {0.05, 0.3, 0.6}) {
        load.sequences_per_s = share * count * most;
        const auto law = decode_latency({work, l40s, count}, load);
        const auto played = simulate_decode({work, l40s, count}, load, {20'000, 3});
        CAPTURE(burst);
        CAPTURE(count);
        CAPTURE(share);
        CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.25));
        CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.30));
        CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.25));
        CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.45));
      }
    }
  }
}

// Prompts and outputs by quantiles of a trace, each drawn by itself; the law knows means and
// deviations.
TEST_CASE("decode latency: of traced lengths, quantiles are near the played iterations'") {
  for (const auto* trace : {"conversation", "code"}) {
    const auto prompts = traced(trace, "prompt");
    const auto outputs = traced(trace, "output");
    DecodeLoad load{0,
                    static_cast<int>(prompts.mean),
                    static_cast<int>(outputs.mean),
                    0,
                    prompts.stddev,
                    outputs.stddev};
    const auto replicas = replica_of("llama-8b", "H100", load);
    const double most = serve_decode(replicas.work, replicas.gpu, load).most_sequences_per_s;
    for (const double share : {0.1, 0.4, 0.7}) {
      load.sequences_per_s = share * most;
      const auto law = decode_latency(replicas, load);
      const auto played =
          simulate_decode(replicas, load, {40'000, 3, prompts.tokens, outputs.tokens});
      CAPTURE(trace);
      CAPTURE(share);
      CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.30));
      CHECK(law.first_token_p99_s == doctest::Approx(played.first_token_p99_s).epsilon(0.35));
      CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.30));
      CHECK(law.token_p99_s == doctest::Approx(played.token_p99_s).epsilon(0.50));
    }
  }
}

// A part of bench_decode_grid.
TEST_CASE("decode latency: the laws are as far off as they say") {
  double first_squares = 0;  // in their own standard deviations
  double token_squares = 0;
  int points = 0;
  for (const int count : {1, 2, 8}) {
    const DecodeReplicas replicas{work, a100, count};
    const double most = count * serve_decode(work, a100, {0, 512, 128}).most_sequences_per_s;
    for (const double share : {0.2, 0.4, 0.6, 0.75}) {
      const DecodeLoad load{share * most, 512, 128};
      const auto law = decode_latency(replicas, load);
      const auto sd = decode_latency_log_sd(replicas, load);
      const auto played = simulate_decode(replicas, load, {20'000 * count, 3});
      const double first = std::log(played.first_token_p99_s / law.first_token_p99_s);
      const double token = std::log(played.token_p99_s / law.token_p99_s);
      first_squares += std::pow(first / sd.first_token, 2);
      token_squares += std::pow(token / sd.token, 2);
      ++points;
    }
  }
  CHECK(std::sqrt(first_squares / points) > 0.3);
  CHECK(std::sqrt(first_squares / points) < 1.3);
  CHECK(std::sqrt(token_squares / points) > 0.3);
  CHECK(std::sqrt(token_squares / points) < 1.3);
  // Of sequences that come now and then they are exact.
  CHECK(decode_latency_log_sd({work, a100}, {1e-9, 512, 128}).first_token < 1e-6);
}

// A token beside few takes experts that nobody else does: where few are in flight, the law of dense
// networks would say 0.02.
TEST_CASE("decode latency: of experts, tokens at light loads are as far off as is said") {
  double squares = 0;
  int points = 0;
  for (const auto& [prompt, output] : {std::pair{128, 256}, {512, 128}}) {
    for (const int count : {1, 2, 8}) {
      DecodeLoad load{0, prompt, output};
      auto replicas = replica_of("mixtral-8x7b", "H200", load);
      replicas.count = count;
      for (const double share : {0.05, 0.2}) {
        load.sequences_per_s =
            share * count * serve_decode(replicas.work, replicas.gpu, load).most_sequences_per_s;
        const auto law = decode_latency(replicas, load);
        const auto played = simulate_decode(replicas, load, {5000 * count, 3});
        const double token = std::log(played.token_p99_s / law.token_p99_s);
        squares += std::pow(token / decode_latency_log_sd(replicas, load).token, 2);
        ++points;
      }
    }
  }
  CHECK(std::sqrt(squares / points) > 0.3);
  CHECK(std::sqrt(squares / points) < 1.3);
}

TEST_CASE("decode latency: so many machines write the load within its limits, one fewer does not") {
  const DecodeReplicas machine{work, a100, 2};
  const DecodeLimits limits{1.0, 0.030};
  const double each = largest_sequences_per_s(machine, {0, 512, 128}, limits);
  for (const double times : {0.5, 3.3, 40.0}) {
    const DecodeLoad load{times * each, 512, 128};
    const int machines = decode_machines_needed(machine, load, limits, 1000);
    CAPTURE(times);
    REQUIRE(machines > 0);
    CHECK(machines <= static_cast<int>(std::ceil(times)));  // they share the load, and its chances
    CHECK(decodes_within({work, a100, 2 * machines}, load, limits));
    if (machines > 1) {
      CHECK_FALSE(decodes_within({work, a100, 2 * (machines - 1)}, load, limits));
    }
  }
  CHECK(decode_machines_needed(machine, {1e6, 512, 128}, limits, 1000) == 0);
  CHECK(decode_machines_needed(machine, {1, 512, 128}, {0.05, 0.030}, 1000) == 0);
}

TEST_CASE("decode latency: one token of output has nothing between tokens") {
  const DecodeLoad lengths{0, 512, 1};
  const double free = largest_sequences_per_s({work, a100}, lengths, {1.0});
  REQUIRE(free > 0);
  CHECK(largest_sequences_per_s({work, a100}, lengths, {1.0, 1e-6}) == free);
  const auto latency = decode_latency({work, a100}, {free, 512, 1});
  CHECK(std::isnan(latency.token_p50_s));
  CHECK(std::isnan(latency.token_p99_s));
  CHECK(latency.first_token_p99_s <= 1.0);
}

// The probabilities of so many in flight go beyond what a double holds unless they are scaled.
TEST_CASE("decode latency: a thousand in flight are steady") {
  const DecodeWork light{.weight_bytes = 16e9,
                         .kv_bytes_per_token = 16e3,
                         .flops_per_token = 1.6e9,
                         .prompt_flops = 1e10};
  const DecodeLoad lengths{0, 16, 1024};
  const auto full = serve_decode(light, a100, lengths);
  REQUIRE(full.most_sequences == 2048);
  const double most = largest_sequences_per_s({light, a100}, lengths, {});
  CHECK(most == doctest::Approx(0.85 * full.most_sequences_per_s));
  const DecodeLoad load{most, 16, 1024};
  const double in_flight = serve_decode(light, a100, load).sequences;
  CHECK(in_flight > 800);
  CHECK(in_flight < 1800);
  const auto law = decode_latency({light, a100}, load);
  const auto played = simulate_decode({light, a100}, load, {20'000, 3});
  CHECK(law.token_p50_s == doctest::Approx(played.token_p50_s).epsilon(0.05));
  CHECK(law.first_token_p50_s == doctest::Approx(played.first_token_p50_s).epsilon(0.20));
}

TEST_CASE("decode latency: beyond what it can write waiting never ends") {
  const auto latency = decode_latency({work, a100}, {100, 512, 128});
  CHECK(std::isinf(latency.first_token_p99_s));
  CHECK(std::isinf(latency.token_p50_s));
  CHECK_FALSE(decodes_within({work, a100}, {100, 512, 128}, {}));
}

TEST_CASE("decode latency: everything twice as slow takes twice as long at half the load") {
  const auto now = decode_latency({work, a100}, {4, 512, 128});
  const auto slow = decode_latency({work, slowed(a100, 2)}, {2, 512, 128});
  CHECK(slow.first_token_p99_s == doctest::Approx(2 * now.first_token_p99_s).epsilon(1e-6));
  CHECK(slow.token_p99_s == doctest::Approx(2 * now.token_p99_s).epsilon(1e-6));
}

TEST_CASE("decode latency: a remembered tail is held to limits as the replicas themselves are") {
  for (const auto* network : {"llama-8b", "mixtral-8x7b"}) {
    DecodeLoad load{0, 512, 128};
    const auto replicas = replica_of(network, "H200", load);
    const double most = serve_decode(replicas.work, replicas.gpu, load).most_sequences_per_s;
    for (const double share : {0.05, 0.6, 1.2}) {
      load.sequences_per_s = share * most;
      const auto tail = decode_tail(replicas, load);
      for (const double first_s : {0.02, 0.1, 0.3, 2.0}) {
        for (const double token_s : {0.004, 0.01, 0.03, 0.2}) {
          for (const double deviations : {-1.0, 0.0, 1.3}) {
            CAPTURE(network);
            CAPTURE(share);
            CAPTURE(first_s);
            CAPTURE(token_s);
            const DecodeLimits limits{first_s, token_s};
            const bool within = decodes_within(replicas, load, limits, deviations);
            CHECK(is_within(tail, limits, deviations) == within);
            CHECK((deviations < 0 || !within || may_be_within(replicas, load, limits)));
          }
        }
      }
    }
  }
}
