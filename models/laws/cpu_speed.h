// How fast one vCPU of a machine is, relative to the machine the model was fitted on. From CoreMark
// per vCPU with all vCPUs loaded, so that SMT (a vCPU is half a core) is in the figure. CoreMark is
// integer work, as Huffman decoding is: a proxy, with an interval to match.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "models/estimate.h"

namespace rightsize {

// A CPU that runs were made on: its name, and how fast a core of it went through the chain of
// dependent integer operations that is timed beside every run (profiler/measure/core_speed.h).
struct MeasuredCpu {
  std::string model;
  double links_per_s = 0;  // of the chain; 0: the records do not say
};

struct CpuSpeed {
  double factor = 1;  // speed of one vCPU, measured machine = 1
  double log_sd = 0;
  Source source = Source::assumed;
  std::string provenance;
};

class CpuSpeeds {
 public:
  // The text of calibration/cpu_speed.csv. Throws ModelError on a malformed row.
  explicit CpuSpeeds(std::string_view csv);

  // Speed of provider's `instance` relative to the CPU that was measured. EC2 families are scaled
  // from their published CoreMark; other providers' machines by EC2's of the same generation, where
  // their series has a known one (cloud_cpu.h), else they get the median of EC2's GPU hosts,
  // labelled assumed. A measured CPU that the table does not name goes by its clock, as the chain
  // shows it.
  [[nodiscard]] CpuSpeed relative(std::string_view provider,
                                  std::string_view instance,
                                  const MeasuredCpu& measured) const;

  // The same for a CPU in words: an EC2 type, a model's name as the table has it, a generation
  // ("Sapphire Rapids"), or "" and names nobody listed, which get the median GPU host, labelled
  // assumed.
  [[nodiscard]] CpuSpeed of_words(std::string_view words, const MeasuredCpu& measured) const;

  // Of one CPU that was measured to another; by their clocks alone where the table does not know
  // both.
  [[nodiscard]] CpuSpeed between(const MeasuredCpu& other, const MeasuredCpu& measured) const;

  // The CPU model's name of an EC2 type or family ("c5.18xlarge", "c5"); "" when it is neither.
  [[nodiscard]] std::string model_of(std::string_view instance) const;

 private:
  struct Family {
    double coremark_per_vcpu = 0;
    std::string cpu_model;
    std::string cpuid;  // "family 25 model 17", as a virtual machine may give nothing better
  };

  // CoreMark per vCPU, and how it is known.
  struct Known {
    double coremark = 0;
    double log_sd = 0;
    Source source = Source::assumed;
    std::string words;
  };

  [[nodiscard]] std::optional<double> of_model(std::string_view cpu_model) const;
  [[nodiscard]] Known of_measured(const MeasuredCpu& cpu) const;
  // Of a vCPU, half a core; nullopt for words that are none.
  [[nodiscard]] std::optional<Known> of_generation(std::string_view words) const;

  std::map<std::string, Family, std::less<>> families_;
  double typical_ = 0;  // median over GPU hosts
};

}  // namespace rightsize
