// Preprocessing as a workload of its own: JPEG -> decode -> resize -> database (S7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/data/dataset.h"
#include "kernels/data/loader.h"

namespace rightsize {

struct PreprocessOptions {
  DataFormat output = DataFormat::lmdb;  // lmdb: raw 3 x resize x resize datums; recordio: JPEG
  std::string output_path;
  int threads = 2;
  int resize = 256;             // both sides: 256 x 256, as the Caffe tools make it
  double read_bytes_per_s = 0;  // token bucket, as in LoaderOptions
};

class PreprocessJob {
 public:
  // Creates the output, replacing what is there. Throws DataError (full disk, no permission).
  PreprocessJob(const Dataset& source, const PreprocessOptions& options);
  PreprocessJob(const PreprocessJob&) = delete;
  PreprocessJob& operator=(const PreprocessJob&) = delete;
  ~PreprocessJob();

  // Converts and durably writes the next `count` items (wraps round at the end of the source);
  // returns how many were written. Throws DataError.
  std::size_t run(std::size_t count);

  // read_s, decode_s, augment_s (resize) as in the loader; `blocked_s` is time spent writing.
  [[nodiscard]] LoaderTotals totals() const;
  [[nodiscard]] std::uint64_t bytes_written() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace rightsize
