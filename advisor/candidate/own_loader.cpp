#include "advisor/candidate/own_loader.h"

#include <exception>

#include <fmt/format.h>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/own_program.h"
#include "advisor/query/job_work.h"
#include "advisor/query/usage_error.h"
#include "kernels/networks/program.h"
#include "models/program_work.h"

namespace rightsize {

bool is_program_loader(std::string_view loader) {
  return !loader.empty() && loader != measured_loader;
}

bool program_reads(const NetworkStep& step, std::string_view loader) {
  return work_of(step) == JobWork::program || is_program_loader(loader);
}

std::optional<Stack> loader_stack(std::string_view loader,
                                  Phase phase,
                                  std::optional<Stack> stated,
                                  std::string_view framework) {
  if (loader == measured_loader) {
    return std::nullopt;
  }
  const bool by_framework = phase != Phase::preprocess || !framework.empty();
  return stated || !by_framework ? stated : Stack::current;
}

LoadedBy loaded_by(const Query& query) {
  if (query.serves() || query.phase == Phase::decode || program_named(query.network)) {
    return LoadedBy::nobody;
  }
  if (is_program_loader(query.loader)) {
    return LoadedBy::program;
  }
  try {
    if (!decodes_pictures(query.format, query.network, query.sequence, query.phase)) {
      return LoadedBy::nobody;
    }
  } catch (const std::exception&) {  // of a saved answer, whose network's file is not here
    return LoadedBy::nobody;
  }
  return loader_stack(query.loader, query.phase, query.stack, query.framework)
             ? LoadedBy::framework
             : LoadedBy::rightsize;
}

std::string why_no_loader(Phase phase, DataFormat data, bool serves) {
  return serves || phase == Phase::decode ? "its items come with their requests or lie in memory"
         : phase == Phase::preprocess
             ? "a job of phase preprocess is rightsize's own loader and nothing else"
         : data == DataFormat::synthetic ? "of data format synthetic nothing is loaded"
                                         : "";
}

void require_loader(const Model& model, const std::string& loader) {
  if (is_program_loader(loader) && !program_work(model, loader)) {
    throw UsageError(fmt::format("loader {}: expected {}; {}.\n       Or run {}",
                                 loader,
                                 loader_grammar,
                                 known_programs(model, loader),
                                 how_to_profile(loader)));
  }
}

std::string loader_words(const Model& model, const std::string& loader) {
  const auto work = program_work(model, loader);
  return !work ? ""
               : fmt::format(
                     "items are loaded by {} as it was profiled here, {} of a vCPU each, "
                     "in place of rightsize's own loader{}",
                     loader,
                     cpu_seconds_words(work->cpu_s_per_item),
                     vcpus_words(work->cpus, "a process of it, one for each GPU,"));
}

}  // namespace rightsize
