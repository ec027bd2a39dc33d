// A bounded buffer between worker threads and one consumer that keeps the order of the tickets,
// whoever finishes first. Every slot is made beforehand; nothing is allocated afterwards.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace rightsize {

// At most `ready` finished slots wait for the consumer. A worker holds one slot, the consumer one.
// A worker that has finished ticket t waits until t is among the next `ready` tickets; the worker
// with the next ticket never waits, so there is no deadlock.
template <class Slot>
class OrderedBuffer {
 public:
  struct Claim {
    std::size_t ticket = 0;
    Slot* slot = nullptr;
  };

  OrderedBuffer(std::size_t ready, std::size_t workers, const Slot& model)
      : slots_(ready + workers + 1, model), waiting_(ready) {
    for (auto& slot : slots_) {
      free_.push_back(&slot);
    }
  }

  // The next ticket and a slot to fill; nullopt when there are no tickets left or on stop.
  std::optional<Claim> claim(const std::stop_token& stop) {
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested() || next_ticket_ >= end_) {
      return std::nullopt;
    }
    const Claim claim{next_ticket_++, free_.back()};
    free_.pop_back();
    return claim;
  }

  // Hands over a filled slot, or the reason why it is not filled. False on stop.
  bool publish(const Claim& claim, std::exception_ptr error, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!room_.wait(lock, stop, [&] { return claim.ticket < head_ + waiting_.size(); })) {
      free_.push_back(claim.slot);
      return false;
    }
    waiting_[claim.ticket % waiting_.size()] = {claim.slot, std::move(error)};
    filled_.notify_all();
    return true;
  }

  // Consumer only. Blocks for the next slot in order; it stays the consumer's until the next call.
  // Rethrows what that ticket's worker gave, at this and every later call.
  Slot& take() {
    std::unique_lock lock(mutex_);
    give_back_taken();
    auto& place = waiting_[head_ % waiting_.size()];
    filled_.wait(lock, [&] { return place.slot != nullptr; });
    if (place.error) {
      std::rethrow_exception(place.error);
    }
    taken_ = place.slot;
    place = {};
    ++head_;
    room_.notify_all();
    return *taken_;
  }

  // Tickets from `end` on are not handed out.
  void set_end(std::size_t end) {
    const std::lock_guard lock(mutex_);
    end_ = end;
  }

  // Finished slots that wait for the consumer now.
  [[nodiscard]] std::size_t ready() const {
    const std::lock_guard lock(mutex_);
    std::size_t count = 0;
    for (const auto& place : waiting_) {
      count += place.slot != nullptr ? 1 : 0;
    }
    return count;
  }

 private:
  struct Place {
    Slot* slot = nullptr;
    std::exception_ptr error;
  };

  void give_back_taken() {
    if (taken_ != nullptr) {
      free_.push_back(taken_);
      taken_ = nullptr;
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable_any room_;
  std::condition_variable filled_;
  std::vector<Slot> slots_;
  std::vector<Slot*> free_;
  std::vector<Place> waiting_;  // ticket % size
  Slot* taken_ = nullptr;
  std::size_t head_ = 0;  // ticket that take() returns next
  std::size_t next_ticket_ = 0;
  std::size_t end_ = static_cast<std::size_t>(-1);
};

}  // namespace rightsize
