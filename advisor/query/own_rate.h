// What the user's own program did on a GPU: it goes before all that others published, and the rates
// of other GPUs follow it (models/laws/gpu_rate.h). In a job file
//   [[measured]]
//   gpu = "A10G"
//   items_per_s = 412  # of one GPU: images or sequences
//   batch_per_gpu = 64
// or as a flag, --measured A10G:64=412.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/query/network_step.h"
#include "kernels/workload.h"
#include "models/laws/published_rate.h"

namespace rightsize {

// What was running when it was measured.
struct MeasuredWork {
  NetworkStep step;
  std::vector<int> batches;

  bool operator==(const MeasuredWork&) const = default;
};

struct OwnRate {
  std::string gpu;           // canonical name, perhaps of no GPU that we know
  double gpu_memory_gb = 0;  // where the name states one of two sizes
  double items_per_s = 0;
  std::optional<int> batch;            // the work's, where it has one
  std::optional<Precision> precision;  // the work's
  std::string said_by;                 // "job.toml:12", "--measured"
  // Of a job file: the file's, whatever flags ask for instead. Of a flag nullopt: what is asked.
  std::optional<MeasuredWork> work;

  bool operator==(const OwnRate&) const = default;
};

struct Query;
struct Configuration;
class TomlFields;

// "A10G=412", "A10G:64=412". Throws UsageError naming the flag.
[[nodiscard]] OwnRate parse_own_rate(const std::string& text);

// [[measured]] of a job file. Throws UsageError naming file, line and key.
[[nodiscard]] std::vector<OwnRate> read_own_rates(TomlFields& top, const std::string& file);

// Says of the file's rates that they are of the file's job, which has been read.
void bind_own_rates(Query& query);

// What they say of the job. Throws UsageError where the job does not say the batch either, is no
// work with steps, or two say the same of one GPU.
[[nodiscard]] std::vector<MeasuredRate> measured_rates(const Query& query);
[[nodiscard]] std::vector<MeasuredRate> measured_rates(const Configuration& asked);

}  // namespace rightsize
