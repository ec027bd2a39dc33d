#include "advisor/machine/sizing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "advisor/candidate/host_cpus.h"
#include "advisor/candidate/host_memory.h"
#include "advisor/machine/extrapolated_cpus.h"
#include "advisor/machine/plentiful_host.h"
#include "advisor/query/query.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

using Plan = Estimator::Plan;

// Predict counts what the memory of a machine caches; here nothing is.
std::string loading_words(const Plan& plan, double target, double loading) {
  if (reads_once(plan)) {
    return fmt::format("{:.3g} vCPU load and decode", loading);
  }
  const double cached = loading_cpus(plan, target, 1, true);
  return fmt::format(
      "{:.3g} vCPU load and decode, nothing cached{}",
      loading,
      cached < loading ? fmt::format(" ({:.3g} where memory holds all the data)", cached) : "");
}

// Beside one for each GPU, what serves texts has a process that schedules them and one that takes
// requests and answers, both busy (vLLM, docs/design/arch_overview.md, V1).
constexpr double processes_of_server = 2;

// What the process takes that drives each GPU is not counted, as advise and predict do not; but as
// many run at once as there are GPUs, each on a vCPU.
SizeNeed need_cpus(const Plan& plan, int gpus, double target, const Model& model) {
  // As sure as the law is of so many: what contention does to one is no question.
  const double loading = loading_cpus(plan, target, 1);
  const double so_many = std::isinf(loading) ? busiest_cpus(plan) : std::max(1.0, loading);
  const auto prediction =
      Predictor(model, plan.setting.workload).predict(with_cpus(plan, so_many), plan.uncertainty);
  const double log_sd = std::hypot(plan.uncertainty.accelerator,
                                   plan.uncertainty.cpu_speed,
                                   reads_data(plan) ? prediction.model_sd : 0);
  const bool writes = plan.setting.workload.phase == Phase::decode;
  const double of_processes =
      writes ? gpus + processes_of_server : std::max(1.0, vcpus_of_processes(gpus));
  const auto whole = [&](double factor) {
    return std::max(of_processes, std::ceil(loading_cpus(plan, target, factor)));
  };
  const double spread = std::exp(normal_90 * log_sd);
  SizeNeed need{"vcpus", "vCPU", whole(1), whole(1 / spread), whole(spread), "", {}};
  if (!reads_data(plan)) {
    need.reason = writes      ? "one for each GPU's process, one that schedules, one that answers"
                  : gpus <= 1 ? "no pictures to decode: one is enough to run the program"
                              : "no pictures to decode: one for each GPU's process";
    return need;
  }
  need.reason = std::isinf(loading) ? "no number of vCPUs is enough to load and decode"
                                    : loading_words(plan, target, loading);
  if (loading < of_processes - 1) {
    need.reason += ", and each GPU's process has one";
  }
  const double scale = std::isinf(need.amount) ? busiest_cpus(plan) : need.amount;
  for (const double share : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    const double cpus = std::max(of_processes, std::round(scale * share));
    if (need.curve.empty() || need.curve.back().amount < cpus) {
      need.curve.push_back({cpus, utilisation(plan.laws, with_cpus(plan, cpus))});
    }
  }
  return need;
}

SizeNeed need_disk(const Plan& plan, double target, double log_sd) {
  const auto resident = static_cast<double>(plan.setting.resident_bytes);
  const double spread = std::exp(normal_90 * log_sd);
  const double needed = disk_needed(plan, target, resident, 1);
  SizeNeed need{"disk",
                "MB/s",
                needed / 1e6,
                disk_needed(plan, target, resident, 1 / spread) / 1e6,
                disk_needed(plan, target, resident, spread) / 1e6,
                "",
                {}};
  const double item_kb = bytes_per_item(plan.setting) / 1e3;
  need.reason = reads_data(plan) ? fmt::format("{:.{}f} kB an item, {}",
                                               item_kb,
                                               item_kb < 1 ? 2 : 0,
                                               reads_once(plan) ? "read once" : "nothing cached")
                                 : "the data is in memory";
  for (const double share : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
    if (needed > 0 && !std::isinf(needed)) {
      need.curve.push_back(
          {needed * share / 1e6, utilisation_with_disk(plan, needed * share, resident)});
    }
  }
  return need;
}

SizeNeed need_memory(const Plan& plan, int gpus) {
  const auto held = static_cast<double>(plan.setting.resident_bytes);
  const double weights = gpus > 0 ? weights_on_their_way(plan.model_files.weights_bytes) : 0;
  const double needed = std::ceil((held + weights) / bytes_per_gib);
  SizeNeed need{"memory",
                "GiB",
                needed,
                std::max(1.0, std::floor(held / bytes_per_gib * 0.7)),
                std::ceil(needed * 1.5),
                "what the processes hold (assumed per GPU)",
                {}};
  if (weights > held / 10) {
    need.reason += fmt::format(
        " and {}, {:.3g} GiB, on their way in",
        weights < plan.model_files.weights_bytes ? "two shards of the weights" : "the weights",
        weights / bytes_per_gib);
  }
  need.reason += reads_once(plan) ? "; more of it spares no disk, as the data is read once"
                                  : "; more of it caches the data";
  return need;
}

