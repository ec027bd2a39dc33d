// Which item comes when: a fresh permutation each epoch, dealt out to the ranks. Stateless, so that
// any worker can ask about any position without shared storage.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rightsize {

// A bijection of 0 .. size - 1: a Feistel network on the next even number of bits, walked until the
// value falls inside. Reference: Black and Rogaway, "Ciphers with arbitrary finite domains", 2002.
class Permutation {
 public:
  Permutation(std::uint64_t size, std::uint64_t seed);

  [[nodiscard]] std::uint64_t operator()(std::uint64_t position) const;

 private:
  std::uint64_t size_;
  std::uint64_t seed_;
  unsigned half_bits_ = 1;
};

struct Shard {
  std::size_t rank = 0;
  std::size_t ranks = 1;
};

// Rank r gets positions r, r + ranks, ... of every epoch's order: together all items, each once.
class Sampler {
 public:
  Sampler(std::size_t items, const Shard& shard, bool shuffle, std::uint64_t seed);

  [[nodiscard]] std::size_t size() const;  // items of this shard per epoch
  [[nodiscard]] std::size_t item(std::size_t epoch, std::size_t position) const;

 private:
  std::size_t items_;
  Shard shard_;
  bool shuffle_;
  std::uint64_t seed_;
};

}  // namespace rightsize
