// A small model with chosen parameters, for tests that need one without measuring.
#pragma once

#include <string>

#include "models/model.h"

namespace rightsize::test {

inline Model made_model() {
  Model model;
  const auto add = [&](const char* name, double value) {
    model.parameters.push_back({name, "", value, value, 0.1, 0.03});
  };
  add("compute_s_per_item/resnet50/train/fp32", 0.22);
  add("compute_fixed_s/resnet50/train/fp32", 0.05);
  add("cpu_s_per_item/recordio", 1.1e-3);
  add("cpu_s_per_item/lmdb", 1e-4);
  add("copy_s_per_item", 6e-5);
  add("fixed_contention", 0.3);
  add("cpu_contention", 0.03);
  add("disk_efficiency", 1.0);
  add("disk_latency_s", 3e-4);
  add("native_disk_bytes_per_s", 1e9);
  add("cache_protection", 0.4);
  add("pipeline_sharpness", 7);
  add("quota_loss", 0.05);
  model.covariance = {};
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    model.covariance.append(0.03 * 0.03);
  }
  model.noise = 0.03;
  model.interval_factor = 2.5;  // not the normal's: a search that forgot it would be seen
  model.runs = 40;
  model.cv_median_error = 0.04;
  model.cv_p90_error = 0.12;
  model.machine = "test/2cpu";
  model.cpu_model = "AMD EPYC (family 25 model 17)";
  model.measured_at = "2026-11-21T12:00:00Z";
  return model;
}

}  // namespace rightsize::test
