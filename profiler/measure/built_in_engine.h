// From a run to the engine that does its work.
#pragma once

#include <memory>

#include "kernels/engine.h"
#include "profiler/measure/run_spec.h"
#include "profiler/measure/task.h"

namespace rightsize {

// Throws UnknownNetwork, or what reading a network's file throws.
[[nodiscard]] Network network_of(const RunSpec& spec);

[[nodiscard]] EngineOptions engine_options(const RunSpec& spec);

// With the parameters of a trained network where its file brings some. Throws EngineError.
[[nodiscard]] std::unique_ptr<Engine> make_built_in_engine(const RunSpec& spec,
                                                           const Network& network);

// Threads, memory, versions and what the network reads ("input": "tokens", "sound" or "images", so
// that who reads the record needs no file of it); nothing of a dataset.
[[nodiscard]] TaskInfo describe_engine(const Engine& engine,
                                       const Network& network,
                                       const RunSpec& spec);

}  // namespace rightsize
