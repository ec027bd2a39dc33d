// How data-parallel ranks turn their gradients into the mean of all (MXNet's key-value stores
// `local`, `device` and `nccl` on one machine).
//   local   all copy to the host's memory, one adds up, all copy back
//   device  every rank adds up its share of every gradient, then all fetch the other shares
//   nccl    ring all-reduce: 2 (ranks - 1) rounds of one share each (Patarasuk and Yuan, JPDC 2009)
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "kernels/workload.h"

namespace rightsize {

// One rank's gradients, buffer by buffer; the same sizes on all ranks.
using GradientBuffers = std::vector<std::span<float>>;

class GradientExchange {
 public:
  GradientExchange() = default;
  GradientExchange(const GradientExchange&) = delete;
  GradientExchange& operator=(const GradientExchange&) = delete;
  virtual ~GradientExchange() = default;

  // Called once for every rank before the first exchange, so that those allocate nothing.
  virtual void reserve(std::size_t, const GradientBuffers&) {}
  [[nodiscard]] virtual std::size_t memory_bytes() const { return 0; }  // beside the gradients

  // Called by every rank from its own thread; when it returns, `mine` holds the mean over all
  // ranks. Throws EngineError when another rank failed.
  virtual void average(std::size_t rank, const GradientBuffers& mine) = 0;
  // A rank that failed lets the others go.
  virtual void abandon() = 0;
};

// `compression`: two_bit goes with `device` alone, as in MXNet; EngineError otherwise.
[[nodiscard]] std::unique_ptr<GradientExchange> make_exchange(Exchange exchange,
                                                              Compression compression,
                                                              std::size_t ranks);

// The part of `count` elements that is rank `rank`'s to add up; multiples of 16 but for the last,
// so that two ranks do not write to one cache line.
struct Share {
  std::size_t begin = 0;
  std::size_t end = 0;
};
[[nodiscard]] Share share_of(std::size_t count, std::size_t rank, std::size_t ranks);

}  // namespace rightsize
