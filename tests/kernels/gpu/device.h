// For tests that need a GPU: says why they were skipped where there is none.
#pragma once

#include <doctest/doctest.h>

#include "kernels/gpu/plugin_loader.h"

namespace rightsize::test {

// `if (lacks_gpu()) return;`
inline bool lacks_gpu() {
  const auto probe = probe_gpu();
  if (probe.devices.empty()) {
    MESSAGE("skipped: " << probe.reason);
  }
  return probe.devices.empty();
}

}  // namespace rightsize::test
