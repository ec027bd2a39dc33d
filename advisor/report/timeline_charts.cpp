// The timelines of evidence_charts.h.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/report/evidence_charts.h"
#include "advisor/report/units.h"
#include "kernels/gibibyte.h"

namespace rightsize::report {
namespace {

constexpr std::size_t fewest_points = 4;  // fewer are no curve

template <typename Value>
Series curve(const Record& run, std::string name, std::string role, Value value) {
  Series series{std::move(name), std::move(role), Mark::line, Shape::circle, false, {}};
  for (const auto& sample : run.timeline) {
    series.points.push_back({sample.time_s, value(sample), {}, {}, "", ""});
  }
  return series;
}

XyChart small_chart(const std::string& id, const std::string& what, const Record& run) {
  XyChart chart;
  chart.id = id;
  chart.title = fmt::format("{} over time: {}", what, run.name);
  chart.description = fmt::format("{} of {}", count_of(run.timeline.size(), "sample"), what);
  chart.x = {"seconds", Scale::linear, {}, true};
  chart.y = {what, Scale::linear, {}, true};
  chart.width = 300;
  chart.height = 170;
  return chart;
}

RunTimeline timeline_of(const Record& run, std::size_t number) {
  const auto id = [&](const char* what) {
    return fmt::format("chart-timeline-{}-{}", number, what);
  };
  auto cpu = small_chart(id("cpu"), "CPU cores busy", run);
  cpu.series = {curve(run, "", "one", [](const auto& s) { return s.cpu_cores; })};
  auto memory = small_chart(id("memory"), "memory, MiB", run);
  memory.series = {
      curve(run,
            "resident",
            "two",
            [](const auto& s) { return static_cast<double>(s.rss_bytes) / bytes_per_mib; }),
      curve(run, "page cache", "three", [](const auto& s) {
        return static_cast<double>(s.cache_bytes) / bytes_per_mib;
      })};
  auto disk = small_chart(id("disk"), "disk reads, MB/s", run);
  disk.series = {
      curve(run, "", "four", [](const auto& s) { return s.disk_read_bytes_per_s / 1e6; })};
  return {&run, {std::move(cpu), std::move(memory), std::move(disk)}};
}

// How far two runs lie apart in what they used: CPU cores and disk reads, on a log scale.
double distance(const Record& a, const Record& b) {
  const auto cores = [](const Record& run) { return std::log(run.achieved_cpus + 0.05); };
  const auto reads = [](const Record& run) {
    const double rate =
        run.seconds > 0 ? static_cast<double>(run.disk_read_bytes) / run.seconds : 0;
    return 0.5 * std::log(rate / 1e6 + 0.5);
  };
  const double data = a.workload.data == b.workload.data ? 0 : 0.5;
  return std::hypot(cores(a) - cores(b), reads(a) - reads(b)) + data;
}

}  // namespace

std::vector<RunTimeline> timelines(const std::vector<Record>& records, std::size_t limit) {
  std::vector<const Record*> left;
  for (const auto& record : records) {
    if (is_usable(record) && record.timeline.size() >= fewest_points) {
      left.push_back(&record);
    }
  }
  // Farthest-point sampling (Gonzalez 1985) from the run that read the most from the disk.
  std::vector<const Record*> picked;
  while (!left.empty() && picked.size() < limit) {
    const auto merit = [&](const Record* run) {
      double nearest = picked.empty() ? static_cast<double>(run->disk_read_bytes) : INFINITY;
      for (const auto* other : picked) {
        nearest = std::min(nearest, distance(*run, *other));
      }
      return nearest;
    };
    const auto best = std::max_element(
        left.begin(), left.end(), [&](auto* a, auto* b) { return merit(a) < merit(b); });
    picked.push_back(*best);
    left.erase(best);
  }
  std::vector<RunTimeline> result;
  for (const auto* run : picked) {
    result.push_back(timeline_of(*run, result.size() + 1));
  }
  return result;
}

}  // namespace rightsize::report
