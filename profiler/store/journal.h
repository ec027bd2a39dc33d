// The records of one shard as JSON lines: what a machine that shares a campaign writes where it
// must not touch the store (SQLite and network file systems do not agree). Merged into the store
// later: Store::merge(read_journals(folder)).
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "profiler/store/record_log.h"

namespace rightsize {

class Journal : public RecordLog {
 public:
  // Opens or creates `path`, in a folder that exists. What a crash left of a last line is cut off.
  // Throws StoreError.
  explicit Journal(const std::string& path);
  ~Journal() override;

  void append(const Record& record) override;
  // Also what the other journals of the folder had when this one was opened: an earlier attempt at
  // the same shard.
  [[nodiscard]] std::vector<Record> all_of(const std::string& id) const override;

 private:
  void remember(Record record);

  std::string path_;
  int file_ = -1;
  std::map<std::string, std::vector<Record>> records_;  // by id
};

// The records of all journals (*.jsonl) of a folder, in the order of their names; none when there
// is no such folder. A last line that is not complete is being written: it is left out. Throws
// StoreError naming file and line.
[[nodiscard]] std::vector<Record> read_journals(const std::string& folder);

}  // namespace rightsize
