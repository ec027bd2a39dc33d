// What the engine measured here makes of a CPU, against the law of networks on CPUs
// (laws/cpu_compute.h): measured seconds of a step over the law's, on the CPU that was measured.
// The law tells CPUs and networks apart; its level is that of this engine on the CPU that
// it was fitted to, and the ratio replaces it. Networks that were measured themselves have a ratio
// of their own, others the geometric mean of those measured in the same direction, but where text
// is written token by token: what others do says nothing of that. BF16 goes by runs in it where
// there are any, else by FP32's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/workload.h"
#include "models/laws/cpu_compute.h"
#include "models/laws/cpu_kind.h"
#include "models/model.h"
#include "profiler/machine.h"

namespace rightsize {

struct CpuAnchor {
  double ratio = 1;   // measured / law; below 1 where the engine is faster
  double log_sd = 0;  // of ln(rate); 0: the law's own
  int networks = 0;   // whose runs speak; 0: none, and the law stands alone
};

// For `workload` on CPUs of another kind than the model's, or networks that it never computed. None
// for the frameworks of the era, which the engine does not stand for. Makes networks: some 0.1 ms.
[[nodiscard]] CpuAnchor cpu_anchor(const Model& model, const Workload& workload, Stack stack);

// What the host of a program by `framework` takes of a step beside the law's (CpuWork::host_s): 0
// where the model knows steps of the network itself and nothing is said of who else runs it.
[[nodiscard]] double host_seconds(const Model& model,
                                  const Workload& workload,
                                  const CpuWork& work,
                                  std::string_view framework);

// What the law knows of a machine's CPU at a vector width that was asked for ("" for its own): the
// kind by its name, with the threads to a core that the machine itself shows. A virtual machine
// whose CPUs are a core each does not share them, whatever the CPU's vendor sells. nullopt where
// the name is none.
[[nodiscard]] std::optional<CpuKind> machine_cpu_kind(const Machine& machine,
                                                      const std::string& isa);

// True when `cpu` differs from the model's own in what the law goes by. False where the model's CPU
// is not recognised: nothing is known of the difference then.
[[nodiscard]] bool another_cpu_kind(const Model& model, const CpuKind& cpu);

}  // namespace rightsize
