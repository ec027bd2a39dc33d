// A campaign shared among the nodes of a Slurm cluster: an array job, one shard per task.
//
// All of a submission lies in one folder, which the nodes must see under the same path:
//   runs.json          the runs as planned; the campaign's file may change in the meantime
//   job.sh             what sbatch got
//   job.id             Slurm's number for it
//   journals/I.A.jsonl what task I wrote at its A-th attempt (journal.h)
//   task-I.out         what it printed
// A task whose node died is queued again (--requeue) and makes what no journal of its folder has.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "profiler/measure/run_spec.h"
#include "profiler/record.h"

namespace rightsize {

// Slurm is not here, or refused: its own words, and what to try.
class SlurmError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SlurmOptions {
  int tasks = 4;
  std::string partition;               // empty: the cluster's default
  std::string gres;                    // "gpu:h100:1"; empty: none
  double time_s = 0;                   // of each task; 0: the partition's limit
  std::vector<std::string> extra;      // further options of sbatch, as "--account=physics"
  std::string executable;              // this program, under the path the nodes know it by
  std::vector<std::string> arguments;  // of each task, after those that say which it is
};

// The folder of the next submission of this campaign for the store at `store_path`; not made yet.
[[nodiscard]] std::string next_job_folder(const std::string& store_path,
                                          const std::string& campaign);
// Those that were made, oldest first.
[[nodiscard]] std::vector<std::string> job_folders(const std::string& store_path,
                                                   const std::string& campaign);

[[nodiscard]] std::string sbatch_script(const SlurmOptions& options,
                                        const std::string& campaign,
                                        const std::string& folder);

// Makes the folder with everything in it and hands it to sbatch; returns Slurm's job id. Nothing
// is left behind when it throws SlurmError.
std::string submit(const SlurmOptions& options,
                   const std::string& campaign,
                   const std::string& folder,
                   const std::vector<RunSpec>& runs);

// The parts of a submission. Throw StoreError or RecordError naming the file.
[[nodiscard]] std::vector<RunSpec> submitted_runs(const std::string& folder);
[[nodiscard]] std::vector<Record> collected_records(const std::string& folder);
[[nodiscard]] std::string journal_path(const std::string& folder, int task, int attempt);

// The job id of a submission that Slurm still has in its queue; nullopt when it is through, or when
// squeue is not here.
[[nodiscard]] std::optional<std::string> queued_job(const std::string& folder);

}  // namespace rightsize
