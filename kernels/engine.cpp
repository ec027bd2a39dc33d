#include "kernels/engine.h"

#include <fmt/format.h>

#include "kernels/cpu/engine.h"
#include "kernels/gpu/plugin_loader.h"
#include "kernels/parallel/engine.h"
#include "kernels/replay/engine.h"

namespace rightsize {

std::unique_ptr<Engine> make_engine(EngineKind kind,
                                    const Network& network,
                                    const EngineOptions& options) {
  if (options.ranks > 1) {
    if (kind != EngineKind::cpu) {
      throw EngineError(fmt::format("{} ranks of engine {}: several ranks run on engine cpu only",
                                    options.ranks,
                                    to_string(kind)));
    }
    return make_parallel_engine(network, options);
  }
  if (kind != EngineKind::gpu && options.preprocess_on == PreprocessOn::gpu) {
    throw EngineError(fmt::format(
        "engine {} has no GPU to preprocess pictures on; use engine gpu, or preprocess on the cpu",
        to_string(kind)));
  }
  if (kind != EngineKind::gpu && options.device_share > 0) {
    throw EngineError(
        fmt::format("engine {} has no multiprocessors to share; use engine gpu", to_string(kind)));
  }
  switch (kind) {
    case EngineKind::cpu:
      return make_cpu_engine(network, options);
    case EngineKind::gpu:
      return make_gpu_engine(network, options);
    case EngineKind::replay:
      return make_replay_engine(network, options);
  }
  throw EngineError("unknown engine kind; use cpu, gpu or replay");
}

}  // namespace rightsize
