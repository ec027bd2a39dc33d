#include "advisor/machine/plentiful_host.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "advisor/machine/loader_threads.h"

namespace rightsize {
namespace {

constexpr double plenty_of_bytes_per_s = 1e12;

using Plan = Estimator::Plan;

Laws without_cpu_cost(Laws laws) {
  laws.data_cpu_s = 0;
  laws.serial_cpu_s = 0;
  return laws;
}

// Copies to the GPU stay as slow as its link is: no vCPU and no disk speeds them up.
Setting plentiful(const Plan& plan) {
  Setting setting = plan.setting;
  setting.cpus = plenty_of_cpus;
  setting.loader_threads = static_cast<int>(plenty_of_cpus);
  setting.disk = {plenty_of_bytes_per_s, 0, 0, 0};
  setting.memory_bytes = setting.resident_bytes;
  setting.copy_items_per_s = reads_data(plan) ? setting.copy_items_per_s : 0;
  return setting;
}

Setting with_disk(const Plan& plan, double bytes_per_s, double memory_bytes) {
  Setting setting = plentiful(plan);
  setting.disk.bytes_per_s = bytes_per_s;
  setting.memory_bytes = static_cast<std::uint64_t>(memory_bytes);
  return reads_once(plan) ? lasting(setting, plan.length->epochs) : setting;
}

}  // namespace

bool reads_data(const Plan& plan) {
  return plan.setting.workload.data != DataFormat::synthetic;
}

bool reads_once(const Plan& plan) {
  return reads_data(plan) && plan.length && plan.length->epochs <= 1;
}

Setting with_cpus(const Plan& plan, double cpus) {
  Setting setting = plentiful(plan);
  setting.cpus = cpus;
  setting.loader_threads = plan.setting.loader_threads == threads_of_program
                               ? threads_of_program
                               : usual_loader_threads(cpus);
  return setting;
}

double utilisation(const Laws& laws, const Setting& setting) {
  return predicted_items_per_s(laws, setting) / setting.accelerator_items_per_s;
}

double utilisation_with_disk(const Plan& plan, double bytes_per_s, double memory_bytes) {
  return utilisation(without_cpu_cost(plan.laws), with_disk(plan, bytes_per_s, memory_bytes));
}

double most_utilisation(const Plan& plan) {
  return utilisation(without_cpu_cost(plan.laws), plentiful(plan));
}

double loading_cpus(const Plan& plan, double target, double factor, bool cached) {
  if (!reads_data(plan)) {
    return 0;
  }
  Laws laws = plan.laws;
  laws.data_cpu_s *= factor;
  constexpr double step = 0.25;
  for (double cpus = step; cpus < most_cpus; cpus += step) {
    auto setting = with_cpus(plan, cpus);
    setting.memory_bytes += cached ? 2 * setting.dataset_bytes : 0;  // whatever else lies there
    if (utilisation(laws, setting) >= target) {
      return cpus;
    }
  }
  return std::numeric_limits<double>::infinity();
}

int busiest_cpus(const Plan& plan) {
  int best = 1;
  double reached = 0;
  for (int cpus = 1; cpus <= most_cpus; ++cpus) {
    const double busy = utilisation(plan.laws, with_cpus(plan, cpus));
    if (busy > reached) {
      reached = busy;
      best = cpus;
    }
  }
  return best;
}

// By bisection on the logarithm.
double disk_needed(const Plan& plan, double target, double memory_bytes, double factor) {
  Plan faster = plan;
  faster.setting.accelerator_items_per_s *= factor;
  const auto enough = [&](double bytes_per_s) {
    return utilisation_with_disk(faster, bytes_per_s, memory_bytes) >= target;
  };
  double low = 1e3;
  double high = plenty_of_bytes_per_s;
  if (!enough(high)) {
    return std::numeric_limits<double>::infinity();
  }
  if (enough(low)) {
    return 0;
  }
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (enough(middle) ? high : low) = middle;
  }
  return high;
}

double cached_share(const Plan& plan, double memory_bytes) {
  return predicted_hit_ratio(plan.laws, with_disk(plan, plenty_of_bytes_per_s, memory_bytes));
}

}  // namespace rightsize
