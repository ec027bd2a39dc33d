// compress.cu against the CPU engine's compression.
#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/exchange_kernels.h"
#include "kernels/parallel/compressed_exchange.h"

namespace rightsize::test {
namespace {

constexpr int ranks = 3;
constexpr std::int64_t counts[] = {1, 15, 16, 17, 33, 500, 2100};

// One rank's memory of one gradient, on both sides.
struct Rank {
  explicit Rank(std::int64_t count)
      : here(static_cast<std::size_t>(count)),
        codes(static_cast<std::size_t>(gpu::code_words(count))),
        there(std::vector<float>(static_cast<std::size_t>(count), 0.0F)) {}

  std::vector<float> here;
  std::vector<std::uint32_t> codes;
  DeviceArray<float> there;
};

TEST_CASE("emulated kernels: two-bit codes, what they leave over and their mean are the CPU's") {
  for (auto type : all_types) {
    for (auto count : counts) {
      const auto words = gpu::code_words(count);
      std::vector<Rank> all;
      for (int rank = 0; rank < ranks; ++rank) {
        all.emplace_back(count);
      }
      for (std::uint64_t step = 0; step < 3; ++step) {
        const DeviceArray<std::uint32_t> codes(static_cast<std::size_t>(ranks * words));
        std::vector<float> mean(static_cast<std::size_t>(count));
        for (int r = 0; r < ranks; ++r) {
          auto& rank = all[static_cast<std::size_t>(r)];
          const DeviceTensor gradient(type, random_values(count, 70 + 10 * step + r));
          compress(as_floats(gradient.values()), rank.here, rank.codes);
          auto* const own = codes.data() + r * words;
          gpu::launch_compress(
              gradient.data(), rank.there.data(), own, type, count, compression_threshold, nullptr);
          CHECK(std::vector(own, own + words) == rank.codes);
          CHECK(rank.there.values() == rank.here);
          add_decompressed(rank.codes, 0, mean);
        }
        codes.check();
        for (auto& value : mean) {
          value /= ranks;
        }
        const DeviceTensor result(type, count);
        gpu::launch_decompress_mean(
            codes.data(), ranks, result.data(), type, count, compression_threshold, nullptr);
        check_near(result.values(), as_doubles(mean), type, 0);
      }
    }
  }
}

}  // namespace
}  // namespace rightsize::test
