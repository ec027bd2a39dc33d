#include "profiler/store/recent_runs.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "profiler/store/database.h"
#include "profiler/store/migrations.h"
#include "profiler/store/packed_record.h"

namespace rightsize {
namespace {

constexpr double glance_s = 0.05;

// The columns that a row is read by. Files before the first packed version have their timelines in
// the body.
std::string columns(const Database& database) {
  const bool packed = database.pragma("user_version") >= first_packed_version;
  return packed ? "sequence, id, body, timeline" : "sequence, id, body, NULL";
}

// What cannot be read has at least its id.
RecentRun run_in(const Statement& row, bool document) {
  RecentRun run;
  run.sequence = row.integer(0);
  const auto body = row.text(2);
  try {
    run.record = record_in(body);
    run.document = document ? unpack_record({body, row.bytes(3)}) : "";
    run.record.timeline.clear();
  } catch (const std::exception& error) {
    run.record = {};
    run.record.id = run.record.name = row.text(1);
    run.record.reason = fmt::format("the record cannot be read: {}", error.what());
  }
  return run;
}

std::vector<RecentRun> rows(Statement& statement, bool documents) {
  std::vector<RecentRun> runs;
  while (statement.step()) {
    runs.push_back(run_in(statement, documents));
  }
  return runs;
}

}  // namespace

RecentRuns::RecentRuns(const std::string& path) {
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable)) {
    return;
  }
  auto database = std::make_unique<Database>(path, false, glance_s);
  const bool begun = database->pragma("schema_version") != 0;
  if (begun) {
    check_readable(*database);
    database_ = std::move(database);
  }
}

RecentRuns::~RecentRuns() = default;

std::int64_t RecentRuns::newest() const {
  if (!has_store()) {
    return 0;
  }
  Statement last(*database_, "SELECT coalesce(max(sequence), 0) FROM records");
  return last.step() ? last.integer(0) : 0;
}

std::vector<RunCount> RecentRuns::counts() const {
  std::vector<RunCount> counts;
  if (!has_store()) {
    return counts;
  }
  Statement groups(*database_,
                   "SELECT campaign, status, count(*) FROM records GROUP BY campaign, status");
  while (groups.step()) {
    const auto status = parse_status(groups.text(1));
    counts.push_back({groups.text(0),
                      status.value_or(Status::failed),
                      static_cast<std::size_t>(groups.integer(2))});
  }
  std::stable_sort(counts.begin(), counts.end(), [](const RunCount& a, const RunCount& b) {
    return a.campaign != b.campaign ? a.campaign < b.campaign : a.status < b.status;
  });
  return counts;
}

std::vector<RecentRun> RecentRuns::before(std::int64_t sequence, const RunsWanted& wanted) const {
  constexpr auto all = std::numeric_limits<std::int64_t>::max();
  return beside("sequence < ?", "DESC", sequence > 0 ? sequence : all, wanted);
}

std::vector<RecentRun> RecentRuns::after(std::int64_t sequence, const RunsWanted& wanted) const {
  return beside("sequence > ?", "ASC", sequence, wanted);
}

std::vector<RecentRun> RecentRuns::beside(const char* side,
                                          const char* order,
                                          std::int64_t sequence,
                                          const RunsWanted& wanted) const {
  if (!has_store()) {
    return {};
  }
  const Snapshot snapshot(*database_);
  const bool one = !wanted.campaign.empty();  // by its index, which has the sequences in order
  Statement statement(*database_,
                      fmt::format("SELECT {} FROM records WHERE {}{} ORDER BY sequence {} LIMIT ?",
                                  columns(*database_),
                                  side,
                                  one ? " AND campaign = ?" : "",
                                  order));
  statement.bind(1, sequence);
  if (one) {
    statement.bind(2, wanted.campaign);
  }
  statement.bind(one ? 3 : 2, static_cast<std::int64_t>(wanted.most));
  return rows(statement, wanted.documents);
}

std::vector<RecentRun> RecentRuns::of_run(const std::string& id, bool documents) const {
  if (!has_store()) {
    return {};
  }
  const Snapshot snapshot(*database_);
  Statement statement(*database_,
                      fmt::format("SELECT {} FROM records WHERE id = ? ORDER BY sequence DESC",
                                  columns(*database_)));
  statement.bind(1, id);
  return rows(statement, documents);
}

}  // namespace rightsize
