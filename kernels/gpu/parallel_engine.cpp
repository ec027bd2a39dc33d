#include "kernels/gpu/parallel_engine.h"

#include <vector>

#include <fmt/format.h>

#include "kernels/gpu/gpu_engine.h"
#include "kernels/parallel/rank_results.h"
#include "kernels/parallel/rank_threads.h"

namespace rightsize {
namespace {

// The communicators of all ranks, for as long as their engines live.
class Connection {
 public:
  Connection(int first, std::size_t ranks) : communicators_(ranks) {
    std::string reason;
    auto library = gpu::PluginLibrary::open(reason);
    if (!library) {
      throw EngineError("gpu engine: " + reason);
    }
    plugin_ = &library->functions();  // a plugin is never unloaded
    gpu::abi::Message message{};
    if (plugin_->connect(first, static_cast<int>(ranks), communicators_.data(), &message) !=
        gpu::abi::Status::ok) {
      throw EngineError(fmt::format("gpu engine, {} ranks: {}", ranks, message.text));
    }
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    for (auto* communicator : communicators_) {
      plugin_->disconnect(communicator);
    }
  }

  [[nodiscard]] RightsizeGpuCommunicator* of(std::size_t rank) const {
    return communicators_[rank];
  }
  void abandon() const {
    for (auto* communicator : communicators_) {
      plugin_->abandon(communicator);
    }
  }

 private:
  const gpu::abi::Plugin* plugin_ = nullptr;
  std::vector<RightsizeGpuCommunicator*> communicators_;
};

class ParallelGpuEngine final : public Engine {
 public:
  ParallelGpuEngine(const Network& network, const EngineOptions& options)
      : ranks_(static_cast<std::size_t>(options.ranks)),
        options_(options),
        connection_(options.device, ranks_),
        engines_(ranks_),
        threads_(ranks_) {
    on_all([&](std::size_t rank) {
      auto one = options;
      one.rank = static_cast<int>(rank);
      one.device = options.device + one.rank;
      engines_[rank] = std::make_unique<gpu::GpuEngine>(
          network, one, GpuOptions{.communicator = connection_.of(rank)});
    });
  }

  StepResult step(const Batch& batch) override {
    std::vector<StepResult> results(ranks_);
    on_all(
        [&](std::size_t rank) { results[rank] = engines_[rank]->step(part(batch, rank, ranks_)); });
    return together(results);
  }

  void load_parameters(std::span<const ParameterValues> parameters) override {
    on_all([&](std::size_t rank) { engines_[rank]->load_parameters(parameters); });
  }

  [[nodiscard]] std::uint64_t memory_bytes() const override {
    std::uint64_t sum = 0;
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
  template <typename Work>
  void on_all(const Work& work) {
    threads_.run(work, [&] { connection_.abandon(); });
  }

  std::size_t ranks_;
  EngineOptions options_;
  Connection connection_;
  std::vector<std::unique_ptr<gpu::GpuEngine>> engines_;
  RankThreads threads_;  // last: they use the others
};

}  // namespace

std::unique_ptr<Engine> make_parallel_gpu_engine(const Network& network,
                                                 const EngineOptions& options) {
  if (options.preprocess_on == PreprocessOn::gpu) {
    throw EngineError(fmt::format(
        "gpu engine, {} ranks: pictures are preprocessed on one GPU only; use ranks = 1, or "
        "preprocess on the cpu",
        options.ranks));
  }
  return std::make_unique<ParallelGpuEngine>(network, options);
}

}  // namespace rightsize
