// One block of an emulated launch: its threads as fibers, its shared memory, and where they meet.
// See launch.h for the contract.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <random>
#include <source_location>
#include <string>
#include <vector>

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <vector_types.h>

#include "kernels/gpu/emulation/shared_memory.h"

namespace rightsize::emulation {

inline constexpr int warp_lanes = 32;

struct alignas(16) LaneSlot {  // what a lane brings to a meeting of its warp
  std::array<std::byte, 16> bytes{};
};

enum class ThreadState { ready, at_barrier, at_meeting, ended };

struct Thread {
  uint3 index{};
  int lane = 0;
  ThreadState state = ThreadState::ready;
  std::source_location where;  // of the barrier or meeting it waits at
  unsigned mask = 0;           // lanes that are to meet
  LaneSlot brought;
  std::array<LaneSlot, warp_lanes> seen{};  // what the lanes of the last meeting brought
  boost::context::fiber fiber;              // the thread, while it does not run
  boost::context::fiber scheduler;          // the way back, while it runs
};

class Block {
 public:
  using Stacks = boost::context::pooled_fixedsize_stack;

  Block(dim3 grid, dim3 threads, uint3 index, std::size_t dynamic_shared_bytes);

  // Until every thread has ended; throws EmulationError, or what a thread threw.
  void run(const std::function<void()>& thread_body, Stacks& stacks, std::mt19937_64& order);

  [[nodiscard]] const dim3& grid() const { return grid_; }
  [[nodiscard]] const dim3& threads() const { return dimensions_; }
  [[nodiscard]] const uint3& index() const { return index_; }
  [[nodiscard]] std::string describe() const;

  // Called by the threads.
  void barrier(std::source_location where);
  void meet(unsigned mask, const LaneSlot& slot, std::source_location where);
  [[nodiscard]] const LaneSlot& brought_by(int lane) const;  // to the calling thread's last meeting
  [[nodiscard]] SharedMemory& shared() { return shared_; }

 private:
  void start(const std::function<void()>& thread_body, Stacks& stacks);
  void wait(ThreadState state, std::source_location where);
  void resume(Thread& thread);
  void release_barrier();
  void release_meetings();
  bool may_meet(std::size_t first, const Thread& thread) const;
  [[noreturn]] void report_stuck() const;

  dim3 grid_;
  dim3 dimensions_;
  uint3 index_;
  std::vector<Thread> threads_;
  SharedMemory shared_;
  std::exception_ptr thrown_;
};

// Of the thread that runs now; only inside a kernel.
[[nodiscard]] Block& this_block();
[[nodiscard]] Thread& this_thread();

}  // namespace rightsize::emulation
