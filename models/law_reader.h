// The laws of a workload from a model's parameters: names are read once, as a model is asked for
// its laws at dozens of values.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/model.h"

namespace rightsize {

class LawReader {
 public:
  // Throws ModelError when the workload was never measured, naming the runs that would help.
  LawReader(const Model& model, const Workload& workload);

  // `values` are parameter values in the model's order.
  [[nodiscard]] Laws at(std::span<const double> values) const;

 private:
  // A parameter, or what is taken where the model has none of the name.
  struct Value {
    int index = -1;
    double otherwise = 0;
    [[nodiscard]] double in(std::span<const double> values) const {
      return index < 0 ? otherwise : values[static_cast<std::size_t>(index)];
    }
  };

  [[nodiscard]] static Value value(const Model& model,
                                   const std::string& name,
                                   std::string_view remedy);
  [[nodiscard]] static Value value_or(const Model& model,
                                      const std::string& name,
                                      double otherwise);
  void read_compute(const Model& model, const Workload& workload);
  void read_data(const Model& model, const Workload& workload);
  void read_machine(const Model& model);
  void read_programs(const Model& model, const Workload& workload);

  Laws fixed_;  // what no parameter says
  bool waits_for_reads_ = true;
  Value compute_fixed_s_;
  Value compute_per_item_s_;
  Value data_cpu_s_;
  Value serial_cpu_s_;
  Value read_cpu_s_per_byte_;
  Value amplification_{-1, 1};
  Value contention_;
  Value beyond_;
  Value quota_loss_;
  Value fixed_contention_;
  Value copy_s_;
  Value disk_efficiency_;
  Value disk_latency_s_;
  Value native_disk_;
  Value protection_;
  Value sharpness_;
};

}  // namespace rightsize
