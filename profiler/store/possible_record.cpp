#include "profiler/store/possible_record.h"

#include <cctype>

#include <fmt/format.h>

namespace rightsize {
namespace {

void require(bool possible, std::string_view field, std::string_view expected, auto saw) {
  if (!possible) {
    throw RecordError(fmt::format("record.{}: expected {}, saw {}", field, expected, saw));
  }
}

// "2026-11-17T10:00:00Z": records are told apart by it, as text.
bool is_time(std::string_view text) {
  constexpr std::string_view form = "0000-00-00T00:00:00Z";
  if (text.size() != form.size()) {
    return false;
  }
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (form[i] == '0' ? !digit : text[i] != form[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

void require_possible(const Record& record) {
  const auto& rate = record.throughput;
  require(rate.median >= 0, "throughput.median", "at least 0", rate.median);
  const bool has_interval = rate.low != 0 || rate.high != 0;  // a record of a test may have none
  require(!has_interval || (0 <= rate.low && rate.low <= rate.median),
          "throughput.low",
          fmt::format("0 to the median, {}", rate.median),
          rate.low);
  require(!has_interval || rate.high >= rate.median,
          "throughput.high",
          fmt::format("at least the median, {}", rate.median),
          rate.high);
  require(rate.samples >= 0, "throughput.samples", "at least 0", rate.samples);
  require(record.seconds >= 0, "seconds", "at least 0", record.seconds);
  require(record.repeat >= 0, "repeat", "at least 0", record.repeat);
  require(record.workload.batch >= 1, "workload.batch", "at least 1", record.workload.batch);
  require(record.limits.cpus >= 0, "limits.cpus", "at least 0 (no limit)", record.limits.cpus);
  require(record.started_at.empty() || is_time(record.started_at),
          "started_at",
          "a time such as 2026-11-17T10:00:00Z",
          record.started_at);
}

}  // namespace rightsize
