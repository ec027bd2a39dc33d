#include "kernels/parallel/engine.h"

#include <algorithm>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "kernels/cpu/cpu_engine.h"
#include "kernels/parallel/exchange.h"
#include "kernels/parallel/rank_results.h"
#include "kernels/parallel/rank_threads.h"
#include "kernels/stopwatch.h"

namespace rightsize {
namespace {

EngineOptions options_of_one(const EngineOptions& options, std::size_t rank) {
  auto one = options;
  const auto ranks = static_cast<std::size_t>(options.ranks);
  const auto all = options.threads > 0 ? static_cast<std::size_t>(options.threads)
                                       : std::max(1U, std::thread::hardware_concurrency());
  one.threads = static_cast<int>(std::max<std::size_t>(1, all / ranks + (rank < all % ranks)));
  one.ranks = 1;
  one.rank = static_cast<int>(rank);
  return one;
}

class ParallelEngine final : public Engine {
 public:
  ParallelEngine(const Network& network, const EngineOptions& options)
      : ranks_(static_cast<std::size_t>(options.ranks)),
        options_(options),
        exchange_(make_exchange(options.exchange, options.compression, ranks_)),
        engines_(ranks_),
        buffers_(ranks_),
        threads_(ranks_) {
    // Each on its own thread: oneDNN picks kernels for the OpenMP team of the moment.
    threads_.run([&](std::size_t rank) {
      engines_[rank] = std::make_unique<cpu::CpuEngine>(network, options_of_one(options, rank));
      buffers_[rank] = engines_[rank]->gradient_buffers();
      exchange_->reserve(rank, buffers_[rank]);
    });
  }

  StepResult step(const Batch& batch) override {
    std::vector<StepResult> results(ranks_);
    threads_.run([&](std::size_t rank) { results[rank] = step_of_one(rank, batch); },
                 [&] { exchange_->abandon(); });
    return together(results);
  }

  void load_parameters(std::span<const ParameterValues> parameters) override {
    threads_.run([&](std::size_t rank) { engines_[rank]->load_parameters(parameters); });
  }

  [[nodiscard]] std::uint64_t memory_bytes() const override {
    std::uint64_t sum = exchange_->memory_bytes();
    for (const auto& engine : engines_) {
      sum += engine->memory_bytes();
    }
    return sum;
  }

  [[nodiscard]] std::map<std::string, std::string> software() const override {
    auto entries = engines_[0]->software();
    entries["ranks"] = fmt::format("{}", ranks_);
    entries["exchange"] = to_string(options_.exchange);
    entries["compression"] = to_string(options_.compression);
    return entries;
  }

 private:
  StepResult step_of_one(std::size_t rank, const Batch& all) {
    const auto mine = part(all, rank, ranks_);
    auto& engine = *engines_[rank];
    if (!has_backward(options_.phase)) {
      return engine.step(mine);
    }
    auto result = engine.evaluate(mine);
    const Stopwatch exchanging;
    exchange_->average(rank, buffers_[rank]);
    result.exchange_s = exchanging.seconds();
    const Stopwatch updating;
    engine.update();
    result.compute_s += updating.seconds();
    return result;
  }

  std::size_t ranks_;
  EngineOptions options_;
  std::unique_ptr<GradientExchange> exchange_;
  std::vector<std::unique_ptr<cpu::CpuEngine>> engines_;
  std::vector<GradientBuffers> buffers_;
  RankThreads threads_;  // last: they use the others
};

}  // namespace

std::unique_ptr<Engine> make_parallel_engine(const Network& network, const EngineOptions& options) {
  return std::make_unique<ParallelEngine>(network, options);
}

}  // namespace rightsize
