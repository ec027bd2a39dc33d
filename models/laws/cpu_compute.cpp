#include "models/laws/cpu_compute.h"

#include <algorithm>

#include "kernels/work.h"

namespace rightsize {

CpuWork cpu_work(const Network& network, Phase phase) {
  constexpr double bytes_per_value = 4;
  const double directions = has_backward(phase) ? 3 : 1;  // backward: of data and of parameters
  CpuWork work;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto layer = layer_work(network, i);
    work.flops += layer.forward_flops + (has_backward(phase) ? layer.backward_flops : 0.0);
    if (layer.forward_flops > 0) {
      work.layers += directions;
      work.activation_bytes += directions * 2 * bytes_per_value *
                               static_cast<double>(layer.output_elements);
    }
    work.weight_bytes += directions * bytes_per_value * static_cast<double>(layer.parameters);
  }
  return work;
}

double cpu_step_seconds(const CpuComputeLaw& law,
                        const CpuWork& work,
                        const CpuKind& cpu,
                        double vcpus,
                        int batch) {
  // One hardware thread alone still has its core's vector units to itself now and then.
  const double cores = std::max(vcpus / cpu.threads_per_core, std::min(vcpus, 1.0) * 0.75);
  const double peak = cores * cpu.ghz * 1e9 * cpu.flops_per_cycle * law.efficiency;
  const double bandwidth = cores * law.bytes_per_s;
  const double crowding = 1 + law.contention * std::max(0.0, cores - 1);
  const double item_s = (work.flops / peak + work.activation_bytes / bandwidth) * crowding;
  return batch * item_s + work.weight_bytes / bandwidth + work.layers * law.layer_s;
}

}  // namespace rightsize
