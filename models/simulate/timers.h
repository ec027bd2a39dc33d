// One timer per slot and the earliest of them all: a tournament tree over a fixed number of slots.
// A data path has few actors and each waits for one thing, so that setting a timer anew beats a
// queue of events: nothing is ever stale, nothing allocates, and setting costs one comparison per
// level whose operand does not depend on the level below. Equal times: the lower slot first.
// Structure: Knuth, "The Art of Computer Programming", vol. 3, section 5.4.1.
#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <vector>

#include "models/simulate/time.h"

namespace rightsize::simulate {

class Timers {
 public:
  explicit Timers(std::size_t slots)
      : leaves_(std::bit_ceil(slots > 0 ? slots : 1)), nodes_(2 * leaves_, {never, 0}) {
    for (std::size_t slot = 0; slot < leaves_; ++slot) {
      set(slot, never);
    }
  }

  void set(std::size_t slot, Nanoseconds due) {
    assert(slot < leaves_);
    std::size_t node = leaves_ + slot;
    Node winner{due, slot};
    nodes_[node] = winner;
    while (node > 1) {
      const Node& sibling = nodes_[node ^ 1];
      // A right child gives way to an equal left one.
      if (sibling.due < winner.due + static_cast<Nanoseconds>(node & 1)) {
        winner = sibling;
      }
      node >>= 1;
      nodes_[node] = winner;
    }
  }

  [[nodiscard]] Nanoseconds due() const { return nodes_[1].due; }  // never: no timer is set
  [[nodiscard]] std::size_t first() const { return nodes_[1].slot; }
  [[nodiscard]] std::size_t slots() const { return leaves_; }

 private:
  struct Node {
    Nanoseconds due;
    std::size_t slot;
  };

  std::size_t leaves_;
  std::vector<Node> nodes_;  // nodes_[1] is the root, the children of n are 2n and 2n + 1
};

}  // namespace rightsize::simulate
