// The blocks of MobileNetV4: Qin et al., "MobileNetV4: Universal Models for the Mobile Ecosystem",
// ECCV 2024, as timm's mobilenetv3.py lists them.
#pragma once

#include <string>
#include <vector>

#include "kernels/networks/image_blocks.h"

namespace rightsize::mobilenet_v4 {

constexpr float epsilon = 1e-5F;

// A row of so many equal blocks, of which the first alone may have a stride. Universal inverted
// bottlenecks filter each channel before they widen (`first` x `first`), between (`middle`), both
// or neither; `dense`: one convolution of `middle` widens and filters at once; `plain`: it is all
// there is; `attention`: of `first` heads of `middle` features to one of keys and of values, which
// are taken of an image that is smaller by `stride`.
struct Row {
  enum Kind { universal, dense, plain, attention } kind = universal;
  int count = 1;
  std::int64_t first = 0;
  std::int64_t middle = 0;
  std::int64_t stride = 1;
  std::int64_t expansion = 4;
  std::int64_t channels = 0;
};

// Attention of many queries to one key and value (Shazeer, 2019), added.
[[nodiscard]] int multi_query_attention(NetworkBuilder& net,
                                        const std::string& name,
                                        int from,
                                        const Row& row);

// Of the networks that have it.
[[nodiscard]] std::vector<Row> hybrid_medium_rows();
[[nodiscard]] std::vector<Row> hybrid_large_rows();

}  // namespace rightsize::mobilenet_v4
