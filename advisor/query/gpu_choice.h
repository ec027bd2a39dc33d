// Which GPUs a machine may have, as people write them: "H100", "A100-80GB", "V100 32GB", "H100:8",
// and "none" of machines without one.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "advisor/machine/gpu_words.h"
#include "pricing/offer.h"

namespace rightsize {

// Of texts that name one each, or several by comma. Throws UsageError that begins with `what` where
// one cannot be read.
[[nodiscard]] std::vector<std::string> checked_gpus(const std::vector<std::string>& names,
                                                    const std::string& what);

// Of names that checked_gpus() let pass.
class GpuChoice {
 public:
  explicit GpuChoice(std::span<const std::string> names);
  explicit GpuChoice(std::vector<GpuWords> wanted) : wanted_(std::move(wanted)) {}

  // A machine has one of them: "A100" is A100-80GB and A100-PCIe too, and "A100-80GB" both forms of
  // that memory; "H100:8" is 8 of them. True of all where none is named.
  [[nodiscard]] bool holds(const Offer& offer) const;

 private:
  std::vector<GpuWords> wanted_;  // no GPU: machines without one
};

}  // namespace rightsize
