// Where a campaign puts its records and looks up what has been made: the store, or the journal of
// one shard (journal.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/record.h"

namespace rightsize {

class RecordLog {
 public:
  RecordLog() = default;
  RecordLog(const RecordLog&) = delete;
  RecordLog& operator=(const RecordLog&) = delete;
  virtual ~RecordLog() = default;

  // On the disk when it returns. Throws StoreError; nothing is half written then.
  virtual void append(const Record& record) = 0;
  // One of each machine (machine_key()) that made the run, the last appended last.
  [[nodiscard]] virtual std::vector<Record> all_of(const std::string& id) const = 0;

  // That of `machine`, or where it has made none the last appended of the others.
  [[nodiscard]] std::optional<Record> find(const std::string& id, const std::string& machine) const;
  [[nodiscard]] std::optional<Record> find(const std::string& id) const;  // the last appended

 protected:
  RecordLog(RecordLog&&) = default;
  RecordLog& operator=(RecordLog&&) = default;
};

}  // namespace rightsize
