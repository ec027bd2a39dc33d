#include "models/laws/measured_step.h"

#include <stdexcept>

#include "kernels/network_blocks.h"
#include "kernels/longer_sequence.h"
#include "models/laws/gpu_memory.h"

namespace rightsize {
namespace {

// As many ranks as make a rank's part of the optimizer's state small.
constexpr int many_ranks = 1024;

// A step that is said to be sharded is.
void complete(MeasuredStep& step,
              const MeasuredRate& rate,
              const Network& network,
              const GpuSpec& gpu) {
  const auto has_room = [&](const MemoryWay& way) {
    const auto need = gpu_memory_need(network, rate.phase, rate.precision, rate.batch, way);
    return judge_memory(need, gpu) != MemoryVerdict::too_small;
  };
  const bool least = !rate.recompute_known || step.recompute;
  step.sharded = step.sharded || !has_room({.recompute = least});
  if (!rate.recompute_known) {
    step.recompute = !has_room({.shards = step.sharded ? many_ranks : 0});
    step.or_sharded = step.recompute && !step.sharded && has_room({.shards = many_ranks});
  }
}

}  // namespace

MeasuredStep step_as_run(const MeasuredRate& rate, const GpuSpec& usual) {
  auto gpu = usual;
  gpu.memory_gb = rate.gpu_memory_gb > 0 ? rate.gpu_memory_gb : usual.memory_gb;
  auto step = rate.step;
  if (rate.said_by.empty() || !has_backward(rate.phase)) {
    return step;
  }
  try {
    const auto network = tuned(make_network(rate.network, rate.sequence, rate.phase), step.tuning);
    if (is_transformer(network)) {
      complete(step, rate, network, gpu);
    }
  } catch (const std::runtime_error&) {  // no such network or length: its rate is of no use
  }
  return step;
}

bool is_of_whole_network(const MeasuredRate& rate, const GpuSpec& usual) {
  return !rate.of_stages || (rate.batch > 0 && !step_as_run(rate, usual).sharded);
}

double least_step_bytes(const MeasuredRate& rate) {
  const auto network =
      tuned(make_network(rate.network, rate.sequence, rate.phase), rate.step.tuning);
  const bool spares = is_transformer(network) && has_backward(rate.phase);
  const MemoryWay least{.shards = spares ? many_ranks : 0, .recompute = spares};
  return gpu_memory_need(network, rate.phase, rate.precision, rate.batch, least).total();
}

}  // namespace rightsize
