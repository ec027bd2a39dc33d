#include "models/laws/cpu_speed.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include <fmt/format.h>

#include "models/calibration_table.h"
#include "models/model.h"

namespace rightsize {
namespace {

constexpr double scaled_log_sd = 0.15;   // CoreMark as a proxy for decoding
constexpr double assumed_log_sd = 0.25;  // spread of CoreMark per vCPU over EC2's GPU hosts

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
  return std::nullopt;
}

CpuSpeed CpuSpeeds::relative(std::string_view provider,
                             std::string_view instance,
                             std::string_view measured_cpu_model) const {
  const auto measured = of_model(measured_cpu_model);
  const auto family = families_.find(family_of(instance));
  if (provider == "aws" && family != families_.end()) {
    const double factor = family->second.coremark_per_vcpu / measured.value_or(typical_);
    return {factor,
            measured ? scaled_log_sd : assumed_log_sd,
            measured ? Source::scaled : Source::assumed,
            fmt::format("CoreMark per vCPU: {} {:.0f}, {} {:.0f}",
                        family->first,
                        family->second.coremark_per_vcpu,
                        measured ? "this CPU" : "this CPU unknown, GPU hosts' median",
                        measured.value_or(typical_))};
  }
  return {typical_ / measured.value_or(typical_),
          assumed_log_sd,
          Source::assumed,
          "CPU not in the table: the median EC2 GPU host's CoreMark per vCPU"};
}

CpuSpeed CpuSpeeds::of_words(std::string_view words, std::string_view measured_cpu_model) const {
  if (const auto known = words.empty() ? std::nullopt : of_model(words)) {
    const auto measured = of_model(measured_cpu_model);
    return {*known / measured.value_or(typical_),
            measured ? scaled_log_sd : assumed_log_sd,
            measured ? Source::scaled : Source::assumed,
            fmt::format("CoreMark per vCPU of {}: {:.0f}", words, *known)};
  }
  return relative("aws", words, measured_cpu_model);
}

std::string CpuSpeeds::model_of(std::string_view instance) const {
  const auto family = families_.find(family_of(instance));
  return family == families_.end() ? "" : family->second.cpu_model;
}

}  // namespace rightsize
