// The bounds of one setting, kept with the parts that they are made of, so that the same setting on
// another disk or under other constants works out what differs alone: an interval asks for some
// twenty of such, and a search for millions of intervals.
#pragma once

#include "models/model.h"
#include "models/pipeline.h"
#include "models/setting.h"

namespace rightsize {

// In which parts of the bounds some laws differ from others.
struct LawDifference {
  bool cache = false;
  bool scaling = false;
  bool fixed_scaling = false;
  bool compute = false;
  bool data = false;  // what the CPU does for an item's data
  bool copy = false;
  bool disk = false;
};

[[nodiscard]] LawDifference difference(const Laws& a, const Laws& b);

class SettingBounds {
 public:
  // Both are borrowed. `miss` overrides the page cache when it is >= 0 (1 = cold).
  SettingBounds(const Laws& laws, const Setting& setting, double miss = -1);

  [[nodiscard]] const Bounds& bounds() const { return bounds_; }

  // The same setting otherwise.
  [[nodiscard]] Bounds with_miss(double miss) const;
  [[nodiscard]] Bounds with_accelerator(double items_per_s) const;
  [[nodiscard]] Bounds with_cpu_speed(double cpu_speed) const;
  [[nodiscard]] Bounds with_disk(const DiskSpeed& disk) const;
  // Under `laws`, which differ from its own in no more than `differs` says.
  [[nodiscard]] Bounds under(const Laws& laws, const LawDifference& differs) const;

 private:
  struct Parts {
    double miss = 0;
    double data_s = 0;
    double capacity = 0;        // of the vCPUs
    double fixed_capacity = 0;  // the same for a step's passes over the parameters
  };

  [[nodiscard]] double miss_under(const Laws& laws) const;
  [[nodiscard]] double fixed_capacity_under(const Laws& laws) const;
  [[nodiscard]] double cpu_bound(const Laws& laws, const Parts& parts, double cpu_speed) const;
  [[nodiscard]] double accelerator_bound(const Laws& laws, double items_per_s) const;
  [[nodiscard]] double disk_bound(const Laws& laws, double miss, const DiskSpeed& disk) const;
  [[nodiscard]] double loader_bound(const Laws& laws,
                                    const Parts& parts,
                                    double cpu_speed,
                                    const DiskSpeed& disk) const;

  const Laws& laws_;
  const Setting& setting_;
  bool reads_;
  bool computes_;      // the CPU does the network
  double item_bytes_;  // on disk
  double asked_miss_;
  Parts parts_;
  Bounds bounds_;
};

}  // namespace rightsize
