#include "advisor/cpu_law.h"

#include <fmt/format.h>

namespace rightsize {

CpuKind cpu_kind_named(const CpuSpeeds& cpu_speeds, const std::string& words, bool era) {
  const auto family_model = cpu_speeds.model_of(words);
  return cpu_kind_of(family_model.empty() ? words : family_model).value_or(usual_cpu_kind(era));
}

std::string cpu_law_words(const CpuKind& cpu) {
  return fmt::format(
      "CPU {}: {:g} GHz, {:g} FP32 operations a cycle and core, scaled from published figures by "
      "FLOPs and bytes",
      cpu.name,
      cpu.ghz,
      cpu.flops_per_cycle);
}

}  // namespace rightsize
