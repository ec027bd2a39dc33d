#include "models/cpu_anchor.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "kernels/network.h"
#include "kernels/longer_sequence.h"
#include "kernels/work.h"
#include "models/carry.h"
#include "models/laws/gpu_step.h"

namespace rightsize {
namespace {

// From one kind of CPU to another, of ln(rate): by the law of a Zen 4, a Granite Rapids computes 13
// % slower than it says and a Zen 5 some 20 % faster (examples/measurements:
// precision_granite_rapids, founding).
constexpr double other_kind_log_sd = 0.20;

// From FP32 to BF16, of ln(rate): assumed; the ratios that the law is set to are met within 0.2 at
// the median (tests/models/cpu_compute_test.cpp).
constexpr double other_precision_log_sd = 0.2;

// The networks' own spread around one ratio, where too few were measured to tell it: those left out
// of the law's fit are met within 0.11.
constexpr double network_log_sd = 0.15;
// Recurrent ones within 0.35.
constexpr double unanchored_recurrent_log_sd = 0.4;
// No recommender had a part in the law's fit, and rows at random places reach less of the bandwidth
// than is counted. Assumed.
constexpr double unseen_tables_log_sd = 0.3;

// Of one ratio for all batches, so that no larger batch is told slower than a smaller.
constexpr int anchoring_batch = 8;

// ln(measured / law) of a step on one vCPU of the model's CPU; nullopt where its runs are not in
// the model.
std::optional<double> log_ratio(const Model& model,
                                const CpuKind& here,
                                const Workload& workload,
                                const Network& network) {
  const auto key = compute_key(workload);
  const int item = model.index_of("compute_s_per_item/" + key);
  const int fixed = model.index_of("compute_fixed_s/" + key);
  if (item < 0 || fixed < 0) {
    return std::nullopt;
  }
  const auto value = [&](int index) {
    return model.parameters[static_cast<std::size_t>(index)].value;
  };
  const double measured_s = step_seconds({value(fixed), value(item)}, anchoring_batch);
  const double law_s = cpu_step_seconds(cpu_compute_law(Stack::current, workload.phase),
                                        cpu_work(network, workload.phase),
                                        here,
                                        1,
                                        anchoring_batch,
                                        workload.precision);
  return std::log(measured_s / law_s);
}

// Steps of recurrent networks are bound by starting small products, those that write token by token
// by reading weights and contexts, others by arithmetic.
enum class BoundBy { arithmetic, starts, reads };

BoundBy bound_of(const Network& network, Phase phase) {
  const bool recurrent =
      std::any_of(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
        return layer.kind == LayerKind::lstm;
      });
  return recurrent                                        ? BoundBy::starts
         : writes_text(network) || phase == Phase::decode ? BoundBy::reads
                                                          : BoundBy::arithmetic;
}

// `workload` with what was measured in its stead: a pass by itself costs what it costs as a part.
Workload as_measured(Workload workload, Precision precision) {
  workload.phase = has_backward(workload.phase)      ? Phase::train
                   : workload.phase == Phase::decode ? Phase::decode
                                                     : Phase::infer;
  workload.precision = precision;
  return workload;
}

// The mean over the networks like this one whose steps the model knows in this direction.
CpuAnchor anchor_of_others(const Model& model, const CpuKind& here, const Workload& asked) {
  const auto bound =
      bound_of(make_network(asked.network, asked.sequence, asked.phase), asked.phase);
  double sum = 0;
  int networks = 0;
  for (const auto& info : builtin_networks()) {
    auto other = asked;
    other.network = info.name;
    other.sequence = 0;
    if (!measured_compute(model, other)) {
      continue;
    }
    const auto network = make_network(info.name);
    const auto ratio = log_ratio(model, here, other, network);
    if (ratio && bound_of(network, other.phase) == bound) {
      sum += *ratio;
      ++networks;
    }
  }
  if (networks == 0) {
    return {1, bound == BoundBy::starts ? unanchored_recurrent_log_sd : 0, 0};
  }
  const double mean_sd = network_log_sd * std::sqrt(1 + 1.0 / networks);
  return {std::exp(sum / networks), std::hypot(other_kind_log_sd, mean_sd), networks};
}

// By the network's own runs in the precision of `asked`, or by others'.
CpuAnchor anchor_in(const Model& model, const CpuKind& here, const Workload& asked) {
  if (!measured_compute(model, asked)) {
    return anchor_of_others(model, here, asked);
  }
  const auto own =
      log_ratio(model, here, asked, make_network(asked.network, asked.sequence, asked.phase));
  return own ? CpuAnchor{std::exp(*own), other_kind_log_sd, 1} : CpuAnchor{};
}

}  // namespace

namespace {

CpuAnchor anchor_by_law(const Model& model, const Workload& workload, Stack stack) {
  const bool narrow = workload.precision == Precision::bf16;
  const auto here = cpu_kind_of(model.cpu_model);
  if (stack == Stack::era || (!here && !narrow)) {
    return {};
  }
  if (narrow && here && here->bf16_speed > 0) {
    if (const auto own = anchor_in(model, *here, as_measured(workload, Precision::bf16));
        own.networks > 0) {
      return own;
    }
  }
  // Where the kind of the model's CPU is not known, FP32 that was measured is scaled as it is and
  // needs no law (another_cpu_kind); BF16 needs one, by the usual kind.
  const auto kind = here.value_or(usual_cpu_kind(Stack::current));
  auto anchor = anchor_in(model, kind, as_measured(workload, Precision::fp32));
  if (narrow) {
    anchor.log_sd = std::hypot(anchor.log_sd > 0 ? anchor.log_sd : CpuComputeLaw{}.log_sd,
                               other_precision_log_sd,
                               kind.assumed ? CpuComputeLaw{}.unknown_cpu_log_sd : 0);
  }
  return anchor;
}

}  // namespace

CpuAnchor cpu_anchor(const Model& model, const Workload& workload, Stack stack) {
  auto anchor = anchor_by_law(model, workload, stack);
  if (!measured_compute(model, workload) &&
      looks_up_tables(make_network(workload.network, workload.sequence, workload.phase))) {
    const double by_law = anchor.log_sd > 0 ? anchor.log_sd : CpuComputeLaw{}.log_sd;
    anchor.log_sd = std::hypot(by_law, unseen_tables_log_sd);
  }
  return anchor;
}

double host_seconds(const Model& model,
                    const Workload& workload,
                    const CpuWork& work,
                    std::string_view framework) {
  const auto measured = [&](Precision precision) {
    return measured_compute(model, as_measured(workload, precision));
  };
  const bool known = framework.empty() && (measured(Precision::fp32) || measured(Precision::bf16));
  return known ? 0 : writing_seconds(work.written, framework);
}

std::optional<CpuKind> machine_cpu_kind(const Machine& machine, const std::string& isa) {
  auto kind = cpu_kind_of(isa.empty() ? machine.cpu_model : machine.cpu_model + " " + isa);
  if (kind && machine.physical_cores > 0 && machine.cpus > 0) {
    kind->threads_per_core = static_cast<double>(machine.cpus) / machine.physical_cores;
  }
  return kind;
}

bool another_cpu_kind(const Model& model, const CpuKind& cpu) {
  const auto here = cpu_kind_of(model.cpu_model);
  return here &&
         (here->ghz != cpu.ghz || here->flops_per_cycle != cpu.flops_per_cycle ||
          here->bf16_speed != cpu.bf16_speed || here->threads_per_core != cpu.threads_per_core);
}

}  // namespace rightsize
