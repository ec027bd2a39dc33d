// The store for who looks on while another process writes: how many runs there are, the last ones,
// and those that came since.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "profiler/record.h"

namespace rightsize {

class Database;

struct RecentRun {
  std::int64_t sequence = 0;  // rises with each append, also of a run that is made again
  Record record;              // without its timeline
  std::string
      document;  // as it was stored, with its timeline; empty where not asked for, or not readable
};

struct RunCount {
  std::string campaign;
  Status status = Status::failed;
  std::size_t runs = 0;
};

struct RunsWanted {
  std::string campaign;  // empty: all
  std::size_t most = 100;
  bool documents = false;
};

// Reads alone, and waits no longer than a glance (50 ms) for a process that would not let it: who
// asks may be a server's one thread. To be opened, asked and closed in one go: SQLite's connections
// survive no fork, and one that is opened anew sees a store that came, moved or was replaced.
// A record that cannot be read has failed for that reason: its id stands for its name.
class RecentRuns {
 public:
  // Of no file, or one that has no tables yet, there are no runs. Throws StoreError for a file of
  // another program or of a later rightsize; StoreBusy.
  explicit RecentRuns(const std::string& path);
  RecentRuns(const RecentRuns&) = delete;
  RecentRuns& operator=(const RecentRuns&) = delete;
  ~RecentRuns();

  [[nodiscard]] bool has_store() const { return database_ != nullptr; }
  [[nodiscard]] std::int64_t newest() const;  // its sequence; 0: there is none
  // By campaign, and there by status as the enum has them.
  [[nodiscard]] std::vector<RunCount> counts() const;

  // The newest first, of sequences below `sequence`; 0: of all.
  [[nodiscard]] std::vector<RecentRun> before(std::int64_t sequence,
                                              const RunsWanted& wanted) const;
  // The oldest first, of sequences above `sequence`.
  [[nodiscard]] std::vector<RecentRun> after(std::int64_t sequence, const RunsWanted& wanted) const;
  // What each machine that made the run `id` made of it, the newest first.
  [[nodiscard]] std::vector<RecentRun> of_run(const std::string& id, bool documents) const;

 private:
  [[nodiscard]] std::vector<RecentRun> beside(const char* side,
                                              const char* order,
                                              std::int64_t sequence,
                                              const RunsWanted& wanted) const;

  std::unique_ptr<Database> database_;
};

}  // namespace rightsize
