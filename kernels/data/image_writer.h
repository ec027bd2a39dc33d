// Pictures of one size into a database: the conversion (many threads) and the writing (one).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/data/item.h"
#include "kernels/data/lmdb_database.h"
#include "kernels/data/recordio.h"

namespace rightsize {

// JPEG -> decode -> `side` x `side` (aspect not kept, as Caffe's convert_imageset does) -> the
// bytes to store: blue, green, red planes for LMDB, a JPEG of quality 95 for RecordIO. One per
// thread.
class ImageConverter {
 public:
  ImageConverter(DataFormat output, int side);

  // Replaces `stored`. Throws DataError.
  ItemSeconds convert(const Sample& sample, std::vector<std::byte>& stored);

 private:
  DataFormat output_;
  int side_;
  JpegDecoder decoder_;
  JpegEncoder encoder_;
  Resizer resizer_;
  std::vector<std::uint8_t> pixels_;
};

class ImageWriter {
 public:
  // `output`: lmdb (a folder) or recordio (a .rec file); replaces what is there. Throws DataError.
  ImageWriter(DataFormat output, const std::string& path);

  // `stored` as ImageConverter made it.
  void put(std::span<const std::byte> stored, std::int32_t label, int side, std::string_view name);
  void sync();  // durable when it returns
  [[nodiscard]] std::uint64_t bytes_written() const;

 private:
  std::unique_ptr<LmdbWriter> lmdb_;  // one of the two
  std::optional<RecordWriter> records_;
};

}  // namespace rightsize
