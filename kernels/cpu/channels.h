// Slices of channels.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

namespace rightsize::cpu {

inline constexpr int channel_axis = 1;

// Where channels are blocked, a slice that begins or ends inside a block cannot be described.
[[nodiscard]] inline bool can_slice(const dnnl::memory::desc& desc,
                                    const dnnl::memory::dims& dims,
                                    const dnnl::memory::dims& start) {
  try {
    static_cast<void>(desc.submemory_desc(dims, start));
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

}  // namespace rightsize::cpu
