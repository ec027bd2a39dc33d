// Where a campaign puts its records and looks up what has been made: the store, or the journal of
// one shard (journal.h).
#pragma once

#include <optional>
#include <string>

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
  [[nodiscard]] virtual std::optional<Record> find(const std::string& id) const = 0;

 protected:
  RecordLog(RecordLog&&) = default;
  RecordLog& operator=(RecordLog&&) = default;
};

}  // namespace rightsize
