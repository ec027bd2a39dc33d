// The step between backward pass and update in which ranks average their gradients.
#pragma once

#include <span>
#include <vector>

#include "kernels/gpu/device.h"
#include "kernels/gpu/gradient_average.h"
#include "kernels/gpu/lowering.h"
#include "kernels/gpu/parameters.h"
#include "kernels/gpu/plugin_abi.h"

namespace rightsize::gpu {

class RankExchange {
 public:
  RankExchange(Lowering& lowering, const Device& device, const abi::Options& options);

  // Emits nothing where there is one rank.
  void emit(std::span<const Parameter> parameters);
  // What earlier steps left over: nothing yet.
  void start() const;

 private:
  struct Entry {  // buffers of the lowering; -1: none
    int gradient;
    int residual;
    int codes;
    std::int64_t count;
    ElementType type;
  };
  [[nodiscard]] std::vector<ExchangedGradient> gradients() const;

  Lowering& lowering_;
  const Device& device_;
  Collectives* collectives_;
  Exchange exchange_;
  Compression compression_;
  std::vector<Entry> entries_;
};

}  // namespace rightsize::gpu
