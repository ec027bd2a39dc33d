// The strategies that average gradients between GPUs, with threads for ranks and copies between
// them for NCCL, against the CPU engine's.
#include "kernels/gpu/gradient_average.h"

#include <algorithm>
#include <cstring>
#include <thread>

#include <doctest/doctest.h>

#include "kernels/gpu/emulated/tensor.h"
#include "kernels/gpu/exchange_kernels.h"
#include "kernels/parallel/barrier.h"
#include "kernels/parallel/exchange.h"

namespace rightsize::test {
namespace {

constexpr int ranks = 3;
constexpr std::int64_t counts[] = {1, 16, 40, 333};

// Where the ranks of a test meet, and what each brought.
struct Meeting {
  Barrier barrier{ranks};
  std::byte* brought[ranks] = {};
};

// FP32 only; every operation is done when it returns.
class ThreadCollectives final : public gpu::Collectives {
 public:
  ThreadCollectives(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return test::ranks; }
  void begin() override {}
  void end() override {}

  void all_reduce_mean(void* values, std::int64_t count, gpu::ElementType, cudaStream_t) override {
    mean_into(values, count, true);
  }
  void reduce_mean(
      void* values, std::int64_t count, gpu::ElementType, int root, cudaStream_t) override {
    mean_into(values, count, rank_ == root);
  }
  void broadcast(
      void* values, std::int64_t count, gpu::ElementType, int root, cudaStream_t) override {
    meet(values);
    if (rank_ != root) {
      std::memcpy(values, meeting_.brought[root], static_cast<std::size_t>(count) * sizeof(float));
    }
    meeting_.barrier.wait();
  }
  void all_gather(void* all, std::size_t bytes, cudaStream_t) override {
    meet(all);
    for (std::size_t other = 0; other < test::ranks; ++other) {
      if (other != static_cast<std::size_t>(rank_)) {
        std::memcpy(static_cast<std::byte*>(all) + other * bytes,
                    meeting_.brought[other] + other * bytes,
                    bytes);
      }
    }
    meeting_.barrier.wait();
  }

 private:
  void meet(void* values) {
    meeting_.brought[rank_] = static_cast<std::byte*>(values);
    meeting_.barrier.wait();
  }

  void mean_into(void* values, std::int64_t count, bool wanted) {
    meet(values);
    std::vector<float> mean(static_cast<std::size_t>(count));
    for (auto* const brought : meeting_.brought) {
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] += reinterpret_cast<const float*>(brought)[i] / test::ranks;
      }
    }
    meeting_.barrier.wait();
    if (wanted) {
      std::copy(mean.begin(), mean.end(), static_cast<float*>(values));
    }
  }

  Meeting& meeting_;
  int rank_;
};

// One rank's gradients on both sides, and what the device needs beside them.
struct Rank {
  explicit Rank(int rank) {
    for (auto count : counts) {
      const auto size = static_cast<std::size_t>(count);
      const auto words = static_cast<std::size_t>(gpu::code_words(count));
      here.push_back(as_floats(random_values(count, 90 + rank)));
      there.emplace_back(here.back());
      residuals.emplace_back(std::vector<float>(size, 0.0F));
      codes.emplace_back(ranks * words);
      gradients.push_back({there.back().data(),
                           count,
                           gpu::ElementType::f32,
                           residuals.back().data(),
                           codes.back().data()});
    }
    for (auto& values : here) {
      buffers.emplace_back(values);
    }
  }

  std::vector<std::vector<float>> here;
  GradientBuffers buffers;
  std::vector<DeviceArray<float>> there;
  std::vector<DeviceArray<float>> residuals;
  std::vector<DeviceArray<std::uint32_t>> codes;
  std::vector<gpu::ExchangedGradient> gradients;
};

void check_strategy(Exchange exchange, Compression compression) {
  std::vector<Rank> all;
  for (int rank = 0; rank < ranks; ++rank) {
    all.emplace_back(rank);
  }
  const auto cpu = make_exchange(exchange, compression, ranks);
  Meeting meeting;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    cpu->reserve(rank, all[rank].buffers);
  }
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks; ++rank) {
      threads.emplace_back([&, rank] {
        auto& mine = all[static_cast<std::size_t>(rank)];
        ThreadCollectives collectives(meeting, rank);
        for (int step = 0; step < 3; ++step) {  // the mean goes in again: residuals count
          cpu->average(static_cast<std::size_t>(rank), mine.buffers);
          gpu::average_gradients(collectives, exchange, compression, mine.gradients, nullptr);
        }
      });
    }
  }
  for (const auto& rank : all) {
    for (std::size_t i = 0; i < rank.here.size(); ++i) {
      check_near(
          as_doubles(rank.there[i].values()), as_doubles(rank.here[i]), gpu::ElementType::f32, 0.1);
      CHECK(rank.there[i].values() == all[0].there[i].values());
      rank.residuals[i].check();
      rank.codes[i].check();
    }
  }
}

TEST_CASE("gpu exchange: one all-reduce averages the gradients of three ranks") {
  check_strategy(Exchange::nccl, Compression::none);
}

TEST_CASE("gpu exchange: shares that ranks add up for each other make the same mean") {
  check_strategy(Exchange::device, Compression::none);
}

TEST_CASE("gpu exchange: two-bit codes make the CPU engine's mean, step after step") {
  check_strategy(Exchange::device, Compression::two_bit);
}

}  // namespace
}  // namespace rightsize::test
