// A batch script for a Slurm cluster that has such nodes: https://slurm.schedmd.com/sbatch.html.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "advisor/export/machine_network.h"
#include "advisor/export/tpu_slice.h"

namespace rightsize {
namespace {

// Of a node's memory; the rest is left to its system, as RealMemory and MemSpecLimit do [assumed].
constexpr double memory_share = 0.95;

// Days-hours:minutes:seconds, rounded up to the minute.
std::string time_limit(double hours) {
  const auto minutes = static_cast<std::int64_t>(std::ceil(hours * 60));
  return fmt::format("{}-{:02}:{:02}:00", minutes / (24 * 60), minutes / 60 % 24, minutes % 60);
}

// Slurm's names of GPU types are the site's; by custom lower case with underscores.
std::string gres_type(std::string gpu) {
  std::transform(gpu.begin(), gpu.end(), gpu.begin(), [](unsigned char c) {
    return std::isalnum(c) != 0 ? static_cast<char>(std::tolower(c)) : '_';
  });
  return gpu;
}

std::string network_comment(const Query& query, const Option& option) {
  return counts_on_fabric(query, option)
             ? fmt::format("# {}: see that NCCL finds it (NCCL_DEBUG=INFO says what it uses).\n",
                           fabric_words(query, option))
             : "";
}

std::string several_nodes(const Query& query, const Option& option) {
  const auto apart = share_comment(query, option, "NODES and SLURM_NODEID");
  return (apart.empty()
              ? "# The machines train together: how many they are, and the first of them, by its "
                "name.\n"
                "# Each finds its own number in SLURM_NODEID.\n"
              : apart) +
         "export NODES=$SLURM_NNODES\n"
         "export MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n" +
         network_comment(query, option);
}

}  // namespace

std::string write_slurm(const Recommendation& answer, const Option& option) {
  if (answer.query.serves()) {
    throw UsageError(
        "a Slurm job has an end and a service has none: export it with --to kubernetes, skypilot "
        "or terraform");
  }
  if (has_tpus(option)) {
    throw UsageError(
        "Slurm counts GPUs, and TPUs are none that it gives to a job: export with --to skypilot, "
        "kubernetes or terraform");
  }
  std::string out = "#!/bin/bash\n" + heading_comment(answer, option) +
                    fmt::format(
                        "#SBATCH --job-name={}\n"
                        "#SBATCH --nodes={}\n"
                        "#SBATCH --ntasks-per-node=1\n"
                        "#SBATCH --cpus-per-task={:.0f}\n"
                        "#SBATCH --mem={:.0f}G\n",
                        job_label(answer.query),
                        option.nodes,
                        std::max(1.0, std::floor(option.vcpus)),
                        std::max(1.0, std::floor(memory_share * option.memory_gib)));
  if (!option.gpu.empty()) {
    out += fmt::format("#SBATCH --gpus-per-node={}:{:g}\n", gres_type(option.gpu), option.gpus);
  }
  const auto job = job_program(answer.query);
  out += fmt::format(
      "#SBATCH --time={}\n"
      "# --time is the upper end of the interval; --mem leaves 5 % to the node [assumed].\n"
      "{}\n"
      "set -euo pipefail\n"
      "# REPLACE, or set when you submit: {}='{}' sbatch FILE\n"
      ": \"${{{}:?set it to the command that {}}}\"\n",
      time_limit(option.hours.high),
      option.market == Market::spot ? "#SBATCH --requeue\n" : "",
      job.variable,
      job.example,
      job.variable,
      job.does);
  for (const auto& [name, value] : job_environment(answer, option)) {
    out += fmt::format("export {}={}\n", name, value);  // words and numbers of ours
  }
  if (option.nodes > 1) {
    out += several_nodes(answer.query, option);
  }
  // Since 22.05 srun takes no --cpus-per-task from the job (slurm.schedmd.com/srun.html).
  return out + "export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK\n" +
         fmt::format("srun bash -c \"${}\"\n", job.variable);
}

}  // namespace rightsize
