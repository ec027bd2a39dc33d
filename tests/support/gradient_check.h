// Gradients of the CPU engine against finite differences of its loss.
#pragma once

#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "support/approx.h"
#include "support/tiny_batch.h"

namespace rightsize::test {

inline double dot(const std::vector<float>& a, const std::vector<float>& b) {
  return std::inner_product(
      a.begin(), a.end(), b.begin(), 0.0, std::plus<>(), [](float x, float y) {
        return static_cast<double>(x) * static_cast<double>(y);
      });
}

inline std::vector<float> unit(std::vector<float> values) {
  const auto norm = static_cast<float>(std::sqrt(dot(values, values)));
  for (auto& value : values) {
    value /= norm;
  }
  return values;
}

// d loss along `direction` by the central difference. The step is far above FP32's rounding of the
// loss and small enough for the curvature.
inline double slope(cpu::CpuEngine& engine,
                    const std::string& name,
                    const std::vector<float>& direction,
                    const Batch& batch) {
  constexpr float step = 4e-3F;
  const auto start = engine.parameter(name);
  const auto loss_at = [&](float distance) {
    auto moved = start;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved[i] += distance * direction[i];
    }
    engine.set_parameter(name, moved);
    return engine.evaluate(batch).loss.value();
  };
  const double difference = loss_at(step) - loss_at(-step);
  engine.set_parameter(name, start);
  return difference / (2 * static_cast<double>(step));
}

// Along the gradient itself the slope must be its norm; leaning a random way, the projection.
inline void check_gradients(const Network& network, int items = 6) {
  EngineOptions options;
  options.batch = items;
  options.threads = 2;
  cpu::CpuEngine engine(network, options);
  const auto batch = noise_batch(network, options.batch);
  int checked = 0;
  for (const auto& name : engine.parameter_names()) {
    engine.evaluate(batch.view());
    const auto gradient = engine.gradient(name);
    if (gradient.empty()) {
      continue;  // a running statistic
    }
    CAPTURE(name);
    const double norm = std::sqrt(dot(gradient, gradient));
    if (norm < 1e-4) {  // a bias before a normalisation: no influence, and both must say so
      CHECK(std::abs(slope(engine, name, unit(noise(gradient.size(), 3)), batch.view())) < 1e-3);
      continue;
    }
    auto direction = unit(gradient);
    CHECK(slope(engine, name, direction, batch.view()) ==
          test::approx(norm).scale(0.1).epsilon(0.02));
    const auto sideways = unit(noise(gradient.size(), 11));
    for (std::size_t i = 0; i < direction.size(); ++i) {
      direction[i] += sideways[i];
    }
    CHECK(slope(engine, name, direction, batch.view()) ==
          test::approx(dot(gradient, direction)).scale(0.1).epsilon(0.03));
    checked += norm > 0.02 ? 1 : 0;  // above what the tolerances would let pass
  }
  CHECK(checked >= 2);
}

}  // namespace rightsize::test
