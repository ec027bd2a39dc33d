#include "kernels/gpu/emulation/block.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <boost/context/detail/exception.hpp>
#include <fmt/format.h>

#include "kernels/gpu/emulation/error.h"

namespace rightsize::emulation {
namespace {

// What the device words refer to; set while a thread of a block runs.
thread_local constinit Block* running_block = nullptr;
thread_local constinit Thread* running_thread = nullptr;

std::string place(const std::source_location& where) {
  return fmt::format("{}:{}", where.file_name(), where.line());
}

bool same(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         std::string_view(a.file_name()) == b.file_name();
}

}  // namespace

Block& this_block() {
  return *running_block;
}

Thread& this_thread() {
  return *running_thread;
}

Block::Block(dim3 grid, dim3 threads, uint3 index, std::size_t dynamic_shared_bytes)
    : grid_(grid),
      dimensions_(threads),
      index_(index),
      threads_(threads.x * threads.y * threads.z),
      shared_(dynamic_shared_bytes) {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const auto at = static_cast<unsigned>(i);
    threads_[i].index = {at % threads.x, at / threads.x % threads.y, at / (threads.x * threads.y)};
    threads_[i].lane = static_cast<int>(i % warp_lanes);
  }
}

std::string Block::describe() const {
  return fmt::format("block ({}, {}, {})", index_.x, index_.y, index_.z);
}

void Block::start(const std::function<void()>& thread_body, Stacks& stacks) {
  for (auto& thread : threads_) {
    thread.fiber = boost::context::fiber(
        std::allocator_arg, stacks, [this, &thread, &thread_body](boost::context::fiber&& back) {
          thread.scheduler = std::move(back);
          try {
            thread_body();
          } catch (const boost::context::detail::forced_unwind&) {
            throw;  // the block is given up; the fiber must end this way
          } catch (...) {
            thrown_ = std::current_exception();
          }
          thread.state = ThreadState::ended;
          return std::move(thread.scheduler);
        });
  }
}

void Block::resume(Thread& thread) {
  running_block = this;
  running_thread = &thread;
  thread.fiber = std::move(thread.fiber).resume();
  running_block = nullptr;
  running_thread = nullptr;
  if (thrown_) {
    std::rethrow_exception(thrown_);
  }
}

void Block::run(const std::function<void()>& thread_body, Stacks& stacks, std::mt19937_64& order) {
  start(thread_body, stacks);
  std::vector<Thread*> ready;
  for (;;) {
    ready.clear();
    bool all_ended = true;
    for (auto& thread : threads_) {
      if (thread.state == ThreadState::ready) {
        ready.push_back(&thread);
      }
      all_ended = all_ended && thread.state == ThreadState::ended;
    }
    if (all_ended) {
      break;
    }
    if (ready.empty()) {
      report_stuck();
    }
    std::shuffle(ready.begin(), ready.end(), order);
    for (auto* thread : ready) {
      resume(*thread);
    }
    release_meetings();
    release_barrier();
  }
  if (const auto fault = shared_.fault(); !fault.empty()) {
    throw EmulationError(fmt::format("{} {}", describe(), fault));
  }
}

void Block::wait(ThreadState state, std::source_location where) {
  Thread& thread = *running_thread;
  thread.state = state;
  thread.where = where;
  thread.scheduler = std::move(thread.scheduler).resume();
}

void Block::barrier(std::source_location where) {
  wait(ThreadState::at_barrier, where);
}

void Block::meet(unsigned mask, const LaneSlot& slot, std::source_location where) {
  Thread& thread = *running_thread;
  if ((mask >> thread.lane & 1U) == 0) {
    throw EmulationError(
        fmt::format("{}: lane {} calls with mask {:#010x}, which leaves itself out; see {}",
                    describe(),
                    thread.lane,
                    mask,
                    place(where)));
  }
  thread.mask = mask;
  thread.brought = slot;
  wait(ThreadState::at_meeting, where);
}

const LaneSlot& Block::brought_by(int lane) const {
  const Thread& thread = *running_thread;
  if (lane < 0 || lane >= warp_lanes || (thread.mask >> lane & 1U) == 0) {
    throw EmulationError(
        fmt::format("{}: lane {} reads lane {}, which its mask {:#010x} leaves out; "
                    "see {}",
                    describe(),
                    thread.lane,
                    lane,
                    thread.mask,
                    place(thread.where)));
  }
  return thread.seen[static_cast<std::size_t>(lane)];
}

void Block::release_barrier() {
  const auto waits = [](const Thread& t) { return t.state == ThreadState::at_barrier; };
  if (!std::all_of(threads_.begin(), threads_.end(), waits)) {
    return;
  }
  for (const auto& thread : threads_) {
    if (!same(thread.where, threads_.front().where)) {
      throw EmulationError(fmt::format("{}: threads of it wait at two barriers, {} and {}",
                                       describe(),
                                       place(threads_.front().where),
                                       place(thread.where)));
    }
  }
  for (auto& thread : threads_) {
    thread.state = ThreadState::ready;
  }
}

// Whether all lanes that `thread` wants to meet in its warp, which starts at `first`, have come.
bool Block::may_meet(std::size_t first, const Thread& thread) const {
  for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
    if ((thread.mask >> lane & 1U) == 0) {
      continue;
    }
    if (first + lane >= threads_.size()) {
      return false;
    }
    const Thread& other = threads_[first + lane];
    if (other.state != ThreadState::at_meeting || other.mask != thread.mask ||
        !same(other.where, thread.where)) {
      return false;
    }
  }
  return true;
}

void Block::release_meetings() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const std::size_t first = i / warp_lanes * warp_lanes;
    if (threads_[i].state != ThreadState::at_meeting || !may_meet(first, threads_[i])) {
      continue;
    }
    const unsigned mask = threads_[i].mask;
    std::array<LaneSlot, warp_lanes> slots{};
    for (std::size_t lane = 0; lane < warp_lanes && first + lane < threads_.size(); ++lane) {
      slots[lane] = threads_[first + lane].brought;
    }
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      if ((mask >> lane & 1U) != 0) {
        threads_[first + lane].seen = slots;
        threads_[first + lane].state = ThreadState::ready;
      }
    }
  }
}

// Says where the threads wait, place by place.
void Block::report_stuck() const {
  std::vector<std::pair<std::string, int>> places;
  for (const auto& thread : threads_) {
    const std::string text = thread.state == ThreadState::ended
                                 ? "have ended"
                                 : fmt::format("wait {} {}",
                                               thread.state == ThreadState::at_barrier
                                                   ? std::string("at the barrier")
                                                   : fmt::format("for lanes {:#010x}", thread.mask),
                                               place(thread.where));
    const auto known =
        std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.first == text; });
    if (known == places.end()) {
      places.emplace_back(text, 1);
    } else {
      ++known->second;
    }
  }
  std::string message =
      fmt::format("{} cannot go on: of its {} threads", describe(), threads_.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    message += fmt::format("{} {} {}", i == 0 ? "" : ",", places[i].second, places[i].first);
  }
  throw EmulationError(message);
}

}  // namespace rightsize::emulation
