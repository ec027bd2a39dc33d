// For tests that need a GPU: says why they were skipped where there is none. Compiled with
// RIGHTSIZE_EMULATED_PLUGIN they run the plugin that emulates one.
#pragma once

#include <cstdlib>

#include <doctest/doctest.h>

#include "kernels/gpu/plugin_loader.h"

namespace rightsize::test {

// Nothing can be captured under the emulation: there everything runs when it is launched.
#ifdef RIGHTSIZE_EMULATED_PLUGIN
inline constexpr GpuOptions engine_options{.cuda_graph = false, .keep_outputs = true};
#else
inline constexpr GpuOptions engine_options{.cuda_graph = true, .keep_outputs = true};
#endif

// `if (lacks_gpu()) return;`
inline bool lacks_gpu() {
#ifdef RIGHTSIZE_EMULATED_PLUGIN
  setenv("RIGHTSIZE_GPU_PLUGIN", RIGHTSIZE_EMULATED_PLUGIN, 1);
#endif
  const auto probe = probe_gpu();
  if (probe.devices.empty()) {
    MESSAGE("skipped: " << probe.reason);
  }
  return probe.devices.empty();
}

}  // namespace rightsize::test
