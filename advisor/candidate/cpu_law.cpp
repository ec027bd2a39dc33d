#include "advisor/candidate/cpu_law.h"

#include <fmt/format.h>

#include "kernels/longer_sequence.h"
#include "kernels/work.h"
#include "models/carry.h"
#include "models/laws/cloud_cpu.h"

namespace rightsize {
namespace {

constexpr double loader_cost_log_sd = 0.4;

bool names_cpu(const CpuSpeeds& cpu_speeds, const Offer& offer) {
  return !offer.cpu.empty() && knows_cpu(cpu_speeds, offer.cpu);
}

// The CPU that its price table names, or its cloud's series has; else `unsaid`.
std::string said_or(const CpuSpeeds& cpu_speeds, const Offer& offer, const std::string& unsaid) {
  if (names_cpu(cpu_speeds, offer)) {
    return offer.cpu;
  }
  const auto of_series = cloud_cpu(offer.provider, offer.instance);
  return of_series.empty() ? unsaid : std::string(of_series);
}

}  // namespace

CpuKind cpu_kind_named(const CpuSpeeds& cpu_speeds, const std::string& words, Stack stack) {
  const auto family_model = cpu_speeds.model_of(words);
  return cpu_kind_of(family_model.empty() ? words : family_model).value_or(usual_cpu_kind(stack));
}

bool knows_cpu(const CpuSpeeds& cpu_speeds, const std::string& words) {
  // Against itself the speed of a model that the table has is certain.
  return cpu_speeds.of_words(words, {words, 0}).source == Source::scaled ||
         !cpu_speeds.model_of(words).empty() || cpu_kind_of(words).has_value();
}

std::string unknown_cpu_words(const std::string& words, std::string_view stand_in) {
  return fmt::format(
      "no law knows a CPU called \"{}\": {} stands in for it; expected a name such as "
      "Skylake or \"EPYC 7R13\", or an EC2 type",
      words,
      stand_in);
}

std::string cpu_words(const CpuSpeeds& cpu_speeds, const Offer& offer) {
  return said_or(cpu_speeds, offer, offer.instance);
}

std::string cpu_family(const CpuSpeeds& cpu_speeds, const Offer& offer) {
  const auto unsaid = offer.provider == "aws" ? offer.instance.substr(0, offer.instance.find('.'))
                                              : std::string("unknown");
  return said_or(cpu_speeds, offer, unsaid);
}

CpuSpeed cpu_speed_of(const CpuSpeeds& cpu_speeds,
                      const Offer& offer,
                      const MeasuredCpu& measured) {
  return names_cpu(cpu_speeds, offer)
             ? cpu_speeds.of_words(offer.cpu, measured)
             : cpu_speeds.relative(offer.provider, offer.instance, measured);
}

double loader_cost(Stack stack) {
  return stack == Stack::era ? 4.4 : 2.8;
}

bool decodes_pictures(DataFormat data, const std::string& network, int sequence, Phase phase) {
  return data != DataFormat::lmdb && data != DataFormat::synthetic &&
         (phase == Phase::preprocess || reads_pictures(make_network(network, sequence, phase)));
}

Model with_loader_of(const Model& model, const Workload& workload, Stack stack) {
  return with_data_cost(model, workload, loader_cost(stack), loader_cost_log_sd);
}

std::string cpu_law_words(const CpuKind& cpu, const CpuAnchor& anchor, Precision precision) {
  const auto operations = precision == Precision::bf16
                              ? fmt::format("{:g} BF16", cpu.flops_per_cycle * cpu.bf16_speed)
                              : fmt::format("{:g} FP32", cpu.flops_per_cycle);
  return fmt::format(
      "CPU {}: {:g} GHz, {} operations a cycle and core, scaled by FLOPs and bytes from {}",
      cpu.name,
      cpu.ghz,
      operations,
      anchor.networks == 0   ? "published figures"
      : anchor.networks == 1 ? "a network that was measured"
                             : fmt::format("{} networks that were measured", anchor.networks));
}

}  // namespace rightsize
