// Every layer's output of one evaluation of the CPU engine, and the engine to ask for parameters.
#pragma once

#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/cpu_engine.h"
#include "support/reference_sequence.h"
#include "support/tiny_batch.h"

namespace rightsize::test {

struct EvaluatedNetwork {
  EvaluatedNetwork(Network net, EngineOptions options)
      : network(std::move(net)),
        items(options.batch),
        batch(noise_batch(network, items)),
        engine(network, options, true) {
    std::uint32_t seed = 5;
    for (const auto& name : engine.parameter_names()) {  // nothing may hide at 0 or 1
      engine.set_parameter(name, noise(engine.parameter(name).size(), ++seed, 0.5F));
    }
    loss = engine.evaluate(batch.view()).loss.value();
  }

  [[nodiscard]] const Layer& layer(const std::string& name) const {
    return *std::find_if(network.layers.begin(), network.layers.end(), [&](const Layer& l) {
      return l.name == name;
    });
  }
  [[nodiscard]] Values output(const std::string& name) const { return engine.output(name); }
  [[nodiscard]] Sequence sequence(const std::string& name) const {
    return {items, layer(name).out, engine.output(name)};
  }
  [[nodiscard]] Values parameter(const std::string& name) const { return engine.parameter(name); }

  // Within `tolerance` of the largest of what is expected.
  void check(const std::string& name, const Values& expected, double tolerance) const {
    CAPTURE(name);
    const auto found = engine.output(name);
    REQUIRE(found.size() == expected.size());
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
      difference = std::max(
          difference, std::abs(static_cast<double>(found[i]) - static_cast<double>(expected[i])));
    }
    CHECK(largest > 0.01);  // not a comparison of zeros
    CHECK(difference <= tolerance * (1 + largest));
  }

  Network network;
  int items;
  TinyBatch batch;
  cpu::CpuEngine engine;
  double loss = 0;
};

}  // namespace rightsize::test
