// The GPU engine as the program sees it: found at run time, so that one binary serves machines
// with and without a GPU. Needs no CUDA.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/engine.h"

extern "C" struct RightsizeGpuCommunicator;  // plugin_abi.h

namespace rightsize {

struct GpuDevice {
  std::string name;  // "NVIDIA H200"
  std::uint64_t memory_bytes = 0;
  int compute_major = 0;  // compute capability 9.0
  int compute_minor = 0;
  int multiprocessors = 0;
  int driver_version = 0;  // as CUDA counts: 13000
};

// Devices, or the sentence that says why there are none and what to do.
struct GpuProbe {
  std::vector<GpuDevice> devices;
  std::string reason;
  std::string plugin;  // path of the plugin, empty when it could not be opened
};

[[nodiscard]] GpuProbe probe_gpu();

// How the GPU engine works inside; which device and how much of it says EngineOptions.
struct GpuOptions {
  bool cuda_graph = true;     // one launch per step instead of one per kernel
  bool keep_outputs = false;  // every layer's output stays readable (tests)
  RightsizeGpuCommunicator* communicator = nullptr;  // what connects this rank to the others
};

// Train: forward, backward and the network's optimizer (SGD with momentum, or AdamW); forward and
// forward_backward: the parts of that. Infer: forward with the loss. Decode: one token per item
// against a cache.
// Every precision; FP16 and BF16 train with FP32 master weights. Throws OutOfMemory, and
// EngineError when there is no device or no plugin here.
[[nodiscard]] std::unique_ptr<Engine> make_gpu_engine(const Network& network,
                                                      const EngineOptions& options,
                                                      const GpuOptions& gpu = {});

}  // namespace rightsize
