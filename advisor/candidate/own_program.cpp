#include "advisor/candidate/own_program.h"

#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/toml_fields.h"
#include "kernels/gibibyte.h"
#include "kernels/networks/program.h"
#include "models/laws/step_phase.h"
#include "models/program_work.h"

namespace rightsize {

std::string program_misfit(const NetworkStep& step, bool serves) {
  if (serves) {
    return "no [service]: a program of your own is known by the items it works through";
  }
  if (!has_steps(step.phase)) {
    return "no phase: a program of your own does what it does";
  }
  if (step.tuning != Tuning{} || step.accumulate > 1 || step.gpus_per_copy() > 1) {
    return "nothing of how GPUs train: a program of your own was measured on vCPUs";
  }
  return step.framework.empty() ? "" : "no framework: a program of your own was measured as it is";
}

std::string known_programs(const Model& model, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, cpus] : model.programs) {
    if (program_work(model, name)) {
      names.push_back(name);
    }
  }
  if (const auto near = nearest_word(wanted, names); !near.empty()) {
    return fmt::format("did you mean {}?", near);
  }
  if (names.empty() && !model.programs.empty()) {
    return "an earlier version fitted the model, and did not keep the steps of programs: run "
           "rightsize fit again";
  }
  return names.empty() ? "the model was fitted to no program of yours"
                       : fmt::format("the model was fitted to {}", fmt::join(names, ", "));
}

std::string how_to_profile(const std::string& program) {
  return fmt::format(
      "rightsize profile --cpus 0.25,0.5,1,2 --items-per-step 64 --steps 'regex:step (\\d+)' -- "
      "python3 {} and then rightsize fit",
      program);
}

std::string unknown_program_words(const Model& model, const std::string& network) {
  return fmt::format(
      "network {}: expected a program that was profiled here, by the first word of its runs in "
      "rightsize records list; {}.\n       Or run {}",
      network,
      known_programs(model, bare_program(network)),
      how_to_profile(bare_program(network)));
}

ProgramWork required_program(const Model& model, const std::string& network) {
  if (const auto work = program_work(model, bare_program(network))) {
    return *work;
  }
  throw UsageError(unknown_program_words(model, network));
}

void know_program(const Model& model, Query& query) {
  if (program_named(query.network)) {
    if (const auto misfit = program_misfit(query, query.serves()); !misfit.empty()) {
      throw UsageError(fmt::format("network {}: expected {}", query.network, misfit));
    }
    query.program = required_program(model, query.network);
    query.batches = {query.program->cpus.batch};
    query.precision = query.program->precision;
  }
}

std::string cpu_seconds_words(double seconds) {
  return seconds >= 1      ? fmt::format("{:.3g} s", seconds)
         : seconds >= 1e-3 ? fmt::format("{:.3g} ms", seconds * 1e3)
                           : fmt::format("{:.3g} us", seconds * 1e6);
}

std::string vcpus_words(const ProgramCpus& cpus, std::string_view it) {
  const auto vcpus = [](double count) {
    return fmt::format("{:.3g} vCPU{}", count, count > 1.005 ? "s" : "");
  };
  return std::isinf(cpus.most) || cpus.beside_gpu
             ? fmt::format(
                   "; on more than the {} it was seen with {} may use no more, which the "
                   "interval allows for",
                   vcpus(cpus.seen),
                   it)
             : fmt::format(
                   "; {} uses {} at the most, as it did here, which are faster than told "
                   "where the other halves of their cores stand idle",
                   it,
                   vcpus(cpus.most));
}

std::string program_words(const std::string& network, const ProgramWork& work) {
  return fmt::format(
      "{} is taken as it was profiled here: {} of a vCPU an item, in steps of {}, and {:.2g} GiB "
      "of memory{}",
      bare_program(network),
      cpu_seconds_words(work.cpu_s_per_item),
      work.cpus.batch,
      work.cpus.resident_bytes / bytes_per_gib,
      vcpus_words(work.cpus, "it"));
}

}  // namespace rightsize
