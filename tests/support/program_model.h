// A model that was fitted to programs of the user's too, on vCPUs that do not contend.
#pragma once

#include <fstream>
#include <limits>
#include <string>

#include <boost/json.hpp>

#include "models/model.h"
#include "support/made_model.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

// train.py: 0.06 vCPU-seconds an item and 0.08 a step of 4, which is 0.08 an item; it holds 2 GB.
// serial.py: the same work on one vCPU alone. load.py: 4 ms an item, 2 vCPUs at the most.
inline Model program_model() {
  auto model = made_model();
  const auto add = [&](const std::string& program, double item_s, double step_s, ProgramCpus cpus) {
    model.parameters.push_back(
        {"compute_s_per_item/" + program + "/train/fp32", "", item_s, item_s, 0.1, 0.03});
    model.parameters.push_back(
        {"compute_fixed_s/" + program + "/train/fp32", "", step_s, step_s, 0.1, 0.03});
    model.programs[program] = cpus;
  };
  constexpr double none = 1e-9;
  add("train.py", 0.06, 0.08, {.seen = 128, .batch = 4, .resident_bytes = 2e9});
  add("serial.py", 0.08, none, {.seen = 8, .most = 1, .batch = 4, .resident_bytes = 2e9});
  add("load.py", 0.004, none, {.seen = 8, .most = 2, .batch = 64, .resident_bytes = 1e9});
  for (auto& parameter : model.parameters) {
    parameter.value = parameter.name.ends_with("contention") ? none : parameter.value;
  }
  model.measured_cpus = 128;
  model.covariance = {};
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    model.covariance.append(0.03 * 0.03);
  }
  return model;
}

// Written to a file of the folder, whose path it returns.
inline std::string write_model(const TemporaryFolder& folder, const Model& model) {
  const auto path = folder / "model.json";
  std::ofstream(path) << boost::json::serialize(to_json(model));
  return path;
}

}  // namespace rightsize::test
