#include "models/laws/cpu_speed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "models/calibration_table.h"
#include "models/laws/cloud_cpu.h"
#include "models/model.h"

namespace rightsize {
namespace {

constexpr double scaled_log_sd = 0.15;   // CoreMark as a proxy for decoding
constexpr double assumed_log_sd = 0.25;  // spread of CoreMark per vCPU over EC2's GPU hosts

// CoreMark of a core alone over one of its vCPUs' beside the busy other one: the table's EC2
// families of one CPU with and without SMT, hpc6a over c6a (Zen 3) 1.35, hpc6id over m6id (Ice
// Lake) 1.49; their geometric mean. Runs under a quota have cores alone: nothing else is busy.
// Three CPUs that were measured so (Emerald Rapids, Granite Rapids, Zen 3) did 1.3, 1.5 and 1.6
// times a vCPU's share of the same data path on a Zen 4, which EC2 sells without SMT.
constexpr double alone_on_core = 1.42;
constexpr double alone_log_sd = 0.12;

// Of a core alone, over the chain's links per second, of the four CPUs whose records have both
// (examples/measurements: Zen 5 42, Emerald Rapids 42, Granite Rapids 34, Zen 3 36 millionths):
// their geometric mean, and how far one of them may be from it.
constexpr double coremark_per_link = 38.5e-6;
constexpr double clock_log_sd = 0.15;

// Those that EC2 sells with a core for each vCPU, by any of their names; every other CPU of the
// table's shares its cores.
constexpr std::array whole_cores{"9R14",
                                 "family 25 model 17",
                                 "9R45",
                                 "family 26 model 2",
                                 "Graviton",
                                 "Graviton2",
                                 "Graviton3",
                                 "Graviton3E",
                                 "Graviton4"};

constexpr std::array gpu_hosts{"g4dn", "g5", "g6", "g6e", "p3", "p4d", "p5"};

// "c5.18xlarge" -> "c5". EC2's GPU hosts of 2016-2018 that the table lacks have m4's CPU, the
// E5-2686 v4 (EC2's instance pages).
std::string_view family_of(std::string_view instance) {
  const auto family = instance.substr(0, instance.find('.'));
  const bool as_m4 = family == "p2" || family == "p3" || family == "g3";
  return as_m4 ? "m4" : family;
}

// "family 25 model 17" holds "family 25", and not "family 25 model 1", which is another generation.
bool holds_word(std::string_view text, std::string_view word) {
  if (word.empty()) {
    return false;
  }
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if (end == text.size() || std::isalnum(static_cast<unsigned char>(text[end])) == 0) {
      return true;
    }
  }
  return false;
}

// "EPYC 9R14", as people write "AMD EPYC 9R14": whole words with the number that tells a model from
// another of its maker.
bool is_part_of_name(std::string_view words, std::string_view name) {
  constexpr std::size_t shortest = 4;
  const bool numbered = std::any_of(
      words.begin(), words.end(), [](unsigned char letter) { return std::isdigit(letter) != 0; });
  if (words.size() < shortest || !numbered || words.find("family") != std::string_view::npos) {
    return false;
  }
  name = name.substr(0, name.find(" @ "));  // a clock is nobody's name
  for (auto at = name.find(words); at != std::string_view::npos; at = name.find(words, at + 1)) {
    const auto end = at + words.size();
    const auto apart = [&](std::size_t i) {
      return i >= name.size() || std::isalnum(static_cast<unsigned char>(name[i])) == 0;
    };
    if ((at == 0 || apart(at - 1)) && apart(end)) {
      return true;
    }
  }
  return false;
}

}  // namespace

CpuSpeeds::CpuSpeeds(std::string_view csv) {
  for (const auto& row : parse_table(csv, "calibration/cpu_speed.csv")) {
    families_[row.text("family")] = {
        row.number("coremark_per_vcpu"), row.text("cpu_model"), row.text("cpuid")};
  }
  std::vector<double> hosts;
  for (const auto* name : gpu_hosts) {
    const auto found = families_.find(name);
    if (found != families_.end()) {
      hosts.push_back(found->second.coremark_per_vcpu);
    }
  }
  if (hosts.empty()) {
    throw ModelError("calibration/cpu_speed.csv: none of the GPU host families is in it");
  }
  std::sort(hosts.begin(), hosts.end());
  typical_ = hosts[hosts.size() / 2];
}

std::optional<double> CpuSpeeds::of_model(std::string_view cpu_model) const {
  for (const auto& [name, family] : families_) {
    const auto names = [&](const std::string& word) { return holds_word(cpu_model, word); };
    if (names(family.cpu_model) || names(family.cpuid)) {
      return family.coremark_per_vcpu;
    }
  }
  for (const auto& [name, family] : families_) {
    if (is_part_of_name(cpu_model, family.cpu_model)) {
      return family.coremark_per_vcpu;
    }
  }
  return std::nullopt;
}

