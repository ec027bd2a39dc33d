// What tests of the estimator ask with: the shipped model and tables, and a usual job.
#pragma once

#include <string>

#include "advisor/calibration.h"
#include "advisor/machine/estimator.h"
#include "advisor/machine/machine_spec.h"

namespace rightsize::test {

inline Estimator shipped_estimator() {
  return {shipped_model(), shipped_gpu_rates(), shipped_cpu_speeds(), shipped_catalog()};
}

inline Configuration asked_on(const std::string& machine, DataFormat data = DataFormat::synthetic) {
  Configuration asked;
  asked.network = "resnet50";
  asked.precision = Precision::fp16;
  asked.batch = 128;
  asked.data = data;
  asked.bytes = imagenet_bytes(data);
  asked.machine = parse_machine_spec(machine);
  return asked;
}

}  // namespace rightsize::test
