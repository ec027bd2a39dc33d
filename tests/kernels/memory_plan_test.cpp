#include "kernels/cpu/memory_plan.h"

#include <random>

#include <doctest/doctest.h>

using rightsize::cpu::Lifetime;
using rightsize::cpu::plan_memory;

TEST_CASE("memory plan: buffers alive together never overlap, and offsets are aligned") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Lifetime> buffers;
    for (int i = 0; i < 60; ++i) {
      const int first = static_cast<int>(random() % 40);
      buffers.push_back({random() % 5000, first, first + static_cast<int>(random() % 10)});
    }
    const auto plan = plan_memory(buffers);
    int alive_together = 0;
    for (std::size_t a = 0; a < buffers.size(); ++a) {
      CHECK(plan.offsets[a] % rightsize::cpu::alignment == 0);
      CHECK(plan.offsets[a] + buffers[a].bytes <= plan.bytes);
      for (std::size_t b = 0; b < a; ++b) {
        if (buffers[a].first <= buffers[b].last && buffers[b].first <= buffers[a].last) {
          ++alive_together;
          CHECK((plan.offsets[a] + buffers[a].bytes <= plan.offsets[b] ||
                 plan.offsets[b] + buffers[b].bytes <= plan.offsets[a]));
        }
      }
    }
    CHECK(alive_together > 100);
  }
}

TEST_CASE("memory plan: a chain needs room for the largest neighbours only") {
  std::vector<Lifetime> chain;  // each buffer is written at i and read at i + 1
  for (int i = 0; i < 100; ++i) {
    chain.push_back({std::size_t{64} * 100, i, i + 1});
  }
  CHECK(plan_memory(chain).bytes == std::size_t{64} * 100 * 2);
}

TEST_CASE("memory plan: what is never used takes no room") {
  CHECK(plan_memory(std::vector<Lifetime>{{4096, 0, -1}}).bytes == 0);
}
