// A GPU of the shipped tables, by name.
#pragma once

#include <string>

#include <doctest/doctest.h>

#include "models/calibration_files.h"

namespace rightsize::test {

// The test fails where the table has none such.
inline const GpuSpec& shipped_gpu(const std::string& name) {
  static const auto rates = shipped_rates();
  const auto* found = rates.find(name);
  CAPTURE(name);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace rightsize::test
