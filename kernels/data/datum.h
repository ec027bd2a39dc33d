// Caffe's `Datum` message in the protobuf wire format, by hand: seven fields do not need a
// compiler.
//   1 channels · 2 height · 3 width (varint) · 4 data (bytes) · 5 label (varint)
//   6 float_data (fixed32, packed or not) · 7 encoded (varint: data is a JPEG)
// Reference: BVLC/caffe src/caffe/proto/caffe.proto; protobuf "Encoding" guide (wire types 0, 1, 2,
// 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/data/dataset.h"

namespace rightsize {

// Appends nothing: replaces `message` (its capacity is kept) by the encoding of `sample`.
void encode_datum(const Sample& sample, std::vector<std::byte>& message);

// A view into `message`. Throws DataError; `where` names the file and record.
[[nodiscard]] Sample decode_datum(std::span<const std::byte> message, std::string_view where);

}  // namespace rightsize
