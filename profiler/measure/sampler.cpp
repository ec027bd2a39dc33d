#include "profiler/measure/sampler.h"

#include <algorithm>
#include <fstream>
#include <string>

#include <unistd.h>

#include "profiler/measure/process_tree.h"

namespace rightsize {
namespace {

constexpr std::size_t most_points = 400;

double tick_s() {
  return 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

SystemCpu read_system_cpu() {
  std::ifstream in("/proc/stat");
  std::string label;
  double user = 0;
  double nice = 0;
  double system = 0;
  double idle = 0;
  double iowait = 0;
  double irq = 0;
  double softirq = 0;
  double steal = 0;
  in >> label >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
  const double tick = tick_s();
  return {(user + nice + system + irq + softirq) * tick, (idle + iowait) * tick, steal * tick};
}

UsageSampler::UsageSampler(
    pid_t pid, const Throttle& throttle, Clock& clock, double period_s, const GpuWatch* gpu)
    : pid_(pid),
      throttle_(throttle),
      clock_(clock),
      period_s_(period_s),
      gpu_(gpu),
      start_s_(clock.now_s()) {}

std::optional<UsageSampler::Reading> UsageSampler::read() const {
  const auto usage = read_process_tree(pid_);
  if (usage.processes == 0) {
    return std::nullopt;
  }
  Reading reading;
  reading.time_s = clock_.now_s();
  reading.cpu_s = usage.cpu_s;
  reading.rss_bytes = usage.rss_bytes;
  reading.anonymous_bytes = usage.anonymous_bytes;
  reading.read_bytes = usage.disk_read_bytes;
  reading.written_bytes = usage.disk_written_bytes;
  return reading;
}

void UsageSampler::tick() {
  if (last_ && clock_.now_s() - last_->time_s < period_s_) {
    return;
  }
  const auto reading = read();
  if (!reading) {
    return;
  }
  peak_rss_bytes_ = std::max(peak_rss_bytes_, reading->rss_bytes);
  peak_anonymous_bytes_ = std::max(peak_anonymous_bytes_, reading->anonymous_bytes);
  if (last_) {
    const double seconds = reading->time_s - last_->time_s;
    const auto rate = [seconds](std::uint64_t now, std::uint64_t before) {
      return static_cast<double>(now - std::min(before, now)) / seconds;
    };
    const auto gpu = gpu_ == nullptr ? GpuReading{} : gpu_->read();
    timeline_.push_back({reading->time_s - start_s_,
                         std::max(0.0, reading->cpu_s - last_->cpu_s) / seconds,
                         reading->rss_bytes,
                         throttle_.usage().cache_bytes.value_or(0),
                         rate(reading->read_bytes, last_->read_bytes),
                         rate(reading->written_bytes, last_->written_bytes),
                         gpu.busy,
                         gpu.memory_bytes,
                         gpu.watts});
    thin();
  }
  last_ = reading;
}

void UsageSampler::thin() {
  if (timeline_.size() < most_points) {
    return;
  }
  for (std::size_t i = 0; 2 * i < timeline_.size(); ++i) {
    timeline_[i] = timeline_[2 * i];
  }
  timeline_.resize((timeline_.size() + 1) / 2);
  period_s_ *= 2;
}

}  // namespace rightsize
