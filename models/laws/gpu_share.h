// A part of a GPU, as clouds sell it: the N-th part of its time and of its memory, "L4/8" for an
// eighth of an L4 (g6f.large), as NVIDIA's time-sliced vGPUs have it ("fixed share":
// docs.nvidia.com/vgpu/knowledge-base, vGPU schedulers). Where neighbours idle a provider may give
// more ("best effort"), which nobody promises and this does not count. Parts of the chip itself
// (MIG) are none of these.
//
// Nothing is published about networks on such shares: what the GPU works in a step takes N times as
// long as on the whole, and the width of that is assumed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "models/laws/gpu_spec.h"

namespace rightsize {

struct GpuShare {
  std::string_view whole;  // "L4", the part of the name that was asked
  int parts = 1;           // that the GPU is cut into
};

// nullopt for the name of a whole GPU.
[[nodiscard]] std::optional<GpuShare> gpu_share(std::string_view name);

// Named so, with the N-th part of memory, rates and power; as many lanes, since it has all of them
// in its turn. No links to others.
[[nodiscard]] GpuSpec share_of(const GpuSpec& whole, int parts);

// All shares that anybody sells of `gpus`.
[[nodiscard]] std::vector<GpuSpec> shares_of(const std::vector<GpuSpec>& gpus);

// What a step takes, in those of the whole GPU, of which it waits `launch_share` for the host to
// launch its kernels: these queue while others have their turn.
[[nodiscard]] double times_as_long(const GpuShare& share, double launch_share);

// Of ln(a share's rate x parts / the whole GPU's): slices that are not exact, switches between
// them, neighbours in the caches. Assumed.
inline constexpr double gpu_share_log_sd = 0.15;

}  // namespace rightsize
