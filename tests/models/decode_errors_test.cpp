// Waiting for tokens: how far the closed form is from what is played, against what it says itself.
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "models/decode_replicas.h"
#include "models/laws/decode_latency.h"
#include "models/simulate/decode.h"
#include "support/approx.h"

using namespace rightsize;
using rightsize::test::a100;
using rightsize::test::l40s;
using rightsize::test::replica_of;
using rightsize::test::work;

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

// bench_decode_grid's points of bursts up to that load, each played a quarter as long.
TEST_CASE("decode latency: in bursts the laws are as far off as models/README.md says") {
  double first_squares = 0;
  double token_squares = 0;
  int points = 0;
  const auto add = [&](const DecodeReplicas& replicas, const DecodeLoad& load) {
    const auto law = decode_latency(replicas, load);
    const auto played = simulate_decode(replicas, load, {5000 * replicas.count, 3});
    first_squares += std::pow(std::log(played.first_token_p99_s / law.first_token_p99_s), 2);
    token_squares += std::pow(std::log(played.token_p99_s / law.token_p99_s), 2);
    ++points;
  };
  for (const auto& [prompt, output] : {std::pair{128, 256}, {512, 128}, {2048, 256}}) {
    for (const auto* gpu : {&a100, &l40s}) {
      DecodeReplicas replicas{work, *gpu};
      replicas.work.prompt_flops = 16e9 * prompt;
      for (const double burst : {4.0, 16.0}) {
        DecodeLoad load{0, prompt, output, 0, 0.96 * prompt, 0.77 * output, burst};
        const double most = serve_decode(replicas.work, *gpu, load).most_sequences_per_s;
        for (const int count : {1, 2, 8}) {
          replicas.count = count;
          for (const double share : {0.05, 0.2, 0.4, 0.6}) {
            load.sequences_per_s = share * count * most;
            add(replicas, load);
          }
        }
      }
    }
  }
  CHECK(std::sqrt(first_squares / points) == test::approx(0.13).epsilon(0.2));
  CHECK(std::sqrt(token_squares / points) == test::approx(0.22).epsilon(0.2));
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
