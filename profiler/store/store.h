// Records on disk: one SQLite file, and JSON lines in and out.
//
// Nothing that was measured is lost: each append is a transaction of its own that is on the disk
// (synchronous = FULL, write-ahead log) before append() returns.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "profiler/store/record_log.h"

namespace rightsize {

// Cannot be opened, read or written: message = what, the file, what to try.
class StoreError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ImportSummary {
  std::size_t added = 0;
  std::size_t replaced = 0;   // same id and machine, and no older than what was there
  std::size_t unchanged = 0;  // the very same record was there
  std::size_t outdated = 0;   // the same run was made there later: that one was kept
};

// read: nothing is created or migrated; write methods throw.
enum class Access { write, read };

struct StoreOptions {
  Access access = Access::write;
  double busy_s = 30;  // how long to wait for another process that writes
};

class Store : public RecordLog {
 public:
  // Opens or creates. Older files are migrated, files of another program or of a later rightsize
  // refused. Throws StoreError.
  explicit Store(const std::string& path, const StoreOptions& options = {});
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store() override;

  // A record with an id that this machine (machine_key()) has already replaces the old one: the
  // last run counts. Those of other machines stay: another machine has another answer.
  void append(const Record& record) override;

  [[nodiscard]] std::vector<Record> all() const;  // in the order of their appending
  [[nodiscard]] std::vector<Record> all_of(const std::string& id) const override;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const std::string& path() const;

  // One record per line.
  void export_jsonl(std::ostream& out) const;
  // All or none. Doing it twice changes nothing: of two records with one id of one machine the run
  // that started last counts.
  ImportSummary merge(const std::vector<Record>& records);

  // What is wrong with the file, in sentences; empty: nothing. The database's own check, and every
  // record: readable, and as its columns say.
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Reads JSON lines without a store. Throws StoreError naming source and line.
[[nodiscard]] std::vector<Record> read_jsonl(std::istream& in, const std::string& source_name);

}  // namespace rightsize
