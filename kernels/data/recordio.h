// RecordIO files as MXNet's im2rec makes them. A record is one or more parts:
//   u32 magic 0xced7230a · u32 (cflag << 29 | length) · payload · zeros up to a multiple of 4
// cflag 0: whole; 1, 2, 3: first, middle, last part of a payload that was cut where it held the
// magic at a multiple of 4 (the magic itself is not stored; the reader puts it back). The payload
// is MXNet's image header {u32 flag, f32 label, u64 id, u64 id2}, `flag` further f32 labels, then
// the JPEG. `name.idx` beside `name.rec` has lines "key<TAB>byte offset". Reference: dmlc-core
// include/dmlc/recordio.h, MXNet python/mxnet/recordio.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/data/dataset.h"
#include "kernels/data/file.h"

namespace rightsize {

// Opens `path` (.rec). Without an .idx file the .rec is walked once to find the records.
[[nodiscard]] std::unique_ptr<Dataset> open_recordio(const std::string& path,
                                                     AccessOrder order = AccessOrder::sequential);

class RecordWriter {
 public:
  explicit RecordWriter(const std::string& path);  // and the .idx beside it; replaces both

  void put(std::span<const std::byte> jpeg, float label);
  void sync();  // durable when it returns, records before their index
  [[nodiscard]] std::uint64_t bytes_written() const { return offset_; }

 private:
  File records_;
  File index_;
  std::string pending_index_;
  std::uint64_t next_ = 0;
  std::uint64_t offset_ = 0;
  std::vector<std::byte> payload_;
  std::vector<std::byte> record_;
};

}  // namespace rightsize
