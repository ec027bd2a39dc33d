// LMDB is taken to hold pictures as Caffe writes them: decoded, one byte a pixel and colour.
#pragma once

#include <string>

#include "kernels/workload.h"

namespace rightsize {

// Why the items cannot be that: they are smaller than the picture that the network takes, so they
// are encoded, and decoding each costs the vCPUs more than reading pixels. "" where they can, or
// the data are no LMDB. `input_bytes`: of one item as the network takes it, in FP32.
[[nodiscard]] std::string encoded_in_lmdb(DataFormat format,
                                          double bytes_per_item,
                                          double input_bytes);

}  // namespace rightsize
