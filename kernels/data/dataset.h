// A dataset as a thread-safe random-access reader of encoded items, whatever the file format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/workload.h"

namespace rightsize {

// raw_chw, raw_rgb_chw: c x h x w unsigned bytes. Three planes of raw_chw are blue, green, red, as
// OpenCV and Caffe order them; those of raw_rgb_chw red, green, blue, as in CIFAR's files.
enum class Encoding { jpeg, raw_chw, raw_rgb_chw };

// One encoded item. `bytes` points into a memory map or into the storage given to read().
struct Sample {
  std::span<const std::byte> bytes;
  Encoding encoding = Encoding::jpeg;
  std::int32_t label = 0;
  int channels = 3;  // raw only: 3, or 1 for grey
  int height = 0;
  int width = 0;
};

// A file that is missing, truncated or not what it says it is. The message names the file, the
// place in it, and what to do.
class DataError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Dataset {
 public:
  Dataset() = default;
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  virtual ~Dataset() = default;

  [[nodiscard]] virtual std::size_t size() const = 0;            // items
  [[nodiscard]] virtual std::uint64_t stored_bytes() const = 0;  // on disk, what a full epoch reads
  [[nodiscard]] virtual std::vector<std::string> files() const = 0;  // to drop from the page cache

  // Names item `index` for a message: its file, or its record and file.
  [[nodiscard]] virtual std::string where(std::size_t index) const;

  // Reads item `index` (0 .. size()-1), really from the file; safe from several threads.
  // `storage` is scratch the sample may point into. Throws DataError.
  [[nodiscard]] virtual Sample read(std::size_t index, std::vector<std::byte>& storage) const = 0;
};

// In which order items will be read: with random access the kernel's read-ahead brings in what
// nobody asked for (measured: 8 MiB per read on this project's machines), so it is switched off
// where that does not hurt.
enum class AccessOrder { sequential, random };

// Opens a dataset for reading; the index is read once, the items are not. Throws DataError.
[[nodiscard]] std::unique_ptr<Dataset> open_dataset(DataFormat format,
                                                    const std::string& path,
                                                    AccessOrder order = AccessOrder::sequential);

}  // namespace rightsize
