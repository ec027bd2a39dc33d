#include "profiler/campaign/estimate.h"

#include <algorithm>

namespace rightsize {
namespace {

// A picture of 256 x 256 as PreprocessJob stores it: raw planes on whole pages of LMDB, or a JPEG
// of quality 95, for which nearly a byte a pixel is on the safe side.
double stored_bytes(DataFormat output) {
  constexpr double pixels = 256 * 256;
  constexpr double page = 4096;
  return output == DataFormat::lmdb ? 3 * pixels + page : pixels;
}

double output_bytes(const RunSpec& run) {
  if (run.workload.phase != Phase::preprocess) {
    return 0;
  }
  const double cpus = run.limits.cpus > 0 ? run.limits.cpus : engine_threads_of(run);
  const double converted =
      items_per_vcpu_s * cpus * run.stop.max_s * stored_bytes(run.workload.output);
  const double limit = run.limits.disk_write_bytes_per_s;
  return limit > 0 ? std::min(converted, limit * run.stop.max_s) : converted;
}

// A record without its timeline, and ten points of that a second.
double record_bytes(const RunSpec& run) {
  constexpr double plain = 4096;
  constexpr double points_per_s = 10;
  constexpr double point = 160;
  return plain + points_per_s * point * run.stop.max_s;
}

constexpr double start_up_s = 1;  // process, libraries, opening the dataset

}  // namespace

double estimated_s(const std::vector<RunSpec>& runs) {
  double sum = 0;
  for (const auto& run : runs) {
    sum += run.stop.max_s + start_up_s;
  }
  return sum;
}

double longest_s(const std::vector<RunSpec>& runs) {
  double sum = 0;
  for (const auto& run : runs) {
    sum += timeout_of(run) + start_up_s;
  }
  return sum;
}

DiskEstimate estimated_disk(const std::vector<RunSpec>& runs) {
  double at_once = 0;
  double written = 0;
  double store = 0;
  for (const auto& run : runs) {
    const double output = output_bytes(run);
    at_once = std::max(at_once, output);
    written += output;
    store += record_bytes(run);
  }
  return {static_cast<std::uint64_t>(at_once),
          static_cast<std::uint64_t>(written),
          static_cast<std::uint64_t>(store)};
}

}  // namespace rightsize
