#include "models/laws/measured_step.h"

#include <stdexcept>

#include "kernels/network_blocks.h"
#include "models/laws/gpu_memory.h"

namespace rightsize {
namespace {

// As many ranks as make a rank's part of the optimizer's state small.
constexpr int many_ranks = 1024;

bool ran_again(const MeasuredRate& rate, const Network& network, const GpuSpec& gpu) {
  const auto has_room = [&](const MemoryWay& way) {
    const auto need = gpu_memory_need(network, rate.phase, rate.precision, rate.batch, way);
    return judge_memory(need, gpu) != MemoryVerdict::too_small;
  };
  const bool sharded = rate.sharded || !has_room({.recompute = true});
  return !has_room({.shards = sharded ? many_ranks : 0});
}

}  // namespace

MeasuredStep step_as_run(const MeasuredRate& rate, const GpuSpec& gpu) {
  auto step = rate.step;
  if (!rate.recompute_known && has_backward(rate.phase)) {
    try {
      const auto network = tuned(make_network(rate.network, rate.sequence), step.tuning);
      step.recompute = is_transformer(network) && ran_again(rate, network, gpu);
    } catch (const std::runtime_error&) {  // no such network or length: its rate is of no use
      step.recompute = false;
    }
  }
  return step;
}

}  // namespace rightsize