// Of a core alone.
CpuSpeeds::Known CpuSpeeds::of_measured(const MeasuredCpu& cpu) const {
  if (const auto listed = of_model(cpu.model)) {
    if (std::any_of(whole_cores.begin(), whole_cores.end(), [&](const char* name) {
          return holds_word(cpu.model, name);
        })) {
      return {*listed, scaled_log_sd, Source::scaled, fmt::format("this CPU {:.0f}", *listed)};
    }
    return {alone_on_core * *listed,
            std::hypot(scaled_log_sd, alone_log_sd),
            Source::scaled,
            fmt::format("this CPU {:.0f}, and {:.2g} times as much alone on a core, as it was "
                        "measured",
                        *listed,
                        alone_on_core)};
  }
  if (cpu.links_per_s > 0) {
    const double by_clock = cpu.links_per_s * coremark_per_link;
    return {by_clock,
            clock_log_sd,
            Source::assumed,
            fmt::format("this CPU, which the table does not name, {:.0f} by its clock", by_clock)};
  }
  return {typical_,
          assumed_log_sd,
          Source::assumed,
          fmt::format("this CPU unknown, GPU hosts' median {:.0f}", typical_)};
}

// Clocks differ between clouds, and some series are of two generations.
std::optional<CpuSpeeds::Known> CpuSpeeds::of_generation(std::string_view words) const {
  constexpr double other_cloud_log_sd = 0.15;  // assumed
  const auto same = same_generation(words);
  const auto family = families_.find(same.family);
  if (family == families_.end()) {
    return std::nullopt;
  }
  const double listed = family->second.coremark_per_vcpu;
  return Known{
      same.whole_cores ? listed / alone_on_core : listed,
      same.whole_cores ? std::hypot(other_cloud_log_sd, alone_log_sd) : other_cloud_log_sd,
      Source::scaled,
      fmt::format(
          "{}, as EC2's {}{}", words, same.family, same.whole_cores ? ", half a core" : "")};
}

CpuSpeed CpuSpeeds::relative(std::string_view provider,
                             std::string_view instance,
                             const MeasuredCpu& measured) const {
  const auto here = of_measured(measured);
  const auto family = families_.find(family_of(instance));
  if (provider == "aws" && family != families_.end()) {
    const double there = family->second.coremark_per_vcpu;
    return {there / here.coremark,
            here.log_sd,
            here.source,
            fmt::format("CoreMark per vCPU: {} {:.0f}, {}", family->first, there, here.words)};
  }
  if (const auto words = cloud_cpu(provider, instance); !words.empty()) {
    return of_words(words, measured);
  }
  return {typical_ / here.coremark,
          std::max(assumed_log_sd, here.log_sd),
          Source::assumed,
          "CPU not in the table: the median EC2 GPU host's CoreMark per vCPU"};
}

CpuSpeed CpuSpeeds::of_words(std::string_view words, const MeasuredCpu& measured) const {
  if (const auto known = words.empty() ? std::nullopt : of_model(words)) {
    const auto here = of_measured(measured);
    return {*known / here.coremark,
            here.log_sd,
            here.source,
            fmt::format("CoreMark per vCPU of {}: {:.0f}, {}", words, *known, here.words)};
  }
  if (const auto known = of_generation(words)) {
    const auto here = of_measured(measured);
    return {known->coremark / here.coremark,
            std::hypot(known->log_sd, here.log_sd),
            weaker(known->source, here.source),
            fmt::format(
                "CoreMark per vCPU of {}: {:.0f}, {}", known->words, known->coremark, here.words)};
  }
  auto speed = relative("aws", words, measured);
  if (!words.empty() && !families_.contains(family_of(words))) {
    speed.provenance =
        fmt::format("no CoreMark of {} in the table: the median EC2 GPU host's per vCPU", words);
  }
  return speed;
}

CpuSpeed CpuSpeeds::between(const MeasuredCpu& other, const MeasuredCpu& measured) const {
  const bool listed = of_model(other.model).has_value();
  if (!listed && !(other.links_per_s > 0)) {
    return of_words(other.model, measured);
  }
  if (!listed && measured.links_per_s > 0) {
    return {other.links_per_s / measured.links_per_s,
            clock_log_sd,
            Source::assumed,
            "by the clocks of both"};
  }
  const auto there = of_measured(other);
  const auto here = of_measured(measured);
  return {there.coremark / here.coremark,
          std::max(there.log_sd, here.log_sd),
          weaker(there.source, here.source),
          fmt::format("CoreMark of a core alone: {:.0f}, of the measured one {:.0f}",
                      there.coremark,
                      here.coremark)};
}

std::string CpuSpeeds::model_of(std::string_view instance) const {
  const auto family = families_.find(family_of(instance));
  return family == families_.end() ? "" : family->second.cpu_model;
}

}  // namespace rightsize
