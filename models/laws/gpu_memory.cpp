#include "models/laws/gpu_memory.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/network_blocks.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;
constexpr double context_bytes = 0.5 * gib;
constexpr double most_workspace_bytes = 1.0 * gib;
// Between the largest training batches that ran on 24 GiB and those that did not
// (calibration/collected_rates.csv, timm); blocks of a size come back, so that little is lost.
constexpr double fragmentation = 0.01;
constexpr double driver_share = 0.01;
// Of GDDR whose ECC is on as delivered: it lies in the memory itself. nvidia-smi shows 23028 MiB on
// an A10G, 46068 on an L40S and an A40, 15360 on a T4. HBM has bits of its own for it.
constexpr double ecc_share = 1.0 / 16;
constexpr std::array<std::string_view, 16> ecc_in_memory{"K20",
                                                         "K40",
                                                         "K80",
                                                         "M40",
                                                         "M60",
                                                         "P4",
                                                         "P40",
                                                         "T4",
                                                         "T4g",
                                                         "A10",
                                                         "A10G",
                                                         "A16",
                                                         "A40",
                                                         "L4",
                                                         "L40",
                                                         "L40S"};
constexpr double tight_share = 0.10;

// The largest input and output of a convolution, once more in the layout its algorithm works in.
double workspace_elements(const Network& network) {
  double most = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind == LayerKind::convolution) {
      const auto work = layer_work(network, i);
      most = std::max(most, static_cast<double>(work.input_elements + work.output_elements));
    }
  }
  return most;
}

}  // namespace

GpuMemoryNeed gpu_memory_need(
    const Network& network, Phase phase, Precision precision, int batch, const MemoryWay& way) {
  GpuMemoryNeed need;
  if (phase == Phase::preprocess) {
    return need;
  }
  const auto element = static_cast<double>(bytes_per_element(precision));
  const auto counted = [&](int items) {
    return static_cast<double>(device_memory_bytes(network, phase, precision, items));
  };
  const bool learns = has_backward(phase);
  need.parameters_bytes =
      learns && way.shards > 0
          ? static_cast<double>(sharded_parameter_bytes(network, phase, precision, way.shards))
          : counted(0);
  need.activations_bytes = learns && way.recompute
                               ? static_cast<double>(recomputed_activation_elements(network) +
                                                     in_flight_elements(network)) *
                                     element * batch
                               : counted(batch) - counted(0);
  need.workspace_bytes =
      std::min(most_workspace_bytes, workspace_elements(network) * batch * element);
  need.overhead_bytes = context_bytes + fragmentation * need.activations_bytes;
  return need;
}

double usable_memory_bytes(const GpuSpec& gpu) {
  const bool ecc =
      std::find(ecc_in_memory.begin(), ecc_in_memory.end(), gpu.name) != ecc_in_memory.end();
  return gpu.memory_gb * gib * (1 - driver_share) * (ecc ? 1 - ecc_share : 1);
}

MemoryVerdict judge_memory(const GpuMemoryNeed& need, const GpuSpec& gpu) {
  const double share = need.total() / usable_memory_bytes(gpu);
  return share > 1                 ? MemoryVerdict::too_small
         : share > 1 - tight_share ? MemoryVerdict::tight
                                   : MemoryVerdict::fits;
}

int largest_batch(
    const Network& network, Phase phase, Precision precision, const GpuSpec& gpu, int most) {
  const auto fits = [&](int batch) {
    return judge_memory(gpu_memory_need(network, phase, precision, batch), gpu) !=
           MemoryVerdict::too_small;
  };
  int least = 0;  // fits, or nothing does
  int above = most + 1;
  while (above - least > 1) {
    const int middle = least + (above - least) / 2;
    (fits(middle) ? least : above) = middle;
  }
  return least;
}

}  // namespace rightsize
