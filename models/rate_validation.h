// How wrong rates are where nothing was published: every published figure predicted without its
// GPU, its network, both, its curve over the batch, itself, or all of its publisher's; the law's
// constants fitted without the GPU or network too.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "models/laws/gpu_rate.h"

namespace rightsize {

enum class LeaveOut { gpu, network, both, curve, figure, publisher };

struct RateCheck {
  PublishedRate figure;
  GpuRate predicted;
  double log_error = 0;  // ln(predicted / published)
  bool inside = false;   // the 90 % interval holds the figure
};

struct RateTables {
  std::vector<GpuSpec> gpus;
  std::vector<PublishedRate> figures;
  std::string_view step_csv;  // as GpuRates; outlives this
  BlendEffects effects{};
};

// Asked with the figure's stack; of its framework only where `framework_known`: as its publisher
// names it, but without the publisher where that is left out. LeaveOut::curve and figure take every
// `stride`-th.
[[nodiscard]] std::vector<RateCheck> check_rates(const RateTables& tables,
                                                 LeaveOut left_out,
                                                 bool framework_known = false,
                                                 std::size_t stride = 1);

// What users ask: of every figure all of its publisher's left out, and its GPU, its network, both
// or neither besides; with `framework_known` of whoever publishes that framework.
[[nodiscard]] std::vector<RateCheck> check_as_users(const RateTables& tables, bool framework_known);

// Each publisher in turn is a user who measured his job on one GPU: of his figures one of another
// GPU is told as measured, of the same network, phase and precision at the nearest batch, and all
// else of his is left out. Asked without his framework's name. Of each network the GPUs are told in
// a circle, so that every figure is asked for once.
[[nodiscard]] std::vector<RateCheck> check_carried(const RateTables& tables);

// The same figures asked for without being told anything: what the measurement is worth.
[[nodiscard]] std::vector<RateCheck> check_not_carried(const RateTables& tables);

// Figures of one setting by several publishers, each set against the (geometric) mean of the
// others': as near as one can come without knowing whose software runs. `inside` says nothing.
[[nodiscard]] std::vector<RateCheck> check_publishers(std::span<const PublishedRate> figures);

}  // namespace rightsize
