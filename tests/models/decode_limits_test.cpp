// Waiting for tokens within limits: the largest load, and how many machines.
#include <cmath>

#include <doctest/doctest.h>

#include "models/decode_replicas.h"
#include "models/laws/decode_latency.h"
#include "support/approx.h"

using namespace rightsize;
using rightsize::test::a100;
using rightsize::test::replica_of;
using rightsize::test::work;

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
  CHECK(free == test::approx(0.85 * serve_decode(work, a100, lengths).most_sequences_per_s));
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
