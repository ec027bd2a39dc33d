// One run: what was asked, what was seen, and how far it can be trusted. Records are the only thing
// models read, so this header is deliberately light. JSON form: schema "rightsize/record/1".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "kernels/workload.h"
#include "profiler/limits.h"
#include "profiler/machine.h"

namespace rightsize {

// measured: believe it. untrusted: numbers exist but noise, a limit that did not bite or a noisy
// neighbour spoils them (`reason`). The others have no throughput.
enum class Status { measured, untrusted, out_of_memory, timed_out, failed, unsupported };

// A sample of a noisy quantity: median with a distribution-free interval (order statistics).
struct Measured {
  double median = 0;
  double low = 0;  // 95 % interval of the median
  double high = 0;
  double relative_noise = 0;  // median absolute deviation x 1.4826 / median
  int samples = 0;
};

// Where an item's time went: seconds per item, summed over threads, in steady state.
struct StageSeconds {
  double read = 0;
  double decode = 0;
  double augment = 0;
  double copy = 0;
  double compute = 0;   // the engine's own time
  double wait = 0;      // the engine waiting for data: the stall
  double write = 0;     // preprocess
  double exchange = 0;  // averaging gradients between ranks
};

// One sample of the timeline, taken by the parent while the run went on.
struct TimelinePoint {
  double time_s = 0;
  double cpu_cores = 0;  // CPU-seconds per second
  std::uint64_t rss_bytes = 0;
  std::uint64_t cache_bytes = 0;  // page cache charged to the run
  double disk_read_bytes_per_s = 0;
  double disk_write_bytes_per_s = 0;
  // Of the first GPU, as its driver says; nullopt for runs of other engines.
  std::optional<double> gpu_busy = {};  // share of the driver's last sampling period
  std::optional<std::uint64_t> gpu_memory_bytes = {};
  std::optional<double> gpu_watts = {};
};

// Share of the measured window in which tasks waited for what they lacked: pressure stall
// information of the kernel (Documentation/accounting/psi.rst). some: at least one task; full: all
// that had work to do. nullopt: the kernel does not say.
struct PressureShares {
  std::string of;  // "run": of its group alone; "machine": of all there is
  std::optional<double> cpu_some;
  std::optional<double> cpu_full;
  std::optional<double> io_some;
  std::optional<double> io_full;
  std::optional<double> memory_some;
  std::optional<double> memory_full;

  bool operator==(const PressureShares&) const = default;
};

// How fast a core went through a fixed chain of integer operations beside the run, outside its
// limits: a shared machine is not the same from hour to hour.
struct CoreSpeed {
  double before_per_s = 0;  // operations per CPU-second, in front of the run and behind it
  double after_per_s = 0;
  std::optional<double> usual_per_s;  // on this machine, when that is known

  // 0.1: a tenth slower than usual, at the slower of both ends; nullopt: nothing to compare with.
  [[nodiscard]] std::optional<double> slowdown() const;
  bool operator==(const CoreSpeed&) const = default;
};

struct LatencyCount {
  double seconds = 0;
  std::uint64_t requests = 0;

  bool operator==(const LatencyCount&) const = default;
};

// What the callers of a served network saw. A latency counts from the instant at which its request
// was to come, however busy the server was then.
struct Served {
  double offered_per_s = 0;  // requests that came, over the measured window
  double answered_per_s = 0;
  std::uint64_t waiting = 0;  // at the end, not answered: their latencies are not known
  double mean_s = 0;
  double p50_s = 0;
  double p95_s = 0;
  double p99_s = 0;
  double p99_low_s = 0;              // 95 % interval by order statistics, as if requests were
  std::optional<double> p99_high_s;  // independent; no upper end below some 380 requests
  double most_s = 0;
  double mean_batch = 0;
  double busy = 0;         // share of the time in which the engine worked
  bool saturated = false;  // the queue kept growing: latencies tell how long the run was
  std::vector<LatencyCount> latencies;  // within 0.4 %, rising

  bool operator==(const Served&) const = default;
};

struct Record {
  std::string id;    // content hash of what was asked, plus the repeat: 16 hex digits
  std::string name;  // the campaign cell's name
  std::string campaign;
  std::string command;     // what was executed, as a shell line; empty: our own kernels
  std::string started_at;  // RFC 3339 UTC
  int repeat = 0;
  bool hold_out = false;  // kept out of the fit; the predicted-vs-measured table uses it
  // One of three runs that differ in nothing but where the data comes from: `part` is "synthetic",
  // "cached" or "cold"; all three carry the same `differential`. Empty: a run of its own.
  std::string differential;
  std::string part;

  Workload workload;
  Limits limits;
  Machine machine;
  std::uint64_t dataset_items = 0;
  std::uint64_t dataset_bytes = 0;
  int loader_threads = 0;  // as used
  int engine_threads = 0;

  Status status = Status::failed;
  std::string reason = "the run did not report";

  Measured throughput;  // items per second, steady state (warm epochs when there are several)
  std::optional<double> cold_items_per_s;  // first epoch, page cache dropped before it
  double step_p50_s = 0;
  double step_p90_s = 0;
  double step_p99_s = 0;
  std::uint64_t items = 0;  // in the measured window
  double seconds = 0;       // of the measured window
  double warmup_s = 0;

  StageSeconds stages;
  double cpu_s_per_item = 0;          // user + system of the whole run's window / items
  std::uint64_t bytes_requested = 0;  // by the data path in the measured window
  std::uint64_t disk_read_bytes = 0;  // that really came from the disk
  std::uint64_t disk_written_bytes = 0;
  std::uint64_t peak_rss_bytes = 0;
  std::uint64_t peak_anonymous_bytes = 0;  // resident without mapped files: RssAnon + RssShmem
  std::uint64_t peak_memory_bytes = 0;     // charged to the group: resident + page cache
  double achieved_cpus = 0;                // CPU-seconds per second in the window
  double throttled_share = 0;              // share of CPU periods that hit the quota
  int epochs = 0;                          // completed since the start, 0 without a dataset
  double steal_share = 0;                  // CPU time the hypervisor gave to others
  double neighbour_cpus = 0;               // CPUs kept busy by other processes of this machine

  PressureShares pressure;
  std::optional<CoreSpeed> core_speed;
  std::optional<Served> served;  // exactly when workload.requests is

  std::optional<double> first_loss;
  std::optional<double> last_loss;
  std::uint64_t engine_memory_bytes = 0;

  std::string throttle;  // "cgroup v1", "cgroup v2", "unprivileged", "none"
  // What could not be imposed, and why; and what else a reader should know beside the numbers.
  std::vector<std::string> throttle_notes;
  std::map<std::string, std::string> software;
  std::string tool_version;
  std::string repro;                    // pastes back into the shell
  std::vector<TimelinePoint> timeline;  // the last field in JSON: stores keep it apart
};

// A malformed document: message names the field.
class RecordError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

[[nodiscard]] std::string_view to_string(Status status);
[[nodiscard]] std::optional<Status> parse_status(std::string_view text);

// True when the record has a throughput that may enter a fit. That of a server is its callers'
// doing; one part of a differential is not how the job runs.
[[nodiscard]] bool is_usable(const Record& record);

[[nodiscard]] boost::json::object to_json(const Record& record);
[[nodiscard]] Record record_from_json(const boost::json::object& object);

}  // namespace rightsize
