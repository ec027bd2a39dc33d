#include "advisor/candidate/host_memory.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/refusal.h"
#include "kernels/gibibyte.h"

namespace rightsize {
namespace {

// One training process with its CUDA context.
constexpr double framework_bytes_per_gpu = 3 * bytes_per_gib;
// Without one a framework's libraries are a few hundred MB; PTB trained within 1 GB in all in the
// founding reports (S4).
constexpr double framework_bytes_cpu_only = 0.5 * bytes_per_gib;
constexpr int most_batches_in_hand = 16;  // of a process, whatever its loader threads

constexpr double shard_bytes =
    5e9;  // huggingface/transformers, max_shard_size of save_pretrained()

}  // namespace

double weights_on_their_way(double weights_bytes) {
  return std::min(weights_bytes, 2 * shard_bytes);
}

double host_memory_bytes(const Setting& setting,
                         double batch_bytes,
                         double gpus,
                         double network_bytes) {
  const bool loads = setting.workload.data != DataFormat::synthetic;
  const int in_hand = loads ? std::min(setting.loader_threads, most_batches_in_hand) : 0;
  const double batches = setting.workload.prefetch_batches + in_hand;
  const double framework = gpus > 0 ? framework_bytes_per_gpu * gpus : framework_bytes_cpu_only;
  return framework + network_bytes + batches * batch_bytes * std::max(1.0, gpus);
}

std::string host_memory_shortage(double needed_bytes, std::optional<double> memory_gib) {
  // Rounded up, so that what is too little never reads as enough.
  return !memory_gib || needed_bytes <= *memory_gib * bytes_per_gib
             ? ""
             : fmt::format("{}: about {:.1f} GiB are needed of {:.4g} GiB",
                           host_memory_too_small,
                           std::ceil(10 * needed_bytes / bytes_per_gib) / 10,
                           *memory_gib);
}

}  // namespace rightsize
