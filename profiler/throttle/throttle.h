// A Throttle holds one process under Limits for as long as it lives, and counts what it used.
//
// The order of a run: make_throttle() in the parent; fork; the child calls enter() and then exec;
// the parent reads usage(); the destructor removes every trace, whatever happened in between.
// Groups of a parent that was killed with SIGKILL are removed by remove_stale_groups() at the next
// start: their names carry its process id.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/limits.h"
#include "profiler/throttle/pressure.h"

namespace rightsize {

// A limit that should work here does not: message names the file, the cause and the remedy.
class ThrottleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Sums since the throttle was made; nullopt where this kind of throttle cannot count.
struct Usage {
  std::optional<double> cpu_s;
  std::uint64_t periods = 0;  // quota periods in which the group wanted to run
  std::uint64_t throttled_periods = 0;
  std::optional<std::uint64_t> memory_peak_bytes;  // resident + page cache
  std::optional<std::uint64_t> cache_bytes;        // page cache now
  std::uint64_t oom_kills = 0;
  std::uint64_t memory_limit_hits = 0;  // reclaim was forced; normal for a full page cache
  Pressure pressure;                    // of the group alone; cgroup v2 has it
};

class Throttle {
 public:
  Throttle() = default;
  Throttle(const Throttle&) = delete;
  Throttle& operator=(const Throttle&) = delete;
  virtual ~Throttle() = default;

  // "cgroup v1", "cgroup v2", "unprivileged"
  [[nodiscard]] virtual std::string_view kind() const = 0;

  // Puts the calling process under the limits. For the child between fork and exec: only
  // async-signal-safe calls. False with errno set when the kernel refuses.
  [[nodiscard]] virtual bool enter() const noexcept = 0;

  [[nodiscard]] virtual Usage usage() const = 0;

  // What could not be imposed and why, in words for the record.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;

  // Limits that were asked for and are not imposed by this throttle: a run that may have profited
  // from it is not to be trusted.
  [[nodiscard]] virtual std::vector<std::string> not_imposed() const { return {}; }

  // Where the kernel cannot limit reads, the loader does it by a token bucket: 0 = it need not.
  [[nodiscard]] virtual double loader_read_bytes_per_s() const { return 0; }
};

// The note of a throttle that leaves reads to the loader's token bucket.
inline constexpr std::string_view loader_note =
    "disk read limit imposed by the loader, on cached and uncached bytes alike";

struct ThrottleOptions {
  std::string data_path;   // disk limits are set on the device that holds it
  bool privileged = true;  // false: use only what needs no rights
  std::string root = "/";  // of /proc and the cgroup mounts; a fake one in tests
};

// The strongest throttle this machine allows for these limits: cgroup v2, cgroup v1, or the
// unprivileged fallback. Throws ThrottleError when a group cannot be set up halfway through.
[[nodiscard]] std::unique_ptr<Throttle> make_throttle(const Limits& limits,
                                                      const ThrottleOptions& options = {});

// One line per kind of limit for `rightsize doctor`.
struct ThrottleCapability {
  std::string limit;  // "cpu", "memory", "disk read", "disk write"
  bool possible = false;
  std::string how;     // "cgroup v1 (/sys/fs/cgroup/cpu)"
  std::string reason;  // why not, when it is not possible
  std::string remedy;  // what to try
};
[[nodiscard]] std::vector<ThrottleCapability> probe_throttles(const std::string& root = "/");

// Removes groups left by dead rightsize processes, killing what still runs in them. Returns how
// many were removed; never touches groups that are not ours, never throws.
int remove_stale_groups(const std::string& root = "/");

}  // namespace rightsize
