// Whether this CPU can run the CPU engine in BF16, for tests to say that they were skipped.
#pragma once

#include "kernels/cpu/cpu_engine.h"
#include "kernels/networks/builder.h"

namespace rightsize::test {

inline bool cpu_runs_bf16() {
  NetworkBuilder net("tiny", "Tiny", {1, 4, 4}, 2);
  const auto network = net.finish(net.fully_connected("fc", net.input(), 2));
  EngineOptions options;
  options.batch = 1;
  return cpu::CpuEngine(network, options).software().at("isa").starts_with("avx512");
}

}  // namespace rightsize::test
