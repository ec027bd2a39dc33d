// How far the laws of decode_latency.h are from the played replicas, up to a share of what those
// can write: what explanations say of them.
#pragma once

namespace rightsize {

// Where sequences come one by one: the largest errors, of the played quantiles
// (decode_played_test).
struct DecodeErrorsSingly {
  double up_to = 0.7;  // of the most
  double quantiles = 0.20;
  double first_token_p50 = 0.25;
};

// Where they come in bursts, of 4 and 16: root mean squares of ln(played p99 / p99 here)
// (tests/bench/decode_grid.cpp, models/README.md).
struct DecodeErrorsInBursts {
  double up_to = 0.6;
  double first_token = 0.13;
  double token = 0.22;
};

inline constexpr DecodeErrorsSingly decode_errors_singly{};
inline constexpr DecodeErrorsInBursts decode_errors_in_bursts{};

}  // namespace rightsize
