// A model carried to machines and data it was not fitted on: the gaps are filled with parameters
// labelled by a wide uncertainty, so that an estimate can be given, and seen to be less certain.
// What the runs did determine stays as it is.
#pragma once

#include <string>
#include <string_view>

#include "kernels/workload.h"
#include "models/cpu_anchor.h"
#include "models/laws/cpu_compute.h"
#include "models/laws/step_time.h"
#include "models/model.h"

namespace rightsize {

// Formats that no run read get the cost of their nearest relative: JPEG folders and TFRecord that
// of RecordIO (all of them decode JPEG), shuffled LMDB that of sequential. A model that does not
// say what vCPUs beyond those measured do gets the prior of that (seldom_measured.h).
struct CarryOptions {
  double relative_format_sd = 0.25;  // of ln(CPU seconds per item)
  // To CPUs of another kind: what a quota loses there is known by its prior alone.
  bool other_cpu = false;
};

[[nodiscard]] Model carried_model(const Model& model, const CarryOptions& options = {});

// The format whose measured cost carried_model() gives to that of `workload` ("recordio"); "" where
// runs read it, and where they read none of its relatives.
[[nodiscard]] std::string stand_in_format(const Model& model, const Workload& workload);

// `model` with what its runs read neither themselves nor in a relative, as `other` has it: CPU
// seconds of a machine whose vCPUs `speed` compares with those of `other`. Model::borrowed names
// them.
[[nodiscard]] Model with_data_costs_of(const Model& other,
                                       const Model& model,
                                       const CpuSpeed& speed);

// `model` with a compute law for `workload` that was not measured: `law` in vCPU-seconds of the
// model's machine, its logarithm known to `log_sd`.
[[nodiscard]] Model with_compute(const Model& model,
                                 const Workload& workload,
                                 const StepTimeLaw& law,
                                 double log_sd);

// The CPUs of a machine that a network is to run on, and the libraries that it runs by.
struct CpusByLaw {
  CpuKind kind;
  Stack stack;
  double vcpus;
  double speed;  // each is so many times as fast as the model's
};

// The same by the law of networks on CPUs, at the level of `anchor` (cpu_anchor.h), or at the law's
// own where nothing was measured. Without the uncertainty of the CPUs' speed: the law's own has it.
[[nodiscard]] Model with_cpu_law(const Model& model,
                                 const Workload& workload,
                                 const CpuWork& work,
                                 const CpuAnchor& anchor,
                                 const CpusByLaw& cpus);

// `model` with the data path's CPU cost of `workload` times `factor`: another loader than the one
// that was measured.
[[nodiscard]] Model with_data_cost(const Model& model,
                                   const Workload& workload,
                                   double factor,
                                   double log_sd);

// `model` with another data path of `workload` altogether: so many vCPU-seconds an item of the
// model's machine, reading and preparing together, none of them on one thread alone.
[[nodiscard]] Model with_data_seconds(const Model& model,
                                      const Workload& workload,
                                      double seconds,
                                      double log_sd);

// True when the runs determined what a CPU needs for the network of `workload`.
[[nodiscard]] bool measured_compute(const Model& model, const Workload& workload);

}  // namespace rightsize