// The fewest vCPUs with which a disk of at most half as much again does, and the slowest such disk.
std::optional<SizeTogether> all_together(const Plan& plan,
                                         const std::vector<SizeNeed>& needs,
                                         double target) {
  constexpr double most_more = 1.5;
  const double cpus = needs[0].amount;
  const double least = needs[1].amount * 1e6;
  if (std::isinf(cpus) || std::isinf(least)) {
    return std::nullopt;
  }
  const auto enough = [&](double so_many, double bytes_per_s) {
    auto setting = with_cpus(plan, so_many);
    if (least > 0) {
      setting.disk.bytes_per_s = bytes_per_s;
    }
    return utilisation(plan.laws, setting) >= target;
  };
  for (double so_many = cpus; so_many <= 2 * cpus + 1; ++so_many) {
    if (enough(so_many, least)) {
      return SizeTogether{so_many, least};
    }
    if (enough(so_many, most_more * least)) {
      double low = least;
      double high = most_more * least;
      for (int i = 0; i < 40; ++i) {
        const double middle = (low + high) / 2;
        (enough(so_many, middle) ? high : low) = middle;
      }
      return SizeTogether{so_many, high};
    }
  }
  return std::nullopt;
}

std::vector<DiskForMemory> trade_off(const Plan& plan, double least_gib, double target) {
  std::vector<DiskForMemory> trade;
  const auto resident = static_cast<double>(plan.setting.resident_bytes);
  const auto data = static_cast<double>(plan.setting.dataset_bytes);
  for (const double cached : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double memory = resident + cached * data;
    trade.push_back({std::max(least_gib, std::ceil(memory / bytes_per_gib)),
                     disk_needed(plan, target, memory, 1),
                     cached_share(plan, memory)});
  }
  return trade;
}

// The accelerator's own rate, all nodes: what a host that costs nothing leaves of it.
Estimate own_throughput(const Plan& plan) {
  const double value = plan.setting.accelerator_items_per_s * plan.nodes;
  const double spread = std::exp(normal_90 * plan.uncertainty.accelerator);
  return {value, value / spread, value * spread, 0.9, plan.unit, plan.source};
}

// Of the vCPUs that are told, or that come nearest.
std::string assumed_of_cpus(const Plan& plan, const Sizing& sizing) {
  const auto& law = plan.laws.scaling;
  const double cpus = std::isinf(sizing.cpus()) ? busiest_cpus(plan) : sizing.cpus();
  return extrapolated_cpus_words(law, law.measured_cpus, cpus);
}

std::string shortfall_of(const Plan& plan, const Sizing& sizing) {
  if (const double most = most_utilisation(plan); most < sizing.target) {
    return fmt::format(
        "copies to the GPUs leave them busy {:.0f}% of the time at most, whatever the host",
        std::floor(100 * most));
  }
  if (std::isinf(sizing.needs[0].amount)) {
    const int best = busiest_cpus(plan);
    return fmt::format(
        "no number of vCPUs up to {} keeps the GPUs busy {:g}% of the time: {} that load and "
        "decode reach {:.0f}%, as they contend with each other",
        most_cpus,
        sizing.target * 100,
        best,
        100 * utilisation(plan.laws, with_cpus(plan, best)));
  }
  return std::isinf(sizing.needs[1].amount)
             ? fmt::format("no disk keeps the GPUs busy {:g}% of the time", sizing.target * 100)
             : "";
}

}  // namespace

Sizing size_placed(Estimator& estimator,
                   const Configuration& asked,
                   PreprocessChoice where,
                   double target) {
  Configuration open = asked;
  open.preprocess_on = where;
  open.machine.vcpus = plenty_of_cpus;
  open.machine.looked_for = true;
  open.machine.memory_gib.reset();
  open.machine.disk.clear();
  Sizing sizing;
  sizing.target = target;
  const auto plan = estimator.plan(open, sizing.answer);
  if (!plan) {
    return sizing;
  }
  const auto& unsure = plan->uncertainty;
  sizing.answer.throughput = own_throughput(*plan);
  sizing.needs = {need_cpus(*plan, asked.machine.gpus_per_node, target, estimator.model_of(*plan)),
                  need_disk(*plan, target, unsure.accelerator),
                  need_memory(*plan, asked.machine.gpus_per_node)};
  sizing.together = all_together(*plan, sizing.needs, target);
  sizing.shortfall = shortfall_of(*plan, sizing);
  sizing.answer.notes.emplace_back(asked.machine.gpus_per_node > 1
                                       ? "each GPU's process has a vCPU; what it takes beside "
                                         "loading is not counted, here as in "
                                         "advise: it was not measured"
                                       : "the thread with which a framework drives each GPU is not "
                                         "counted, here as in advise: it "
                                         "was not measured");
  sizing.reads_data = reads_data(*plan);
  if (auto assumed = sizing.reads_data ? assumed_of_cpus(*plan, sizing) : ""; !assumed.empty()) {
    sizing.answer.notes.push_back(std::move(assumed));
  }
  if (sizing.reads_data && !reads_once(*plan)) {
    sizing.trade = trade_off(*plan, sizing.needs[2].amount, target);
  }
  return sizing;
}

}  // namespace rightsize
