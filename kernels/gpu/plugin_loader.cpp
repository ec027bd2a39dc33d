#include "kernels/gpu/plugin_loader.h"

#include <fmt/format.h>

namespace rightsize {

std::unique_ptr<Engine> make_gpu_engine(const Network& network, const EngineOptions& options) {
  throw EngineError(
      fmt::format("no CUDA device or plugin here: cannot run {} at batch {} on a GPU; "
                  "this build has no librightsize_gpu.so. Use engine = \"cpu\", or "
                  "\"replay\" with a known rate",
                  network.name,
                  options.batch));
}

}  // namespace rightsize
