#include "kernels/peak_rate.h"

#include <array>
#include <stdexcept>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rightsize {
namespace {

using Operations = std::uint64_t (*)(std::uint64_t rounds);

struct IsaOperations {
  std::string_view isa;
  bool (*present)();
  Operations floats;
  Operations integers;
};

#if defined(__x86_64__)

// A vector in an array keeps its size and alignment; what GCC says it drops is the mark by which a
// vector type may alias others, and nothing here does.
#pragma GCC diagnostic ignored "-Wignored-attributes"

constexpr std::size_t chains = 12;  // 4 cycles of latency x 2 units, and some
constexpr std::uint64_t repeats = 64;

// What the compiler must believe is needed.
template <typename Vector>
void keep(const std::array<Vector, chains>& values) {
  for (const auto& value : values) {
    asm volatile("" : : "x"(value));
  }
}

[[gnu::target("sse4.1")]] std::uint64_t sse41_floats(std::uint64_t rounds) {
  std::array<__m128, chains> sums{};
  const __m128 factor = _mm_set1_ps(0.999F);
  const __m128 term = _mm_set1_ps(1e-3F);
  for (std::uint64_t i = 0; i < rounds * repeats; ++i) {
    for (auto& sum : sums) {
      sum = _mm_add_ps(_mm_mul_ps(sum, factor), term);
    }
  }
  keep(sums);
  return rounds * repeats * chains * 4 * 2;
}

[[gnu::target("sse4.1")]] std::uint64_t sse41_integers(std::uint64_t rounds) {
  std::array<__m128i, chains> sums{};
  const __m128i term = _mm_set1_epi32(3);
  for (std::uint64_t i = 0; i < rounds * repeats; ++i) {
    for (auto& sum : sums) {
      sum = _mm_add_epi32(sum, term);
      asm volatile("" : "+x"(sum));  // or the sum of all rounds is computed at once
    }
  }
  keep(sums);
  return rounds * repeats * chains * 4;
}

[[gnu::target("avx2,fma")]] std::uint64_t avx2_floats(std::uint64_t rounds) {
  std::array<__m256, chains> sums{};
  const __m256 factor = _mm256_set1_ps(0.999F);
  const __m256 term = _mm256_set1_ps(1e-3F);
  for (std::uint64_t i = 0; i < rounds * repeats; ++i) {
    for (auto& sum : sums) {
      sum = _mm256_fmadd_ps(sum, factor, term);
    }
  }
  for (const auto& sum : sums) {
    asm volatile("" : : "x"(sum));
  }
  return rounds * repeats * chains * 8 * 2;
}

[[gnu::target("avx2")]] std::uint64_t avx2_integers(std::uint64_t rounds) {
  std::array<__m256i, chains> sums{};
  const __m256i term = _mm256_set1_epi32(3);
  for (std::uint64_t i = 0; i < rounds * repeats; ++i) {
    for (auto& sum : sums) {
      sum = _mm256_add_epi32(sum, term);
      asm volatile("" : "+x"(sum));
    }
  }
  return rounds * repeats * chains * 8;
}

[[gnu::target("avx512f")]] std::uint64_t avx512_floats(std::uint64_t rounds) {
  std::array<__m512, chains> sums{};
  const __m512 factor = _mm512_set1_ps(0.999F);
  const __m512 term = _mm512_set1_ps(1e-3F);
  for (std::uint64_t i = 0; i < rounds * repeats; ++i) {
    for (auto& sum : sums) {
      sum = _mm512_fmadd_ps(sum, factor, term);
    }
  }
  for (const auto& sum : sums) {
    asm volatile("" : : "v"(sum));
  }
  return rounds * repeats * chains * 16 * 2;
}

[[gnu::target("avx512f")]] std::uint64_t avx512_integers(std::uint64_t rounds) {
  std::array<__m512i, chains> sums{};
  const __m512i term = _mm512_set1_epi32(3);
  for (std::uint64_t i = 0; i < rounds * repeats; ++i) {
    for (auto& sum : sums) {
      sum = _mm512_add_epi32(sum, term);
      asm volatile("" : "+v"(sum));
    }
  }
  return rounds * repeats * chains * 16;
}

constexpr std::array table{
    IsaOperations{"sse41",
                  [] { return __builtin_cpu_supports("sse4.1") != 0; },
                  sse41_floats,
                  sse41_integers},
    IsaOperations{
        "avx2",
        [] { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; },
        avx2_floats,
        avx2_integers},
    IsaOperations{"avx512",
                  [] { return __builtin_cpu_supports("avx512f") != 0; },
                  avx512_floats,
                  avx512_integers}};

#else
constexpr std::array<IsaOperations, 0> table{};
#endif

const IsaOperations* find(std::string_view isa) {
  for (const auto& entry : table) {
    if (entry.isa == isa && entry.present()) {
      return &entry;
    }
  }
  return nullptr;
}

const IsaOperations& require(std::string_view isa) {
  const auto* found = find(isa);
  if (found == nullptr) {
    throw std::invalid_argument("this CPU has no " + std::string(isa));
  }
  return *found;
}

}  // namespace

bool cpu_has(std::string_view isa) {
  return find(isa) != nullptr;
}

std::uint64_t run_float_operations(std::string_view isa, std::uint64_t rounds) {
  return require(isa).floats(rounds);
}

std::uint64_t run_integer_operations(std::string_view isa, std::uint64_t rounds) {
  return require(isa).integers(rounds);
}

}  // namespace rightsize
