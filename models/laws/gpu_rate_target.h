// What GpuRates' parts hand one another: a query with everything looked up. Not for callers.
#pragma once

#include <map>
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

  // That of the figures it is compared with: none is of products in 8 bits.
  [[nodiscard]] Precision kept() const {
    return precision == Precision::fp8 ? Precision::bf16 : precision;
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

  // By the law alone, for a framework (empty: unknown).
  [[nodiscard]] GpuStepTime step(const GpuStepLaw& law, std::string_view framework) const {
    return law.step(*work, *gpu, setting_of(framework));
  }
};

}  // namespace rightsize
