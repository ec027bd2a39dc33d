#include "models/fit_warnings.h"

#include <cmath>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

#include "models/laws/gpu_name.h"
#include "models/seldom_measured.h"

namespace rightsize {

// The runs say next to nothing of it.
bool is_undetermined(const Parameter& parameter) {
  return parameter.fitted_sd > 0.8 * parameter.prior_sd;
}

namespace {

void warn_unidentified(FitSummary& summary) {
  for (const auto& parameter : summary.model.parameters) {
    // No run can determine what holds beyond all runs, and few try a fraction of a vCPU.
    const bool seldom =
        parameter.name == contention_beyond_prior.name || parameter.name == quota_loss_prior.name;
    if (!seldom && is_undetermined(parameter) && parameter.prior_sd > 0.2) {
      summary.warnings.push_back(
          fmt::format("{} is hardly determined by these runs: {:.3g} {} is mostly its prior",
                      parameter.name,
                      parameter.value,
                      parameter.unit));
    }
  }
}

// The fastest run of a program.
const Record& fastest_of(const std::string& program, std::span<const Observation> observations) {
  const Record* fastest = nullptr;
  for (const auto& seen : observations) {
    const bool faster =
        fastest == nullptr || seen.record->throughput.median > fastest->throughput.median;
    fastest = seen.record->workload.network == program && faster ? seen.record : fastest;
  }
  return *fastest;  // programs_of() keeps those that have one
}

// Beside a GPU that may have held it back: how its rate and its vCPUs are used apart.
std::string beside_gpu_words(const std::string& program,
                             double most,
                             std::span<const Observation> observations) {
  const auto& record = fastest_of(program, observations);
  const auto& gpus = record.machine.gpus;
  const auto gpu = gpus.empty() ? "GPU" : canonical_gpu_name(gpus.front().name);
  return fmt::format(
      "{0} used {1:.2g} vCPUs however many it had, beside a GPU that may have held it back: for a "
      "job of the network that it computes, --measured {2}:{3}={4:.4g} says what it did there, and "
      "--loader {0} what of the CPU it takes",
      program,
      most,
      gpu,
      record.workload.batch,
      record.throughput.median);
}

// Of what its predictions beyond those vCPUs rest on.
void warn_programs(FitSummary& summary, std::span<const Observation> observations) {
  for (const auto& [name, cpus] : summary.model.programs) {
    if (cpus.beside_gpu && !std::isinf(cpus.most)) {
      summary.warnings.push_back(beside_gpu_words(name, cpus.most, observations));
      continue;
    }
    summary.warnings.push_back(
        std::isinf(cpus.most)
            ? fmt::format(
                  "{} was measured on no more than {:g} vCPU{}: whether it uses more is not "
                  "known, and intervals beyond say so",
                  name,
                  cpus.seen,
                  cpus.seen > 1 ? "s" : "")
            : fmt::format("{} used {:.2g} vCPUs however many it had: it is taken to use no more "
                          "anywhere",
                          name,
                          cpus.most));
  }
}

// One name, one law: arguments that change the work make it wrong for each of them.
void warn_variants(FitSummary& summary, std::span<const Observation> observations) {
  std::map<std::string, std::set<std::string>> commands;
  for (const auto& seen : observations) {
    if (!seen.record->command.empty()) {
      commands[seen.record->workload.network].insert(seen.record->command);
    }
  }
  for (const auto& [name, lines] : commands) {
    if (lines.size() > 1) {
      summary.warnings.push_back(fmt::format(
          "{} was run with {} different command lines, which are fitted as one program: "
          "where they are other work, fit each alone (rightsize records export, then "
          "rightsize fit FILE), or give the script another name",
          name,
          lines.size()));
    }
  }
}

void warn_few(FitSummary& summary, std::span<const Observation> observations) {
  std::set<std::string> settings;
  for (const auto& seen : observations) {
    settings.insert(seen.cell);
  }
  if (settings.size() == 1) {
    summary.warnings.push_back(
        "all runs are of one setting: none can be predicted from others, so how wrong the model is "
        "is not known; run rightsize campaign with vCPUs, memory or disk varied");
  } else if (observations.size() < worth_something) {
    summary.warnings.push_back(
        fmt::format("{} runs: a fit is worth something from {} on; intervals are at least those of "
                    "the fit itself",
                    observations.size(),
                    worth_something));
  }
  if (!summary.converged) {
    summary.warnings.push_back(
        fmt::format("the fit did not converge ({}): do runs contradict one "
                    "another? rightsize records list shows them",
                    summary.reason));
  }
}

}  // namespace

void add_fit_warnings(std::span<const Observation> observations, FitSummary& summary) {
  warn_few(summary, observations);
  warn_programs(summary, observations);
  warn_variants(summary, observations);
  warn_unidentified(summary);
}

}  // namespace rightsize
