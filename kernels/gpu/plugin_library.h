// librightsize_gpu.so, opened: the one place that knows where it may lie and why it may not load.
#pragma once

#include <optional>
#include <string>

#include "kernels/gpu/plugin_abi.h"

namespace rightsize::gpu {

// Looked for in this order: $RIGHTSIZE_GPU_PLUGIN alone when it is set; else the folder of the
// executable; else the dynamic loader's own path. When $RIGHTSIZE_CUDNN_LIB_DIR is set,
// libcudnn.so.9 is opened from there first, for machines where only pip has put one.
//
// The library is never unloaded: CUDA's libraries keep threads and exit handlers of their own.
class PluginLibrary {
 public:
  // nullopt, with the sentence in `reason`, when there is none that speaks our ABI.
  [[nodiscard]] static std::optional<PluginLibrary> open(std::string& reason);

  [[nodiscard]] const abi::Plugin& functions() const { return *functions_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  PluginLibrary(const abi::Plugin* functions, std::string path)
      : functions_(functions), path_(std::move(path)) {}

  const abi::Plugin* functions_;
  std::string path_;
};

}  // namespace rightsize::gpu
