// Makes an ImageNet-like dataset: JPEGs with natural-image statistics and ImageNet's size
// distribution, and from them an LMDB of raw Caffe datums and a RecordIO file of JPEGs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "kernels/workload.h"

namespace rightsize {

struct GenerateOptions {
  std::string directory;  // jpeg/ , train.rec + train.idx , train.lmdb/ are made under it
  std::size_t items = 1000;
  int classes = 10;  // the class changes the picture, so that a network can learn it
  std::uint64_t seed = 1;
  int threads = 2;
  bool jpeg = true;
  bool recordio = true;
  bool lmdb = true;
};

struct GenerateSummary {
  std::size_t items = 0;
  std::uint64_t jpeg_bytes = 0;
  std::uint64_t recordio_bytes = 0;
  std::uint64_t lmdb_bytes = 0;
  double mean_jpeg_bytes = 0;
};

// Calls `progress(done, total)` from one thread. Idempotent: with the same options a format that is
// complete is kept (manifest.h), one of which a file is gone or cut is made again. Throws DataError
// (full disk, no permission).
[[nodiscard]] GenerateSummary generate_imagenet_like(
    const GenerateOptions& options,
    const std::function<void(std::size_t done, std::size_t total)>& progress = {});

}  // namespace rightsize
