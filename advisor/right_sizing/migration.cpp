#include "advisor/right_sizing/migration.h"

#include <fmt/format.h>

#include "models/laws/gpu_name.h"
#include "models/laws/toolchain.h"

namespace rightsize {

MigrationEffort migration_effort(const Offer& from, const Offer& to, bool in_place) {
  if (from.provider != to.provider) {
    return {"High", fmt::format("another cloud: {} -> {}", from.provider, to.provider)};
  }
  if (from.arch != to.arch) {
    return {"Medium", fmt::format("another CPU architecture: {} -> {}", from.arch, to.arch)};
  }
  if (from.gpu.empty() != to.gpu.empty()) {
    return {"Medium", from.gpu.empty() ? "from a CPU to a GPU" : "from a GPU to a CPU"};
  }
  const auto before = toolchain_of_any(from.gpu);
  const auto after = toolchain_of_any(to.gpu);
  if (!from.gpu.empty() && before != after && (compiles_whole(before) || compiles_whole(after))) {
    const bool to_it = compiles_whole(after);
    const auto& compiler = compiler_words(to_it ? after : before);
    return {"High",
            fmt::format("{} -> {}: {} {}, whose compiler takes {}",
                        from.gpu,
                        to.gpu,
                        to_it ? "to" : "from",
                        compiler.name,
                        compiler.takes)};
  }
  if (!from.gpu.empty() && runs_rocm(from.gpu) != runs_rocm(to.gpu)) {
    return {"Medium",
            fmt::format("{} -> {}: from {}, another image and other libraries",
                        from.gpu,
                        to.gpu,
                        runs_rocm(to.gpu) ? "CUDA to ROCm" : "ROCm to CUDA")};
  }
  if (from.gpu != to.gpu) {
    return {"Low", fmt::format("{} -> {}, same cloud and CPU architecture", from.gpu, to.gpu)};
  }
  if (in_place && from.region != to.region) {
    return {"Low", fmt::format("another region: {} -> {}", from.region, to.region)};
  }
  return {"VeryLow", "same cloud, GPU and CPU architecture"};
}

}  // namespace rightsize
