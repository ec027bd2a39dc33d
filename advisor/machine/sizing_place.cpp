// Where pictures are preprocessed on a machine that is only looked for.
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "advisor/candidate/gpu_preprocessing.h"
#include "advisor/machine/sizing.h"
#include "advisor/query/query.h"

namespace rightsize {
namespace {

// What predict answers on the machine that was found.
double predicted_on(Estimator& estimator,
                    const Configuration& asked,
                    const Sizing& sizing,
                    PreprocessChoice where) {
  Configuration found = asked;
  found.preprocess_on = where;
  found.machine.vcpus = sizing.cpus();
  found.machine.memory_gib = sizing.needs[2].amount;
  found.machine.disk = sizing.disk_bytes_per_s() > 0
                           ? fmt::format("{:.0f}kB/s", std::ceil(sizing.disk_bytes_per_s() / 1e3))
                           : "";
  return estimator.estimate(found).throughput.value;
}

// Of the two places the one that predict and advise take on the machine found for it: the faster.
// The GPU's is looked at first, for its host is the smaller; where the vCPUs of that are the faster
// already, more of them are so too.
Sizing choose_place(Estimator& estimator,
                    const Configuration& asked,
                    Sizing on_cpu,
                    Sizing on_gpu) {
  if (on_gpu.needs.empty()) {
    return on_cpu;  // refused there, before anything could be sized
  }
  const std::string left_open = "where pictures are resized and normalised is left open: ";
  if (!on_gpu.shortfall.empty()) {
    auto& taken = on_cpu.shortfall.empty() ? on_cpu : on_gpu;
    taken.answer.notes.push_back(left_open + (on_cpu.shortfall.empty()
                                                  ? "on the vCPUs, as the GPU falls short itself"
                                                  : "on the GPU, and the vCPUs fall short too"));
    return taken;
  }
  const auto rates = [&](const Sizing& sizing) {
    return std::pair{predicted_on(estimator, asked, sizing, PreprocessChoice::gpu),
                     predicted_on(estimator, asked, sizing, PreprocessChoice::cpu)};
  };
  auto [gpu_rate, cpu_rate] = rates(on_gpu);
  const bool gpu = gpu_rate > cpu_rate || !on_cpu.shortfall.empty();
  if (!gpu) {
    std::tie(gpu_rate, cpu_rate) = rates(on_cpu);
  }
  auto& taken = gpu ? on_gpu : on_cpu;
  taken.answer.notes.push_back(fmt::format(
      "{}on the {}, as predict and advise choose on the machine named here (~{:.0f} {} there, "
      "~{:.0f} on the {})",
      left_open,
      gpu ? "GPU" : "vCPUs",
      gpu ? gpu_rate : cpu_rate,
      taken.answer.throughput.unit,
      gpu ? cpu_rate : gpu_rate,
      gpu ? "vCPUs" : "GPU"));
  return taken;
}

}  // namespace

Sizing size_machine(Estimator& estimator, const Configuration& asked, double target) {
  if (asked.preprocess_on != PreprocessChoice::either) {
    return size_placed(estimator, asked, asked.preprocess_on, target);
  }
  auto on_cpu = size_placed(estimator, asked, PreprocessChoice::cpu, target);
  if (!on_cpu.reads_data || !gpu_preprocesses(asked.data)) {
    return on_cpu;  // no pictures are read, or nothing can be planned in either place
  }
  return choose_place(estimator,
                      asked,
                      std::move(on_cpu),
                      size_placed(estimator, asked, PreprocessChoice::gpu, target));
}

}  // namespace rightsize
