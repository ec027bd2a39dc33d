// Holds the GPU engine against the CPU engine: same seed, same batch, same outputs, loss,
// gradients.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "device.h"
#include "kernels/cpu/cpu_engine.h"
#include "kernels/cpu/fusion.h"
#include "kernels/gpu/fusion.h"
#include "kernels/gpu/gpu_engine.h"
#include "kernels/networks/builder.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

namespace rightsize::test {

using Values = std::vector<float>;

inline double norm(const Values& values) {
  double squares = 0;
  for (const float value : values) {
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  return std::sqrt(squares);
}

inline double distance(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  Values difference(a.size());
  std::transform(a.begin(), a.end(), b.begin(), difference.begin(), std::minus<>());
  return norm(difference);
}

// How far two correct engines may be apart, in norms: rounding of the factors, grown by depth.
struct Tolerance {
  double output = 1e-4;
  double gradient = 1e-3;
};

inline Tolerance tolerance_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return {};
    case Precision::tf32:
      return {5e-3, 2e-2};
    case Precision::fp16:
      return {1e-2, 5e-2};
    case Precision::bf16:
      return {5e-2, 0.2};
    case Precision::fp8:  // neither engine computes in it
      break;
  }
  return {};
}

// Both engines on one network, with all outputs kept.
struct Pair {
  Pair(const Network& network, const EngineOptions& options, Precision precision)
      : phase(options.phase),
        cpu(network, options, true),
        gpu(network, on_gpu(options, precision), engine_options) {}

  static EngineOptions on_gpu(EngineOptions options, Precision precision) {
    options.precision = precision;
    return options;
  }

  Phase phase;
  cpu::CpuEngine cpu;
  gpu::GpuEngine gpu;
};

// The layers whose own output both engines keep: neither has made it part of a later layer's
// operation. What stands for several layers is the last one's output.
inline std::vector<std::string> comparable_outputs(const Network& network, Phase phase) {
  const auto on_cpu = cpu::plan_fusion(network, phase, true).value;
  const auto on_gpu = gpu::plan_nodes(network, phase).node_of;
  std::vector<std::string> names;
  for (std::size_t i = 1; i + 1 < network.layers.size(); ++i) {
    bool last = true;
    for (std::size_t later = i + 1; later + 1 < network.layers.size(); ++later) {
      last = last && on_cpu[later] != on_cpu[i] && on_gpu[later] != on_gpu[i];
    }
    if (last) {
      names.push_back(network.layers[i].name);
    }
  }
  return names;
}

inline void compare_outputs(const Network& network, const Pair& pair, double tolerance) {
  const auto names = comparable_outputs(network, pair.phase);
  CHECK(!names.empty());
  for (const auto& name : names) {
    const auto expected = pair.cpu.output(name);
    CAPTURE(name);
    CHECK(distance(pair.gpu.output(name), expected) <= tolerance * norm(expected));
  }
}

// A gradient that is zero but for rounding (a bias before a normalisation) is held against the
// largest one instead of itself.
inline void compare_gradients(const Pair& pair, double tolerance) {
  double largest = 0;
  for (const auto& name : pair.cpu.parameter_names()) {
    largest = std::max(largest, norm(pair.cpu.gradient(name)));
  }
  int compared = 0;
  for (const auto& name : pair.cpu.parameter_names()) {
    const auto expected = pair.cpu.gradient(name);
    if (expected.empty()) {
      continue;  // a running statistic
    }
    CAPTURE(name);
    CHECK(distance(pair.gpu.gradient(name), expected) <=
          tolerance * (norm(expected) + 0.01 * largest));
    ++compared;
  }
  CHECK(compared >= 2);
}

inline void compare(const Network& network,
                    int items,
                    Precision precision,
                    const Tolerance& tolerance,
                    Phase phase = Phase::train) {
  CAPTURE(network.name);
  CAPTURE(to_string(precision));
  EngineOptions options;
  options.batch = items;
  options.phase = phase;
  Pair pair(network, options, precision);
  CHECK(pair.gpu.parameter_names() == pair.cpu.parameter_names());
  const auto batch = test::noise_batch(network, items);
  const auto expected = pair.cpu.evaluate(batch.view());
  const auto found = pair.gpu.evaluate(batch.view());
  CHECK(found.loss.value() == test::approx(expected.loss.value()).epsilon(tolerance.output * 5));
  compare_outputs(network, pair, tolerance.output);
  if (has_backward(phase)) {
    compare_gradients(pair, tolerance.gradient);
  }
}

inline void compare_all_precisions(const Network& network) {
  for (const auto precision :
       {Precision::fp32, Precision::tf32, Precision::fp16, Precision::bf16}) {
    compare(network, 8, precision, tolerance_of(precision));
  }
}

inline NetworkBuilder tiny() {
  return {"tiny", "Tiny", {3, 16, 16}, 8};
}

inline Network finish(NetworkBuilder& net, int from) {
  return net.finish(net.fully_connected("fc", from, 8));
}

}  // namespace rightsize::test
