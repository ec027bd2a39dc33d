// Step time against batch: t(b) = fixed + b * per_item, both positive. The fixed part is what a
// step costs however small it is (launches, the optimizer's pass over the parameters); the slope is
// the work of one item. Valid from batch 1 up to the memory boundary while kernels stay saturated.
// Source: operational form of the latency-throughput law; see Hockney, "Parametrization of computer
// performance", Parallel Computing 5 (1987), with n_1/2 = fixed / per_item.
#pragma once

namespace rightsize {

struct StepTimeLaw {
  double fixed_s = 0;     // seconds per step
  double per_item_s = 0;  // seconds per item

  bool operator==(const StepTimeLaw&) const = default;
};

[[nodiscard]] inline double step_seconds(const StepTimeLaw& law, double batch) {
  return law.fixed_s + batch * law.per_item_s;
}

}  // namespace rightsize
