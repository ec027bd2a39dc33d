// Throughput of a setting under a model: bounds of every resource, their composition, and an
// interval that carries the parameters' uncertainty, the left-over noise and the uncertainty of
// what was not measured here (a published GPU rate, another CPU's speed).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "models/estimate.h"
#include "models/laws/normal_quantile.h"
#include "models/model.h"
#include "models/pipeline.h"
#include "models/setting.h"
#include "models/setting_bounds.h"
#include "models/slow_side.h"

namespace rightsize {

// Standard deviations of the logarithms of what the setting says; 0 = known exactly.
struct SettingUncertainty {
  double accelerator = 0;
  double cpu_speed = 0;
  double disk = 0;
};

struct Prediction {
  double items_per_s = 0;       // steady state: second and later epochs
  double cold_items_per_s = 0;  // first epoch: nothing cached
  double log_sd = 0;            // of ln(items_per_s), all parts together
  // The parts, with the sign of the sensitivity, for those who draw jointly: options that share a
  // GPU share its error. Those of the setting are taken at the ends of its 90 % intervals.
  double model_sd = 0;  // parameters and left-over noise, stretched by the conformal factor
  double noise_sd = 0;  // the left-over noise in it, unstretched: nobody else's
  double accelerator_sd = 0;
  double cpu_speed_sd = 0;
  double disk_sd = 0;
  // Of an error to the faster side so much counts: where a second resource is near the one that
  // limits, the rate may fall far, and hardly rise.
  double faster = 1;
  double least_items_per_s = 0;  // no interval reaches lower, or higher than the next
  double most_items_per_s = std::numeric_limits<double>::infinity();
  double hit_ratio = 1;  // page cache, steady state
  Bounds bounds;
  Bound limited_by = Bound::accelerator;
  std::array<double, bound_count> busy{};  // share of time per resource
};

// The ends of a prediction's interval, for a spread of exp(normal_90 log_sd). The conformal factor
// of the fit has already stretched the model's part of log_sd.
[[nodiscard]] inline double low_items_per_s(const Prediction& prediction, double spread) {
  return std::max(prediction.items_per_s / spread,
                  std::min(prediction.least_items_per_s, prediction.items_per_s));
}
[[nodiscard]] inline double high_items_per_s(const Prediction& prediction, double spread) {
  return std::min(prediction.items_per_s * std::pow(spread, prediction.faster),
                  std::max(prediction.most_items_per_s, prediction.items_per_s));
}

// The mean prediction only: no uncertainty, no allocation. `miss` overrides the page cache when
// it is >= 0 (1 = cold).
[[nodiscard]] Bounds bounds_of(const Laws& laws, const Setting& setting, double miss = -1);
[[nodiscard]] double predicted_items_per_s(const Laws& laws, const Setting& setting);

// What a change of the CPUs' speed moves the rate by: d ln(rate) / d ln(speed), 0 to 1 (the
// elasticity of a p-norm, pipeline.h; of a loader's cycle the part that decodes). `items_per_s`
// composed of `bounds`, which are of `setting`.
[[nodiscard]] double cpu_share(const Laws& laws,
                               const Setting& setting,
                               const Bounds& bounds,
                               double items_per_s);

// Bytes on disk per item; 0 for synthetic data.
[[nodiscard]] double bytes_per_item(const Setting& setting);

// Of one item that preprocessing writes: a raw picture of 3 x 256 x 256 in LMDB, the JPEG again in
// the other formats.
[[nodiscard]] double preprocessed_bytes(DataFormat output, double read_bytes);
// The same of a setting; 0 of other phases.
[[nodiscard]] double written_bytes_per_item(const Setting& setting);

// The setting's disk, or the measured machine's own where the setting names none.
[[nodiscard]] DiskSpeed effective_disk(const Laws& laws, const DiskSpeed& disk);
[[nodiscard]] DiskSpeed effective_disk(const Laws& laws, const Setting& setting);

// That disk for one read that has it to itself: limits are token buckets, in cgroups and clouds
// alike, which fill up again while a reader decodes, so that a single read goes at the device's own
// speed.
[[nodiscard]] DiskSpeed unqueued_disk(const Laws& laws, const DiskSpeed& disk);
[[nodiscard]] DiskSpeed unqueued_disk(const Laws& laws, const Setting& setting);

// vCPU-seconds per item of the data path, whose pictures are decoded by their size, without what
// reading them takes.
[[nodiscard]] double decode_cpu_seconds(const Laws& laws, double item_bytes);
[[nodiscard]] double decode_cpu_seconds(const Laws& laws, const Setting& setting);

// The same with it, when `miss` of its bytes come from the disk.
[[nodiscard]] double data_cpu_seconds(const Laws& laws, double item_bytes, double miss);
[[nodiscard]] double data_cpu_seconds(const Laws& laws, const Setting& setting, double miss);

// Share of reads the page cache serves in steady state.
[[nodiscard]] double predicted_hit_ratio(const Laws& laws, const Setting& setting);

// One node's prediction as that of `nodes` that work alike.
[[nodiscard]] Prediction of_nodes(Prediction one, int nodes);

// What something uncertain moves ln(rate) by, as standard deviations: the farther way, and the one
// that is faster.
struct RateMove {
  double sd = 0;  // with the sign of the sensitivity
  double faster_sd = 0;
};

// Prepared once per workload: the laws at the fitted parameters and at each parameter moved by one
// step, so that a prediction for a new machine is arithmetic only.
class Predictor {
 public:
  // Throws ModelError when the workload was never measured.
  Predictor(const Model& model, const Workload& workload);

  [[nodiscard]] Prediction predict(const Setting& setting,
                                   const SettingUncertainty& uncertainty = {}) const;

  // At the fitted parameters.
  [[nodiscard]] const Laws& laws() const { return laws_; }

  // The interval of a prediction at the model's confidence.
  [[nodiscard]] Estimate estimate(const Prediction& prediction, Source source) const;

 private:
  [[nodiscard]] double unmeasured_sd(const Setting& setting, double hit_ratio) const;
  // What the noise and the constants move ln(rate) by; `slow` is told what the latter slow.
  struct FittedMoves {
    double noise_sd = 0;  // and the sharpness, which is no resource's
    RateMove constants;
  };
  [[nodiscard]] FittedMoves fitted_moves(const SettingBounds& at,
                                         double items_per_s,
                                         double noise_sd,
                                         SlowSide& slow) const;
  void add_errors(const SettingBounds& at,
                  const Setting& setting,
                  const SettingUncertainty& uncertainty,
                  Prediction& prediction) const;
  void bound_unseen(const Setting& setting, Prediction& prediction) const;

  // The laws with one parameter moved.
  struct Moved {
    Laws laws;
    LawDifference differs;  // from those of the fit
    double by = 0;          // its logarithm
  };
  // By a step; or to both ends of its interval.
  struct Constant {
    Moved up;
    std::optional<Moved> down;
  };

  Laws laws_;
  std::vector<Constant> constants_;
  std::vector<std::size_t> relevant_;  // indices of the parameters this workload depends on
  Covariance covariance_;
  double noise_;
  double cpu_noise_;
  double least_hits_;
  double most_hits_;
  double interval_factor_;
  double confidence_;
};

}  // namespace rightsize
