// The plan of a program of the user's: its own vCPUs and memory as they were measured, and of its
// disk what is said of its data.
#include <fmt/format.h>

#include "advisor/candidate/own_program.h"
#include "advisor/machine/estimator.h"
#include "advisor/query/job_work.h"
#include "kernels/networks/program.h"
#include "models/program_work.h"

namespace rightsize {
namespace {

// Why the machine or what is asked of the program cannot be; "": it can.
std::string why_not_program(const Configuration& asked) {
  if (!asked.machine.gpu.empty()) {
    return std::string(program_leaves_gpu_idle);
  }
  if (!asked.machine.vcpus) {
    return "vCPUs are not stated: nothing would compute";
  }
  if (asked.machine.nodes > 1) {
    return "a program of your own on several nodes is not modelled";
  }
  const auto misfit = program_misfit(asked, asked.service || asked.tokens);
  return misfit.empty() ? "" : "expected " + misfit;
}

Workload workload_of(const Configuration& asked, const ProgramWork& program) {
  Workload work;
  work.network = bare_program(asked.network);
  work.phase = program.phase;
  work.precision = program.precision;
  work.batch = program.cpus.batch;
  work.data = asked.data;
  work.shuffle = asked.shuffle;
  return work;
}

}  // namespace

std::optional<Estimator::Plan> Estimator::plan_program(const Configuration& asked, Answer& answer) {
  const auto known = program_work(measured_, bare_program(asked.network));
  answer.batch = known ? known->cpus.batch : asked.batch.value_or(1);
  if (answer.reason = why_not_program(asked); !answer.reason.empty()) {
    return std::nullopt;
  }
  if (!known) {
    answer.reason = unknown_program_words(measured_, asked.network);
    return std::nullopt;
  }
  const auto& program = *known;
  if (asked.batch && *asked.batch != program.cpus.batch) {
    answer.reason = fmt::format(
        "batch {}: {}, of {}; leave it out", *asked.batch, steps_of_program, program.cpus.batch);
    return std::nullopt;
  }
  Plan plan;
  plan.unit = "items/s";
  plan.source = Source::scaled;
  plan.setting.workload = workload_of(asked, program);
  answer.precision = program.precision;
  plan_host(asked, plan, answer);
  if (!answer.reason.empty()) {
    return std::nullopt;
  }
  answer.verdict = Verdict::ok;
  answer.notes.push_back(program_words(asked.network, program));
  plan_data(asked, plan, answer);
  if (!memory_holds(program.cpus.resident_bytes, asked, plan, answer)) {
    return std::nullopt;
  }
  plan.laws = laws_of(model_of(plan), plan.setting.workload);
  choose_disk(asked, plan, answer);
  if (asked.epochs) {
    plan.length = JobLength{static_cast<double>(asked.items), *asked.epochs};
  }
  return plan;
}

}  // namespace rightsize
