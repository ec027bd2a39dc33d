// The part of an Estimator's plan that CPUs decide where no GPU computes.
#include <fmt/format.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/machine/estimator.h"
#include "kernels/work.h"
#include "models/carry.h"
#include "models/cpu_anchor.h"

namespace rightsize {
namespace {

// How a sentence begins that ends in the precision.
std::string_view why_not_on_cpu(Precision asked, const CpuKind& cpu, Stack stack) {
  return asked == Precision::tf32                        ? "no CPU has"
         : cpu.bf16_speed > 0 && stack == Stack::current ? "here no CPU is known in"
         : stack == Stack::era                           ? "on CPUs the libraries of the era lack"
         : cpu.assumed                                   ? "no CPU was named that has units for"
                                                         : "this CPU has no units for";
}

}  // namespace

bool Estimator::plan_cpu(const Configuration& asked,
                         const NetworkFacts& facts,
                         Plan& plan,
                         Answer& answer) {
  if (!asked.machine.vcpus) {
    answer.reason = "neither a GPU nor vCPUs are stated: nothing would compute";
    return false;
  }
  if (asked.machine.nodes > 1) {
    answer.reason = "work on the CPUs of several nodes is not modelled";
    return false;
  }
  const auto stack = asked.stack.value_or(Stack::current);
  const auto cpu = cpu_kind_named(cpu_speeds_, asked.machine.cpu, stack);
  answer.verdict = Verdict::ok;
  Workload& workload = plan.setting.workload;
  workload.engine = EngineKind::cpu;
  workload.network = asked.network;
  workload.sequence = asked.sequence;
  workload.precision = cpu_precision(cpu, asked.precision, stack);
  if (asked.precision != workload.precision && asked.precision_said) {
    answer.warn(fmt::format("{} {}: it computes in {}",
                            why_not_on_cpu(asked.precision, cpu, stack),
                            to_string(asked.precision),
                            to_string(workload.precision)));
  }
  answer.precision = workload.precision;
  if (stack == Stack::current && measured_compute(model_, workload) &&
      (cpu.assumed || !another_cpu_kind(model_, cpu))) {
    plan.source = Source::scaled;
    answer.notes.push_back("the CPU's steps were measured, and are scaled by vCPUs and CPU speed");
    return true;
  }
  complete_cpu_model(asked, facts, plan, answer);
  return true;
}

void Estimator::complete_cpu_model(const Configuration& asked,
                                   const NetworkFacts& facts,
                                   Plan& plan,
                                   Answer& answer) const {
  const auto stack = asked.stack.value_or(Stack::current);
  const auto cpu = cpu_kind_named(cpu_speeds_, asked.machine.cpu, stack);
  const auto anchor = cpu_anchor(model_, plan.setting.workload, stack);
  auto work = cpu_work(facts.network, asked.phase);
  work.host_s = host_seconds(model_, plan.setting.workload, work, asked.framework);
  plan.model = with_cpu_law(model_,
                            plan.setting.workload,
                            work,
                            anchor,
                            {cpu, stack, *asked.machine.vcpus, plan.setting.cpu_speed});
  plan.uncertainty.cpu_speed = 0;  // the law's own interval has it
  plan.source = cpu.assumed ? Source::assumed : Source::scaled;
  plan.sources.model = plan.source;
  answer.notes.push_back(cpu_law_words(cpu, anchor, answer.precision));
}

}  // namespace rightsize
