#include "advisor/query/job_defaults.h"

#include <fmt/format.h>

#include "advisor/query/query.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

constexpr std::string_view usual_framework = "PyTorch";
constexpr std::string_view usual_on_tpus = "JAX (MaxText)";
constexpr double usual_network_gbit = 25;
constexpr double usual_network_log_sd = 0.2;

}  // namespace

std::string_view framework_of_job(const GpuRates& rates,
                                  std::string_view gpu,
                                  std::optional<Stack> stack,
                                  std::string_view stated) {
  if (!stated.empty()) {
    return stated;
  }
  const GpuSpec* spec = rates.find(gpu);
  if (spec != nullptr && toolchain_of(*spec) == Toolchain::xla) {
    return usual_on_tpus;
  }
  const bool current = spec != nullptr && has_tensor_cores(*spec) && stack != Stack::era;
  return current ? usual_framework : "";
}

std::string framework_words(std::optional<Stack> stack, std::string_view stated) {
  if (!stated.empty()) {
    return fmt::format(
        "{}'s, as asked: figures of other frameworks count less, by how far it differs from them",
        stated);
  }
  return stack == Stack::era
             ? "any framework's of the era, as the job names none"
             : fmt::format(
                   "{}'s on GPUs with tensor cores, so that they can be compared, and any "
                   "framework's on older ones, as the job names none (--framework)",
                   usual_framework);
}

InterconnectWords network_of_job(InterconnectWords stated, const std::string& sold) {
  if (!stated.fabric && !sold.empty()) {
    const auto words = parse_network(sold, "network.csv");
    stated.fabric = words.fabric;
    stated.fabric_gbit_per_s = words.fabric_gbit_per_s;
  } else if (!stated.fabric) {
    stated.fabric = Fabric::ethernet;
    stated.fabric_gbit_per_s = usual_network_gbit;
  }
  return stated;
}

double assumed_network_log_sd(const InterconnectWords& stated,
                              const std::string& sold,
                              int nodes,
                              Phase phase) {
  const bool known = stated.fabric || !sold.empty();
  return nodes > 1 && !known && has_backward(phase) ? usual_network_log_sd : 0;
}

}  // namespace rightsize
