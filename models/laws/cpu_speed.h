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
  // from their published CoreMark; other providers' machines get the median of EC2's GPU hosts,
  // labelled assumed.
  [[nodiscard]] CpuSpeed relative(std::string_view provider,
                                  std::string_view instance,
                                  std::string_view measured_cpu_model) const;

  // The same for a CPU in words: an EC2 type, a model's name as the table has it, or "" and names
  // nobody listed, which get the median GPU host, labelled assumed.
  [[nodiscard]] CpuSpeed of_words(std::string_view words,
                                  std::string_view measured_cpu_model) const;

  // The CPU model's name of an EC2 type or family ("c5.18xlarge", "c5"); "" when it is neither.
  [[nodiscard]] std::string model_of(std::string_view instance) const;

 private:
  struct Family {
    double coremark_per_vcpu = 0;
    std::string cpu_model;
    std::string cpuid;  // "family 25 model 17", as a virtual machine may give nothing better
  };

  [[nodiscard]] std::optional<double> of_model(std::string_view cpu_model) const;

  std::map<std::string, Family, std::less<>> families_;
  double typical_ = 0;  // median over GPU hosts
};

}  // namespace rightsize
