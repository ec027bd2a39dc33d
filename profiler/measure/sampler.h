// What a running process and its descendants use over time, seen from outside.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

#include "profiler/measure/clock.h"
#include "profiler/nvml.h"
#include "profiler/record.h"
#include "profiler/throttle/throttle.h"

namespace rightsize {

// CPU time of the whole machine since boot, in seconds summed over CPUs (/proc/stat).
struct SystemCpu {
  double busy_s = 0;
  double idle_s = 0;
  double steal_s = 0;
};
[[nodiscard]] SystemCpu read_system_cpu();

class UsageSampler {
 public:
  // `gpu`: sampled too, as long as the sampler lives; nullptr: none works for the run.
  UsageSampler(pid_t pid,
               const Throttle& throttle,
               Clock& clock,
               double period_s,
               const GpuWatch* gpu = nullptr);

  // Takes a sample when one is due. A long run thins its timeline: never more than 400 points.
  void tick();

  [[nodiscard]] std::vector<TimelinePoint> take_timeline() { return std::move(timeline_); }
  [[nodiscard]] std::uint64_t peak_rss_bytes() const { return peak_rss_bytes_; }
  // Without mapped files: what a page cache cannot have.
  [[nodiscard]] std::uint64_t peak_anonymous_bytes() const { return peak_anonymous_bytes_; }

 private:
  struct Reading {
    double time_s = 0;
    double cpu_s = 0;
    std::uint64_t rss_bytes = 0;
    std::uint64_t anonymous_bytes = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t written_bytes = 0;
  };
  [[nodiscard]] std::optional<Reading> read() const;
  void thin();

  pid_t pid_;
  const Throttle& throttle_;
  Clock& clock_;
  double period_s_;
  const GpuWatch* gpu_;
  double start_s_;
  std::optional<Reading> last_;
  std::uint64_t peak_rss_bytes_ = 0;
  std::uint64_t peak_anonymous_bytes_ = 0;
  std::vector<TimelinePoint> timeline_;
};

}  // namespace rightsize
