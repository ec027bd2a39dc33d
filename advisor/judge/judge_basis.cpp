// What a candidate is predicted by: the fitted model where it measured such a machine, or the law
// of networks on CPUs where it did not.
#include <algorithm>

#include "advisor/candidate/cpu_law.h"
#include "advisor/candidate/own_loader.h"
#include "advisor/judge/judge.h"
#include "advisor/query/job_work.h"
#include "kernels/longer_sequence.h"
#include "models/carry.h"
#include "models/program_work.h"

namespace rightsize {
namespace {

// Names are read once for all that runs on an instance.
const CpuFacts::Host& host_of(const Evidence& evidence,
                              const Offer& offer,
                              Stack stack,
                              CpuFacts& facts) {
  const auto known = facts.hosts.find(std::tie(offer.provider, offer.instance, offer.cpu));
  if (known != facts.hosts.end()) {
    return known->second;
  }
  const auto kind =
      cpu_kind_named(evidence.cpu_speeds, cpu_words(evidence.cpu_speeds, offer), stack);
  const bool another = !kind.assumed && another_cpu_kind(evidence.model, kind);
  return facts.hosts
      .emplace(std::tuple(offer.provider, offer.instance, offer.cpu), CpuFacts::Host{kind, another})
      .first->second;
}

CpuFacts::Step step_of(const Workload& workload) {
  return {workload.batch, workload.precision};
}

bool is_measured(const Evidence& evidence, const Workload& workload, CpuFacts& facts) {
  const auto [known, fresh] = facts.measured.try_emplace(step_of(workload));
  if (fresh) {
    known->second = measured_compute(evidence.model, workload);
  }
  return known->second;
}

// The CPU whose law the candidate goes by; nullptr: it goes by what was measured.
const CpuKind* law_of_cpu(const Query& query,
                          const Evidence& evidence,
                          const Candidate& candidate,
                          CpuFacts& facts) {
  if (!candidate.offer->gpu.empty() || !has_network(query)) {
    return nullptr;
  }
  const auto stack = query.stack.value_or(Stack::current);
  const auto& host = host_of(evidence, *candidate.offer, stack, facts);
  const bool by_law = stack == Stack::era || host.another ||
                      !is_measured(evidence, candidate.setting.workload, facts);
  return by_law ? &host.kind : nullptr;
}

// Of a program that feeds GPUs, one for each.
int processes_of(const Candidate& candidate) {
  return std::max(1, static_cast<int>(candidate.offer->gpus));
}

}  // namespace

Model model_for(const Query& query,
                const Evidence& evidence,
                const Candidate& candidate,
                CpuFacts& facts) {
  const auto& setting = candidate.setting;
  auto model = evidence.model;
  if (const auto* cpu = law_of_cpu(query, evidence, candidate, facts)) {
    const auto stack = query.stack.value_or(Stack::current);
    if (!facts.work) {
      facts.work = cpu_work(make_network(query.network, query.sequence, query.phase), query.phase);
      facts.work->host_s =
          host_seconds(evidence.model, setting.workload, *facts.work, query.framework);
    }
    auto& anchor = facts.anchors[step_of(setting.workload)];
    anchor = anchor ? anchor : cpu_anchor(evidence.model, setting.workload, stack);
    // The law is of the CPU as it is; what is supposed of it the predictor takes off.
    model = with_cpu_law(model,
                         setting.workload,
                         *facts.work,
                         *anchor,
                         {*cpu, stack, setting.cpus, setting.cpu_speed / candidate.cpu_supposed});
  }
  if (query.program) {
    return with_program_reading(model, setting.workload);
  }
  if (is_program_loader(query.loader)) {
    return with_program_loader(model, setting.workload, query.loader, processes_of(candidate));
  }
  const auto stack = loader_stack(query.loader, query.phase, query.stack, query.framework);
  if (stack && !facts.pictures) {
    facts.pictures = decodes_pictures(query.format, query.network, query.sequence, query.phase);
  }
  return stack && *facts.pictures ? with_loader_of(model, setting.workload, *stack) : model;
}

Model model_for(const Query& query, const Evidence& evidence, const Candidate& candidate) {
  CpuFacts facts;
  return model_for(query, evidence, candidate, facts);
}

Judge::Basis Judge::measured_basis(const Candidate& candidate) const {
  const auto source = loaded_by(query_) == LoadedBy::framework ? Source::scaled : Source::fitted;
  return {
      Predictor(model_for(query_, evidence_, candidate, cpu_facts_), candidate.setting.workload),
      query_.stack ? Source::assumed : source,
      ""};
}

std::optional<Judge::Basis> Judge::lawful_basis(const Candidate& candidate,
                                                const CpuKind& cpu) const {
  try {
    Predictor predictor(model_for(query_, evidence_, candidate, cpu_facts_),
                        candidate.setting.workload);
    const auto& anchor = cpu_facts_.anchors.at(step_of(candidate.setting.workload));
    return Basis{std::move(predictor),
                 cpu.assumed ? Source::assumed : Source::scaled,
                 cpu_law_words(cpu, *anchor, candidate.precision)};
  } catch (const ModelError&) {
    return std::nullopt;  // the data path was not measured either
  }
}

const Judge::Basis* Judge::basis_for(const Candidate& candidate, Refusal& refusal) {
  const Offer& offer = *candidate.offer;
  const auto* cpu = law_of_cpu(query_, evidence_, candidate, cpu_facts_);
  if (cpu == nullptr) {
    const bool on_gpu = !offer.gpu.empty();
    const int processes = is_program_loader(query_.loader) ? processes_of(candidate) : 1;
    const std::tuple key{on_gpu,
                         on_gpu ? 0 : candidate.way.batch,
                         on_gpu ? Precision::fp32 : candidate.precision,
                         processes};
    auto measured = measured_.find(key);
    if (measured == measured_.end()) {
      // Throws without the data path of a GPU's job.
      measured = measured_.emplace(key, measured_basis(candidate)).first;
    }
    return &measured->second;
  }
  const double own_speed = candidate.setting.cpu_speed / candidate.cpu_supposed;
  const std::tuple machine{candidate.way.batch, candidate.setting.cpus, own_speed, cpu->name};
  auto lawful = lawful_.find(machine);
  if (lawful == lawful_.end()) {
    lawful = lawful_.emplace(machine, lawful_basis(candidate, *cpu)).first;
  }
  if (!lawful->second) {
    refusal = {"the data path of a CPU machine was not measured here", Lacking::evidence};
    return nullptr;
  }
  return &*lawful->second;
}

}  // namespace rightsize
