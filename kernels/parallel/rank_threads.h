// One thread for each rank, alive as long as the engine: OpenMP keeps a team per thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace rightsize {

class RankThreads {
 public:
  explicit RankThreads(std::size_t ranks);
  RankThreads(const RankThreads&) = delete;
  RankThreads& operator=(const RankThreads&) = delete;
  ~RankThreads();

  // Runs work(rank) on every rank's thread and waits for all. When some throw, the exception of the
  // one that threw first goes on; `failed` is called at that moment, to let the others go.
  void run(const std::function<void(std::size_t rank)>& work,
           const std::function<void()>& failed = {});

 private:
  void stop();
  void serve(std::size_t rank);
  void perform(std::size_t rank);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  const std::function<void()>* failed_ = nullptr;
  std::size_t generation_ = 0;
  std::size_t busy_ = 0;
  bool stopping_ = false;
  std::exception_ptr error_;
  std::vector<std::jthread> threads_;  // last: they use the others
};

}  // namespace rightsize
