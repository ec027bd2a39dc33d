#include "kernels/parallel/compressed_exchange.h"

#include <algorithm>

#include "kernels/parallel/barrier.h"

namespace rightsize {
namespace {

enum Code : std::uint32_t { nothing = 0, plus = 1, minus = 2 };

class CompressedExchange final : public GradientExchange {
 public:
  explicit CompressedExchange(std::size_t ranks) : ranks_(ranks), barrier_(ranks) {}

  void reserve(std::size_t rank, const GradientBuffers& mine) override {
    for (const auto buffer : mine) {
      ranks_[rank].residuals.emplace_back(buffer.size());
      ranks_[rank].codes.emplace_back((buffer.size() + codes_per_word - 1) / codes_per_word);
    }
  }
  [[nodiscard]] std::size_t memory_bytes() const override {
    std::size_t sum = 0;
    for (const auto& rank : ranks_) {
      for (std::size_t i = 0; i < rank.codes.size(); ++i) {
        sum +=
            rank.residuals[i].size() * sizeof(float) + rank.codes[i].size() * sizeof(std::uint32_t);
      }
    }
    return sum;
  }

  void average(std::size_t rank, const GradientBuffers& mine) override {
    auto& own = ranks_[rank];
    for (std::size_t i = 0; i < mine.size(); ++i) {
      compress(mine[i], own.residuals[i], own.codes[i]);
    }
    own.buffers = &mine;
    barrier_.wait();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      add_up(rank, i, mine[i]);
    }
    barrier_.wait();
    for (std::size_t i = 0; i < mine.size(); ++i) {
      fetch(rank, i, mine[i]);
    }
    barrier_.wait();
  }
  void abandon() override { barrier_.break_up(); }

 private:
  struct Rank {
    std::vector<std::vector<float>> residuals;
    std::vector<std::vector<std::uint32_t>> codes;
    const GradientBuffers* buffers = nullptr;
  };

  void add_up(std::size_t rank, std::size_t buffer, std::span<float> mine) const {
    const auto share = share_of(mine.size(), rank, ranks_.size());
    const auto sum = mine.subspan(share.begin, share.end - share.begin);
    std::ranges::fill(sum, 0.0F);
    for (const auto& other : ranks_) {
      add_decompressed(other.codes[buffer], share.begin, sum);
    }
    for (auto& value : sum) {
      value /= static_cast<float>(ranks_.size());
    }
  }

  void fetch(std::size_t rank, std::size_t buffer, std::span<float> mine) const {
    for (std::size_t other = 0; other < ranks_.size(); ++other) {
      if (other != rank) {
        const auto share = share_of(mine.size(), other, ranks_.size());
        const auto theirs = (*ranks_[other].buffers)[buffer];
        std::copy(theirs.begin() + static_cast<std::ptrdiff_t>(share.begin),
                  theirs.begin() + static_cast<std::ptrdiff_t>(share.end),
                  mine.begin() + static_cast<std::ptrdiff_t>(share.begin));
      }
    }
  }

  std::vector<Rank> ranks_;
  Barrier barrier_;
};

}  // namespace

void compress(std::span<const float> gradient,
              std::span<float> residual,
              std::span<std::uint32_t> codes,
              float threshold) {
  for (std::size_t word = 0; word < codes.size(); ++word) {
    const auto first = word * codes_per_word;
    const auto last = std::min(first + codes_per_word, gradient.size());
    std::uint32_t packed = 0;
    for (auto i = first; i < last; ++i) {
      const float value = residual[i] + gradient[i];
      const Code code = value >= threshold ? plus : value <= -threshold ? minus : nothing;
      residual[i] = value - (code == plus ? threshold : code == minus ? -threshold : 0.0F);
      packed |= code << (2 * (i - first));
    }
    codes[word] = packed;
  }
}

void add_decompressed(std::span<const std::uint32_t> codes,
                      std::size_t begin,
                      std::span<float> sum,
                      float threshold) {
  const float values[4] = {0, threshold, -threshold, 0};
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const auto at = begin + i;
    sum[i] += values[codes[at / codes_per_word] >> (2 * (at % codes_per_word)) & 3U];
  }
}

std::unique_ptr<GradientExchange> make_compressed_exchange(std::size_t ranks) {
  return std::make_unique<CompressedExchange>(ranks);
}

}  // namespace rightsize
