#include "advisor/way_out.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "advisor/training_way.h"
#include "kernels/engine.h"

namespace rightsize {
namespace {

class WaysOut {
 public:
  WaysOut(const GpuRates& rates, const AcceleratorQuery& query, const GpuSpec& gpu)
      : rates_(rates), query_(query), gpu_(gpu), facts_(facts_with(query.adapters)) {}

  std::vector<std::string> all() {
    smaller_batch();
    if (has_backward(query_.phase) && facts_.transformer) {
      spared();
      narrower_adapters();
      shared_layers();
    }
    larger_gpu();
    return std::move(found_);
  }

 private:
  [[nodiscard]] NetworkFacts facts_with(const Adapters& adapters) const {
    return NetworkFacts(query_.network, query_.sequence, adapters);
  }

  [[nodiscard]] bool fits(const AcceleratorQuery& asked) const {
    return fits_gpu(facts_, asked, gpu_, true);
  }

  void smaller_batch() {
    auto asked = query_;
    for (asked.batch = query_.batch / 2; asked.batch >= 1; asked.batch /= 2) {
      if (fits(asked)) {
        found_.push_back(fmt::format("--batch {} fits", asked.batch));
        return;
      }
    }
  }

  // What the query forbids.
  void spared() {
    if (query_.recompute == false) {
      auto asked = query_;
      asked.recompute.reset();
      if (fits(asked)) {
        found_.emplace_back("--recompute true fits");
        return;
      }
    }
    if (query_.exchange && *query_.exchange != Exchange::sharded && !shares_layers(query_)) {
      auto asked = query_;
      asked.exchange = Exchange::sharded;
      asked.recompute.reset();
      if (fits(asked)) {
        found_.emplace_back("--exchange sharded fits");
      }
    }
  }

  void narrower_adapters() {
    if (!query_.adapters.any() || query_.adapters.narrow) {
      return;
    }
    auto asked = query_;
    asked.adapters.narrow = true;
    asked.recompute.reset();
    if (fits_gpu(facts_with(asked.adapters), asked, gpu_, true)) {
      found_.push_back(fmt::format("--adapter {} fits", to_string(asked.adapters)));
    }
  }

  // As few GPUs a copy as fit.
  void shared_layers() {
    if (shares_layers(query_) || query_.adapters.any() || query_.exchange ||
        query_.parameter_server || query_.compression != Compression::none) {
      return;
    }
    auto asked = query_;
    for (int gpus = 2; gpus <= query_.gpus_per_node; gpus *= 2) {
      asked.tensor_parallel = gpus;
      if (divides({gpus, 1}, facts_.shape, {query_.gpus_per_node, query_.nodes, {}}) &&
          fits(asked)) {
        found_.push_back(fmt::format("--tensor-parallel {} fits", gpus));
        return;
      }
    }
  }

  // Of the GPUs that are sold in shapes of today the one with the least memory that has enough.
  void larger_gpu() {
    const GpuSpec* least = nullptr;
    for (const auto& other : rates_.gpus()) {
      const bool larger = other.memory_gb > gpu_.memory_gb;
      auto asked = query_;
      asked.gpu = other.name;
      asked.gpu_memory_bytes.reset();
      if (larger && is_ampere_or_later(other) &&
          (least == nullptr || other.memory_gb < least->memory_gb) &&
          fits_gpu(facts_, asked, other, true)) {
        least = &other;
      }
    }
    if (least != nullptr) {
      found_.push_back(fmt::format("a GPU of more memory does it, such as {}", least->name));
    }
  }

  const GpuRates& rates_;
  const AcceleratorQuery& query_;
  const GpuSpec gpu_;  // as sold
  NetworkFacts facts_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> ways_out_of_memory(const GpuRates& rates, const AcceleratorQuery& query) {
  const auto* gpu = rates.find(query.gpu);
  if (gpu == nullptr) {
    return {};
  }
  return WaysOut(rates, query, gpu_as_sold(*gpu, query.gpu_memory_bytes)).all();
}

}  // namespace rightsize
