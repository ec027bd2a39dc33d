// What a candidate is predicted by: the fitted model where it measured such a machine, or the law
// of networks on CPUs where it did not.
#include "advisor/cpu_law.h"
#include "advisor/judge.h"
#include "models/carry.h"

namespace rightsize {
namespace {

CpuKind cpu_of(const Query& query, const Evidence& evidence, const Offer& offer) {
  return cpu_kind_named(evidence.cpu_speeds, offer.instance, query.stack == Stack::era);
}

bool goes_by_law(const Query& query, const Evidence& evidence, const Candidate& candidate) {
  if (!candidate.offer->gpu.empty() || query.phase == Phase::preprocess) {
    return false;
  }
  const auto cpu = cpu_of(query, evidence, *candidate.offer);
  return query.stack == Stack::era ||
         !measured_compute(evidence.model, candidate.setting.workload) ||
         (!cpu.assumed && another_cpu_kind(evidence.model, cpu));
}

}  // namespace

Model model_for(const Query& query,
                const Evidence& evidence,
                const Candidate& candidate,
                CpuFacts& facts) {
  const auto& setting = candidate.setting;
  auto model = evidence.model;
  if (goes_by_law(query, evidence, candidate)) {
    const bool era = query.stack == Stack::era;
    if (!facts.work) {
      facts.work = cpu_work(make_network(query.network, query.sequence), query.phase);
    }
    auto& anchor = facts.anchors[setting.workload.batch];
    anchor = anchor ? anchor : cpu_anchor(evidence.model, setting.workload, era);
    model = with_cpu_law(model,
                         setting.workload,
                         *facts.work,
                         *anchor,
                         cpu_of(query, evidence, *candidate.offer),
                         era,
                         setting.cpus,
                         setting.cpu_speed);
  }
  return query.stack ? with_loader_of(model, setting.workload, *query.stack) : model;
}

Model model_for(const Query& query, const Evidence& evidence, const Candidate& candidate) {
  CpuFacts facts;
  return model_for(query, evidence, candidate, facts);
}

std::optional<Judge::Basis> Judge::measured_basis(const Candidate& candidate) const {
  return Basis{
      Predictor(model_for(query_, evidence_, candidate, cpu_facts_), candidate.setting.workload),
      query_.stack ? Source::assumed : Source::fitted,
      ""};
}

std::optional<Judge::Basis> Judge::lawful_basis(const Candidate& candidate,
                                                const CpuKind& cpu) const {
  try {
    Predictor predictor(model_for(query_, evidence_, candidate, cpu_facts_),
                        candidate.setting.workload);
    const auto& anchor = cpu_facts_.anchors.at(candidate.setting.workload.batch);
    return Basis{std::move(predictor),
                 cpu.assumed ? Source::assumed : Source::scaled,
                 cpu_law_words(cpu, *anchor)};
  } catch (const ModelError&) {
    return std::nullopt;  // the data path was not measured either
  }
}

const Judge::Basis* Judge::basis_for(const Candidate& candidate, std::string& reason) {
  const Offer& offer = *candidate.offer;
  if (!goes_by_law(query_, evidence_, candidate)) {
    const std::pair key{!offer.gpu.empty(), offer.gpu.empty() ? candidate.way.batch : 0};
    auto measured = measured_.find(key);
    if (measured == measured_.end()) {
      // Throws without the data path of a GPU's job.
      measured = measured_.emplace(key, measured_basis(candidate)).first;
    }
    return &*measured->second;
  }
  const auto cpu = cpu_of(query_, evidence_, offer);
  const std::tuple machine{
      candidate.way.batch, candidate.setting.cpus, candidate.setting.cpu_speed, cpu.name};
  auto lawful = lawful_.find(machine);
  if (lawful == lawful_.end()) {
    lawful = lawful_.emplace(machine, lawful_basis(candidate, cpu)).first;
  }
  if (!lawful->second) {
    reason = "the data path of a CPU machine was not measured here";
    return nullptr;
  }
  return &*lawful->second;
}

}  // namespace rightsize
