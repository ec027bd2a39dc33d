// CRC-32C (Castagnoli, polynomial 0x1edc6f41 reflected), the checksum of TFRecord; by the CPU's
// own instruction where it has one (SSE 4.2). Reference: RFC 3720, section 12.1 and appendix B.4.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rightsize {

[[nodiscard]] std::uint32_t crc32c(std::span<const std::byte> bytes);

// The same by table, for CPUs without the instruction (and to hold it against).
[[nodiscard]] std::uint32_t crc32c_by_table(std::span<const std::byte> bytes);

// What TFRecord stores, so that a checksum inside checksummed data does no harm: rotated right by
// 15 bits, plus a constant (tensorflow/core/lib/hash/crc32c.h).
[[nodiscard]] constexpr std::uint32_t masked_crc(std::uint32_t crc) {
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

}  // namespace rightsize
