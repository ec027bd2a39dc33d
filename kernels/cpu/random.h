// Random numbers by counter: the n-th number of a stream is a function of (seed, stream, n), so
// threads need no shared state and a mask can be made again instead of being stored.
// The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace rightsize::cpu {

inline std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// A stream of its own for each (seed, purpose).
inline std::uint64_t stream_key(std::uint64_t seed, std::uint64_t purpose) {
  return mix(mix(seed) ^ mix(purpose + 0x632be59bd9b4e019ULL));
}

// Uniform in [0, 1), 24 bits: every value is exact in float.
inline float uniform(std::uint64_t key, std::uint64_t n) {
  return static_cast<float>(mix(key ^ n * 0xd1342543de82ef95ULL) >> 40) * 0x1p-24F;
}

// Standard normal by Box and Muller.
inline float normal(std::uint64_t key, std::uint64_t n) {
  const float radius = std::sqrt(-2.0F * std::log(1.0F - uniform(key, 2 * n)));
  return radius * std::cos(2.0F * std::numbers::pi_v<float> * uniform(key, 2 * n + 1));
}

}  // namespace rightsize::cpu
