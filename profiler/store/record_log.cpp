#include "profiler/store/record_log.h"

#include <algorithm>
#include <utility>

namespace rightsize {

std::optional<Record> RecordLog::find(const std::string& id, const std::string& machine) const {
  auto records = all_of(id);
  const auto own = std::find_if(records.begin(), records.end(), [&](const Record& record) {
    return machine_key(record.machine) == machine;
  });
  if (own != records.end()) {
    return std::move(*own);
  }
  return records.empty() ? std::nullopt : std::optional(std::move(records.back()));
}

std::optional<Record> RecordLog::find(const std::string& id) const {
  auto records = all_of(id);
  return records.empty() ? std::nullopt : std::optional(std::move(records.back()));
}

}  // namespace rightsize
