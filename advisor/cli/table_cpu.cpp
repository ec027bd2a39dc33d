#include "advisor/cli/table_cpu.h"

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/candidate/cpu_law.h"
#include "advisor/query/toml_fields.h"

namespace rightsize::cli {

CpuDoubt cpu_doubt() {
  return [speeds = shipped_cpu_speeds()](std::string_view name) {
    const std::string cpu(name);
    if (knows_cpu(speeds, cpu)) {
      return std::string();
    }
    const auto near = nearest_word(cpu,
                                   {"Skylake",
                                    "Cascade Lake",
                                    "Ice Lake",
                                    "Broadwell",
                                    "Haswell",
                                    "Sapphire Rapids",
                                    "EPYC",
                                    "Milan",
                                    "Genoa",
                                    "Graviton3"});
    return unknown_cpu_words(cpu, "what is known of the instance, or the usual host,") +
           (near.empty() ? "" : fmt::format("; did you mean {}?", near));
  };
}

std::function<std::string(std::string_view, std::string_view)> imported_cpu_name() {
  return [speeds = shipped_cpu_speeds()](std::string_view instance, std::string_view name) {
    const std::string cpu(name);
    const bool better_known = !speeds.model_of(instance).empty();
    return better_known || cpu.empty() || !knows_cpu(speeds, cpu) ? std::string() : cpu;
  };
}

}  // namespace rightsize::cli
