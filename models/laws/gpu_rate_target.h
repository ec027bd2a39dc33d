// What GpuRates' parts hand one another: a query with everything looked up. Not for callers.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "models/laws/gpu_rate.h"

namespace rightsize {

// A pass forward is a pass forward, scored or not.
[[nodiscard]] inline bool same_kind_of_step(Phase a, Phase b) {
  return has_backward(a) == has_backward(b);
}

// ln(measured / what is said of it), as the mean of the steps that it may have been of.
struct GpuRates::Readings {
  double mean = 0;
  double apart = 0;  // half of what lies between two; 0 of one
};

// Figures that a leave-one-out test has not seen.
[[nodiscard]] inline bool excluded(const RateQuery& query, const PublishedRate& figure) {
  return figure.gpu == query.excluding_gpu || figure.network == query.excluding_network;
}

// What users measure of a GPU is of one that has every layer and expert, and whole sequences.
[[nodiscard]] inline bool has_all(const RateQuery& query) {
  return query.tensor * query.expert_ranks * query.context == 1;
}

// Nobody's published figures are of recomputation or adapters either.
[[nodiscard]] inline bool is_whole(const RateQuery& query) {
  return has_all(query) && !query.recompute && !query.tuning.adapters.any();
}

// FP16 and BF16 are products of the same units at the same rate, from numbers as wide: figures of
// one speak for the other. None is of products in 8 bits, beside which the others have 16. Language
// models stand apart, as in the law: figures in FP16 are of pictures and BERT, whose libraries are
// years older than theirs.
[[nodiscard]] inline Precision compared_precision(Precision precision, const GpuWork& work) {
  return bytes_per_element(precision) == 4 ? precision
         : work.language_parameters > 0    ? Precision::bf16
                                           : Precision::fp16;
}

struct GpuRates::Target {
  RateQuery query;
  const GpuSpec* gpu = nullptr;
  const GpuWork* work = nullptr;
  Precision precision = Precision::fp32;
  Stack stack = Stack::current;
  FrameworkShares frameworks;             // that answer
  std::vector<const PublishedRate*> own;  // their figures of the same pair, precision and direction
  // What was measured of the network, in this direction, on any GPU and at any precision.
  std::vector<const PublishedRate*> measured;

  // That of the figures it is compared with.
  [[nodiscard]] Precision kept() const { return compared_precision(precision, *work); }

  // Whether one of `own` is of the very precision, not of the other one of 16 bits.
  [[nodiscard]] bool has_own_at_precision() const {
    return std::any_of(own.begin(), own.end(), [&](const PublishedRate* figure) {
      return figure->precision == precision;
    });
  }

  // An update is done once for all minibatches that are accumulated; each but the first adds its
  // gradients.
  [[nodiscard]] StepSetting setting_of(std::string_view framework) const {
    const double minibatches = query.accumulate;
    const double added = work->accumulating * (minibatches - 1);
    return {.precision = precision,
            .stack = stack,
            .framework = framework,
            .batch = query.batch,
            .shards = query.shards * minibatches / (1 + added) * query.portions,
            .sm_share = query.sm_share};
  }

  // The same in the phase that stands for its kind of step; nullopt where it is in it.
  [[nodiscard]] std::optional<Target> of_usual_phase(const GpuWorkCache& works) const;

  // By the law alone, for a framework (empty: unknown).
  [[nodiscard]] GpuStepTime step(const GpuStepLaw& law, std::string_view framework) const {
    return law.step(*work, *gpu, setting_of(framework));
  }
};

}  // namespace rightsize
