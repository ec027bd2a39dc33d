// A rate on an accelerator whose programs are compiled whole (toolchain.h): its maker's own law and
// figures answer, or say why they do not, and what a user measured there goes before both.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/network.h"
#include "models/laws/exchange.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

// ln(items/s) of a batch by a law alone, with so many minibatches before an update.
using LawLogRate = std::function<double(int batch, double updates_every)>;

// Where it was measured on such a chip, that instead, along the law in the batch. `roofline`: whose
// that is, for provenance.
[[nodiscard]] GpuRate as_measured_on_chip(GpuRate rate,
                                          const RateQuery& query,
                                          std::string_view chip,
                                          std::string_view roofline,
                                          std::span<const PublishedRate* const> measured,
                                          const LawLogRate& law);

// nullopt: a chip, a precision or a phase without figures. `measured`: of the network, by users.
[[nodiscard]] std::optional<GpuRate> compiled_rate(const RateQuery& query,
                                                   const GpuSpec& chip,
                                                   const GpuWork& work,
                                                   std::span<const PublishedRate* const> measured);

// How chips of a maker send one another gradients and parameters; of GPUs as usual.
[[nodiscard]] ExchangeLaw exchange_law_of(const GpuSpec& chip);

// What is asked of a chip, where the answer may be that nothing is known.
struct CompiledQuestion {
  Phase phase = Phase::infer;
  Precision precision = Precision::bf16;
  std::string_view framework = {};  // empty: not named
  bool adapters = false;
  bool eight_bit = false;  // the optimizer's moments are
  bool shared = false;     // layers, experts or sequences divided among chips
  bool sharded = false;    // parameters are, in training
  bool writes = false;     // a language model
  int chips = 1;           // of a machine, or of a slice
  int nodes = 1;
};

// Why it has no answer on this chip; empty where it has one, and of GPUs.
[[nodiscard]] std::string why_not_compiled(const GpuSpec& chip,
                                           const Network& network,
                                           const CompiledQuestion& asked);

}  // namespace rightsize
