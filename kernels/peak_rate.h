// Arithmetic without memory: what one core does when nothing keeps it from computing. Independent
// chains of vector operations, enough of them to hide the latency of each.
#pragma once

#include <cstdint>
#include <string_view>

namespace rightsize {

// The instruction sets of Limits::isa: "sse41", "avx2" (with FMA), "avx512" (F).
[[nodiscard]] bool cpu_has(std::string_view isa);

// Runs `rounds` rounds on the calling thread and returns how many operations that were: multiply
// and add of float32 count as two. Throws std::invalid_argument for a set this CPU lacks.
[[nodiscard]] std::uint64_t run_float_operations(std::string_view isa, std::uint64_t rounds);

// Likewise additions of 32-bit integers.
[[nodiscard]] std::uint64_t run_integer_operations(std::string_view isa, std::uint64_t rounds);

}  // namespace rightsize
