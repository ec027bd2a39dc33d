#include "kernels/data/sampler.h"

#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "kernels/data/augment.h"

namespace rightsize {

Permutation::Permutation(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(seed) {
  const auto bits = static_cast<unsigned>(std::bit_width(size > 1 ? size - 1 : 1));
  half_bits_ = (bits + 1) / 2;
}

std::uint64_t Permutation::operator()(std::uint64_t position) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = position >> half_bits_;
    std::uint64_t right = position & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      left = std::exchange(right, left ^ (mix(mix(seed_ + round) ^ right) & mask));
    }
    position = left << half_bits_ | right;
  } while (position >= size_);
  return position;
}

Sampler::Sampler(std::size_t items, const Shard& shard, bool shuffle, std::uint64_t seed)
    : items_(items), shard_(shard), shuffle_(shuffle), seed_(seed) {
  if (shard.rank >= shard.ranks) {
    throw std::invalid_argument(
        fmt::format("rank {} of {}: ranks count from 0", shard.rank, shard.ranks));
  }
}

std::size_t Sampler::size() const {
  return items_ > shard_.rank ? (items_ - shard_.rank - 1) / shard_.ranks + 1 : 0;
}

std::size_t Sampler::item(std::size_t epoch, std::size_t position) const {
  const auto global = position * shard_.ranks + shard_.rank;
  return shuffle_ ? Permutation(items_, mix(seed_) + epoch)(global) : global;
}

}  // namespace rightsize
