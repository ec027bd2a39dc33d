// The shipped calibration tables, read from the source tree.
#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "models/laws/gpu_rate.h"

namespace rightsize::test {

inline std::string calibration_text(const std::string& name) {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/models/calibration/" + name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline GpuRates shipped_rates() {
  return {calibration_text("gpus.csv"),
          calibration_text("gpu_rates.csv"),
          calibration_text("gpu_step.csv")};
}

}  // namespace rightsize::test
