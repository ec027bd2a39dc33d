// TensorFlow's TFRecord files of tf.train.Example messages, read and written byte for byte.
// A record is its length (u64), the masked CRC-32C of the length, the message, and the masked
// CRC-32C of the message, little-endian (tensorflow.org/tutorials/load_data/tfrecord).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/data/dataset.h"
#include "kernels/data/file.h"

namespace rightsize {

// Opens a .tfrecord file. The format has no index: one made by NVIDIA's tfrecord2idx ("offset
// bytes" lines in a file of the same name ending in .idx) is used where it is there, else the
// lengths are walked once. Checksums of lengths are checked then, those of messages at each read,
// as TensorFlow does. Throws DataError.
[[nodiscard]] std::unique_ptr<Dataset> open_tfrecord(const std::string& path, AccessOrder order);

// An Example with the features of TensorFlow's ImageNet scripts: "image/encoded" (or "image",
// "image_raw") holds the JPEG, "image/class/label" its class counted from 1, or "label" from 0;
// what comes out is counted from 0, and -1 is the background class. `where` names the record
// in a message. The sample points into `message`. Throws DataError.
[[nodiscard]] Sample decode_example(std::span<const std::byte> message, std::string_view where);
void encode_example(const Sample& sample, std::vector<std::byte>& message);

// Appends frames; the index beside the file is written with it.
class TfRecordWriter {
 public:
  explicit TfRecordWriter(const std::string& path);  // replaces what is there

  void put(std::span<const std::byte> jpeg, std::int32_t label);
  void sync();  // durable when it returns
  [[nodiscard]] std::uint64_t bytes_written() const { return offset_; }

 private:
  File records_;
  File index_;
  std::uint64_t offset_ = 0;
  std::string pending_index_;
  std::vector<std::byte> message_;
  std::vector<std::byte> record_;
};

}  // namespace rightsize
