#include "advisor/machine/extrapolated_cpus.h"

#include <cmath>

#include <fmt/format.h>

#include "models/laws/published_cpus.h"

namespace rightsize {

std::string extrapolated_cpus_words(const CpuScalingLaw& law, double measured_cpus, double cpus) {
  constexpr double far = 8;
  if (cpus < far * measured_cpus || !std::isfinite(cpus)) {
    return "";
  }
  return fmt::format(
      "vCPUs were measured up to {:g}; {:g} are counted as {:.0f} ({:.1f} % contention, assumed{})",
      measured_cpus,
      cpus,
      cpu_capacity(law, cpus),
      100 * law.beyond,
      cpus > most_cpus_published
          ? fmt::format("; beyond the {:g} of the largest machine with a published rate each does "
                        "as much as each of those",
                        most_cpus_published)
          : "");
}

}  // namespace rightsize
