// LMDB databases of Caffe Datum records, read and written byte for byte as Caffe does.
// Reads go through the memory map with the kernel's read-ahead on: MDB_NORDAHEAD makes a cold epoch
// 20-45 times slower (4 KiB faults), so it is not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/data/dataset.h"

namespace rightsize {

// Opens `folder` (data.mdb in it). Nobody may write to it while it is read (no lock file is made,
// so that read-only and network folders work). Opening walks the keys once; it does not touch the
// data.
[[nodiscard]] std::unique_ptr<Dataset> open_lmdb(const std::string& folder);

// Writes records in key order "%08d_name". The map grows as needed.
class LmdbWriter {
 public:
  // Replaces a database in `folder`. `commit_every` records are one durable transaction.
  explicit LmdbWriter(const std::string& folder, std::size_t commit_every = 100);
  LmdbWriter(const LmdbWriter&) = delete;
  LmdbWriter& operator=(const LmdbWriter&) = delete;
  ~LmdbWriter();  // what was not committed is lost

  void put(const Sample& sample, std::string_view name);
  void commit();  // durable when it returns
  [[nodiscard]] std::uint64_t bytes_written() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rightsize
