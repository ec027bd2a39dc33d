// Waiting for tokens: the closed form against the same replicas played iteration by iteration.
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/network.h"
#include "models/calibration_files.h"
#include "models/calibration_table.h"
#include "models/decode_replicas.h"
#include "models/laws/decode_latency.h"
#include "models/simulate/decode.h"
#include "support/approx.h"

using namespace rightsize;
using rightsize::test::a100;
using rightsize::test::l40s;
using rightsize::test::replica_of;
using rightsize::test::work;

namespace {

struct Traced {
  std::vector<double> tokens;
  double mean = 0;
  double stddev = 0;
};

// Largest differences as shares of p50, p95 and p99.
using Within = std::array<double, 3>;

void check_quantiles(const DecodeLatency& law,
                     const PlayedDecode& played,
                     const Within& first_token,
                     const Within& token) {
  CHECK(law.first_token_p50_s == test::approx(played.first_token_p50_s).epsilon(first_token[0]));
  CHECK(law.first_token_p95_s == test::approx(played.first_token_p95_s).epsilon(first_token[1]));
  CHECK(law.first_token_p99_s == test::approx(played.first_token_p99_s).epsilon(first_token[2]));
  CHECK(law.token_p50_s == test::approx(played.token_p50_s).epsilon(token[0]));
  CHECK(law.token_p95_s == test::approx(played.token_p95_s).epsilon(token[1]));
  CHECK(law.token_p99_s == test::approx(played.token_p99_s).epsilon(token[2]));
}

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
      check_quantiles(law, played, {0.20, 0.15, 0.15}, {0.05, 0.12, 0.16});
    }
  }
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
        check_quantiles(law, played, {0.20, 0.15, 0.20}, {0.15, 0.12, 0.16});
        CHECK(law.joined >= 1);
        CHECK(law.prompt_s ==
              test::approx(prompt_seconds(replicas.work, replicas.gpu, load, law.joined))
                  .epsilon(1e-3));
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
    const DecodeReplicas replicas{
        attention_parallel(decode_work(make_network(network), form, load), 8),
        decode_gpu(*rates.find(gpu), form, 8)};
    const double most = serve_decode(replicas.work, replicas.gpu, load).most_sequences_per_s;
    for (const double share : {0.1, 0.3, 0.5, 0.7}) {
      load.sequences_per_s = share * most;
      const auto law = decode_latency(replicas, load);
      const auto played = simulate_decode(replicas, load, {10'000, 3});
      CAPTURE(network);
      CAPTURE(share);
      CHECK(law.first_token_p50_s == test::approx(played.first_token_p50_s).epsilon(0.20));
      CHECK(law.first_token_p99_s == test::approx(played.first_token_p99_s).epsilon(0.50));
      CHECK(law.token_p50_s == test::approx(played.token_p50_s).epsilon(0.10));
      CHECK(law.token_p99_s == test::approx(played.token_p99_s).epsilon(0.30));
    }
  }
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
      check_quantiles(law, played, {0.20, 0.25, 0.25}, {0.05, 0.08, 0.10});
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
        check_quantiles(law, played, {0.25, 0.25, 0.30}, {0.06, 0.12, 0.20});
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
        CHECK(law.first_token_p50_s == test::approx(played.first_token_p50_s).epsilon(0.25));
        CHECK(law.first_token_p99_s == test::approx(played.first_token_p99_s).epsilon(0.30));
        CHECK(law.token_p50_s == test::approx(played.token_p50_s).epsilon(0.25));
        CHECK(law.token_p99_s == test::approx(played.token_p99_s).epsilon(0.45));
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
      CHECK(law.first_token_p50_s == test::approx(played.first_token_p50_s).epsilon(0.30));
      CHECK(law.first_token_p99_s == test::approx(played.first_token_p99_s).epsilon(0.35));
      CHECK(law.token_p50_s == test::approx(played.token_p50_s).epsilon(0.30));
      CHECK(law.token_p99_s == test::approx(played.token_p99_s).epsilon(0.50));
    }
  }
}
