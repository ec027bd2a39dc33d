// Waiting for tokens: what the closed form is at its ends.
#include "models/laws/decode_latency.h"

#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "models/decode_replicas.h"
#include "models/simulate/decode.h"
#include "support/approx.h"

using namespace rightsize;
using rightsize::test::a100;
using rightsize::test::replica_of;
using rightsize::test::work;

TEST_CASE("decode latency: one alone waits for its prompt and an iteration") {
  const DecodeLoad load{1e-6, 512, 128};
  const auto law = decode_latency({work, a100}, load);
  const double step_s = decode_step_seconds(work, a100, 1, 576);
  CHECK(law.token_p50_s == test::approx(step_s).epsilon(1e-3));
  CHECK(law.first_token_p50_s ==
        test::approx(prompt_seconds(work, a100, load) + step_s).epsilon(1e-2));
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
    CHECK(alone_s == test::approx(prompt_seconds(replicas.work, replicas.gpu, idle, 1) +
                                  decode_step_seconds(replicas.work, replicas.gpu, 1, 128)));
    const DecodeLoad rare{1e-9, 128, 256};
    CHECK(decode_latency(replicas, rare).first_token_p50_s == test::approx(alone_s));
    CHECK(serve_decode(replicas.work, replicas.gpu, rare).first_token_s == test::approx(alone_s));
    CHECK(simulate_decode(replicas, rare, {100, 3}).first_token_p50_s ==
          test::approx(alone_s).epsilon(0.01));
  }
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
  CHECK(most == test::approx(0.85 * full.most_sequences_per_s));
  const DecodeLoad load{most, 16, 1024};
  const double in_flight = serve_decode(light, a100, load).sequences;
  CHECK(in_flight > 800);
  CHECK(in_flight < 1800);
  const auto law = decode_latency({light, a100}, load);
  const auto played = simulate_decode({light, a100}, load, {20'000, 3});
  CHECK(law.token_p50_s == test::approx(played.token_p50_s).epsilon(0.05));
  CHECK(law.first_token_p50_s == test::approx(played.first_token_p50_s).epsilon(0.25));
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
  CHECK(slow.first_token_p99_s == test::approx(2 * now.first_token_p99_s).epsilon(1e-6));
  CHECK(slow.token_p99_s == test::approx(2 * now.token_p99_s).epsilon(1e-6));
}
