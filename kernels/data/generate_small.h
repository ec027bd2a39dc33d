// Makes the small data sets in the files of the real ones: MNIST-like, CIFAR-10-like,
// PTB-like, IMDb-like. Learnable, and the same bytes for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

enum class SmallKind { mnist, cifar, ptb, imdb };

[[nodiscard]] std::optional<SmallKind> parse_small_kind(std::string_view text);

struct SmallOptions {
  SmallKind kind = SmallKind::mnist;
  std::string directory;
  std::size_t items =
      0;            // pictures, documents, or words of the PTB-like stream; 0: as the original
  int classes = 0;  // 0: as the original; ignored by ptb
  int vocabulary = 10'000;  // ptb, imdb
  std::uint64_t seed = 1;
};

struct SmallSummary {
  std::string path;  // what a reader opens
  std::size_t items = 0;
  std::uint64_t bytes = 0;
  std::optional<double> source_perplexity;  // ptb: of a reader who knows how it was made
};

// Replaces what is there. Throws DataError (full disk, no permission).
[[nodiscard]] SmallSummary generate_small(
    const SmallOptions& options,
    const std::function<void(std::size_t done, std::size_t total)>& progress = {});

}  // namespace rightsize
