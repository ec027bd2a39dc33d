#include "kernels/parallel/rank_threads.h"

#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "kernels/engine.h"

namespace rightsize {

RankThreads::RankThreads(std::size_t ranks) {
  try {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      threads_.emplace_back([this, rank] { serve(rank); });
    }
  } catch (const std::system_error& error) {
    stop();  // those that started wait for it
    throw EngineError(fmt::format("cannot start {} ranks: {}; ask for fewer", ranks, error.what()));
  }
}

RankThreads::~RankThreads() {
  stop();
}

void RankThreads::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void RankThreads::run(const std::function<void(std::size_t)>& work,
                      const std::function<void()>& failed) {
  std::unique_lock lock(mutex_);
  work_ = &work;
  failed_ = &failed;
  busy_ = threads_.size();
  ++generation_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return busy_ == 0; });
  if (error_) {
    std::rethrow_exception(std::exchange(error_, nullptr));
  }
}

void RankThreads::serve(std::size_t rank) {
  std::size_t done = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopping_ || generation_ != done; });
    if (stopping_) {
      return;
    }
    done = generation_;
    lock.unlock();
    perform(rank);
    lock.lock();
    if (--busy_ == 0) {
      changed_.notify_all();
    }
  }
}

void RankThreads::perform(std::size_t rank) {
  try {
    (*work_)(rank);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!error_) {
      error_ = std::current_exception();
      if (*failed_) {
        (*failed_)();
      }
    }
  }
}

}  // namespace rightsize
