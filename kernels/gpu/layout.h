// Between the order the program speaks (channels first: NCHW, KCRS) and the device's (channels
// last: NHWC, KRSC). A linear layer's weights have the shape of its input in place of the kernel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rightsize::gpu {

// `items` blocks of c x area values into area x c each, and back.
[[nodiscard]] std::vector<float> to_channels_last(std::span<const float> values,
                                                  std::int64_t items,
                                                  std::int64_t c,
                                                  std::int64_t area);
[[nodiscard]] std::vector<float> to_channels_first(std::span<const float> values,
                                                   std::int64_t items,
                                                   std::int64_t c,
                                                   std::int64_t area);

}  // namespace rightsize::gpu
