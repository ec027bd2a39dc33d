#include "advisor/candidate/gpu_preprocessing.h"

#include <algorithm>
#include <optional>

namespace rightsize {
namespace {

// Assumptions, none of them measured here. Those that move the answer are named next to it
// (assumptions.cpp); the standard deviations only widen it.
constexpr double gpu_memory_share = 0.6;  // of the bandwidth, that resizing and cropping reach

// What resizing, cropping and normalising are of the vCPUs' work on a picture: stage times of
// examples/measurements/demo.jsonl (JPEG 0.11-0.13, raw datums 0.75-0.85).
constexpr double augment_share_jpeg = 0.12;
constexpr double augment_share_raw = 0.8;
constexpr double decoded_bytes = 3.0 * 256 * 256;  // of one picture, as it reaches the GPU

std::optional<double> augment_share(DataFormat format) {
  switch (format) {
    case DataFormat::lmdb:
      return augment_share_raw;
    case DataFormat::jpeg:
    case DataFormat::recordio:
    case DataFormat::tfrecord:
      return augment_share_jpeg;
    default:
      return std::nullopt;  // no pictures, or none that are read
  }
}

}  // namespace

bool gpu_preprocesses(DataFormat format) {
  return augment_share(format).has_value();
}

void preprocess_on_gpu(
    Setting& setting, DataFormat format, double input_bytes, const GpuSpec& gpu, double gpus) {
  const double gpu_bytes_per_s = gpu.bandwidth_gbs * 1e9 * gpus * gpu_memory_share;
  // Small pictures reach it as they are, a byte where the network takes four.
  const double copied = std::min(decoded_bytes, input_bytes / 4);
  auto& rate = setting.accelerator_items_per_s;
  const double alone = rate;
  rate = 1 / (1 / alone + (copied + input_bytes) / gpu_bytes_per_s);
  setting.exchange_share *= rate / alone;
  setting.launch_share *= rate / alone;
  setting.copy_items_per_s *= input_bytes / copied;
  setting.cpu_speed /= 1 - *augment_share(format);
}

}  // namespace rightsize
