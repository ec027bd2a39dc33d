#include "models/laws/gpu_work_cache.h"

#include <stdexcept>

#include "kernels/longer_sequence.h"

namespace rightsize {
namespace {

std::unique_ptr<GpuWork> work_of(std::string_view network,
                                 int sequence,
                                 Phase phase,
                                 bool recompute,
                                 const Tuning& tuning,
                                 int tensor,
                                 int expert_ranks,
                                 int context,
                                 int expert_tensor) {
  try {
    const auto made = tuned(make_network(network, sequence, phase), tuning);
    return std::make_unique<GpuWork>(
        gpu_work(made, phase, recompute, tensor, expert_ranks, context, expert_tensor));
  } catch (const std::runtime_error&) {  // no such network or length: nothing to estimate
    return nullptr;
  }
}

}  // namespace

const GpuWork* GpuWorkCache::find(std::string_view network,
                                  int sequence,
                                  Phase phase,
                                  bool recompute,
                                  const Tuning& tuning,
                                  int tensor,
                                  int expert_ranks,
                                  int context,
                                  int expert_tensor) const {
  const std::lock_guard lock(shelf_->mutex);
  Key key{
      network, sequence, phase, recompute, tuning, tensor, expert_ranks, context, expert_tensor};
  const auto known = shelf_->works.find(key);
  if (known != shelf_->works.end()) {
    return known->second.get();
  }
  auto made = work_of(
      network, sequence, phase, recompute, tuning, tensor, expert_ranks, context, expert_tensor);
  return shelf_->works.emplace(std::move(key), std::move(made)).first->second.get();
}

const KnownNetwork* GpuWorkCache::known(std::string_view network, int sequence, Phase phase) const {
  if (network.find(".json") == std::string_view::npos) {  // a name, and asked for very often
    return nullptr;
  }
  const std::lock_guard lock(shelf_->mutex);
  std::tuple key{std::string(network), sequence, phase};
  auto found = shelf_->names.find(key);
  if (found == shelf_->names.end()) {
    found = shelf_->names.emplace(std::move(key), known_network(network, sequence, phase)).first;
  }
  return found->second ? &*found->second : nullptr;
}

}  // namespace rightsize
