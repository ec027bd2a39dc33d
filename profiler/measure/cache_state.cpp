#include "profiler/measure/cache_state.h"

#include <fmt/format.h>

#include "kernels/gibibyte.h"
#include "profiler/measure/page_cache.h"

namespace rightsize {
namespace {

// Returns why a run that is to read the disk will not, where data stays in memory.
std::string drop_dataset(const RunSpec& spec, Record& record) {
  const auto dropped = drop_from_page_cache(spec.workload.data_path);
  constexpr std::uint64_t negligible_share = 100;
  if (dropped.resident_bytes <= dropped.bytes / negligible_share) {
    return "";
  }
  auto text = fmt::format(
      "{:.0f} % of the dataset stayed in the page cache: another process maps it or "
      "the filesystem has no disk (tmpfs)",
      100.0 * static_cast<double>(dropped.resident_bytes) / static_cast<double>(dropped.bytes));
  record.throttle_notes.push_back(text);
  return spec.part == "cold" ? text : "";
}

// Before the run, outside its groups; returns why the data is not in memory all the same.
std::string fill_from_dataset(const RunSpec& spec) {
  constexpr double nearly_all = 0.98;
  const auto filled = fill_page_cache(spec.workload.data_path);
  const auto resident = static_cast<double>(filled.resident_bytes);
  const auto all = static_cast<double>(filled.bytes);
  if (all <= 0) {
    return fmt::format("there is no data in {}", spec.workload.data_path);
  }
  return resident >= nearly_all * all
             ? ""
             : fmt::format(
                   "only {:.0f} % of the data stayed in the page cache: it needs {:.1f} GiB "
                   "of free memory",
                   100 * resident / all,
                   all / bytes_per_gib);
}

}  // namespace

std::string prepare_page_cache(const RunSpec& spec, bool may_drop, Record& record) {
  if (spec.part == "cached") {
    return fill_from_dataset(spec);
  }
  if (!spec.workload.data_path.empty() && may_drop) {
    return drop_dataset(spec, record);
  }
  return {};
}

}  // namespace rightsize
