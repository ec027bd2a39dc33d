#include "advisor/export/node_allocatable.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rightsize {
namespace {

struct Step {
  double up_to;  // GiB or vCPUs
  double share;  // kept by the node of what lies below
};

constexpr std::array memory_kept{
    Step{4, 0.25}, Step{8, 0.20}, Step{16, 0.10}, Step{128, 0.06}, Step{1e9, 0.02}};
constexpr std::array cpu_kept{Step{1, 0.06}, Step{2, 0.01}, Step{4, 0.005}, Step{1e9, 0.0025}};
constexpr double eviction_gib = 100.0 / 1024;
constexpr double daemons_vcpus = 0.25;  // assumed: log and metric agents, the GPU's device plugin
constexpr double daemons_gib = 0.5;     // assumed, likewise

template <std::size_t size>
double kept(const std::array<Step, size>& steps, double whole) {
  double sum = 0;
  double from = 0;
  for (const auto& step : steps) {
    sum += step.share * std::max(0.0, std::min(whole, step.up_to) - from);
    from = step.up_to;
  }
  return sum;
}

// GCE's machines that share a core are seen as two vCPUs, of which GKE keeps 1060 thousandths,
// whatever share is paid for.
bool shares_a_core(const Option& option) {
  constexpr std::array names{"e2-micro", "e2-small", "e2-medium"};
  return std::find(names.begin(), names.end(), option.instance) != names.end();
}

}  // namespace

int allocatable_millicpus(const Option& option) {
  const double allocatable =
      shares_a_core(option) ? 2 - 1.06 : option.vcpus - kept(cpu_kept, option.vcpus);
  return static_cast<int>(std::floor(1000 * (allocatable - daemons_vcpus)));
}

int allocatable_mib(double gib) {
  return static_cast<int>(
      std::floor(1024 * (gib - kept(memory_kept, gib) - eviction_gib - daemons_gib)));
}

}  // namespace rightsize
