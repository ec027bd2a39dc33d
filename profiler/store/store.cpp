#include "profiler/store/store.h"

#include <array>
#include <istream>
#include <ostream>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "profiler/exact_json.h"
#include "profiler/measure/clock.h"
#include "profiler/store/database.h"
#include "profiler/store/migrations.h"
#include "profiler/store/packed_record.h"
#include "profiler/store/possible_record.h"
#include "profiler/store/same_record.h"

namespace rightsize {

struct Store::State {
  Database database;

  State(const std::string& path, const StoreOptions& options)
      : database(path, options.access == Access::write, options.busy_s) {
    if (options.access == Access::write) {
      prepare(options.busy_s);
    } else {
      check_readable(database);
    }
  }

  // Processes that make one new file at once hold what the other waits for, and SQLite lets both
  // wait in vain: give up early, let go, and try again.
  void prepare(double busy_s) const {
    constexpr double patience_s = 0.1;
    SteadyClock clock;
    const double end_s = clock.now_s() + busy_s;
    for (database.wait_at_most(patience_s);;) {
      try {
        static_cast<void>(is_ours(database));  // another program's file is not touched
        database.execute("PRAGMA journal_mode = WAL");
        database.execute("PRAGMA synchronous = FULL");
        migrate(database);
        database.wait_at_most(busy_s);
        return;
      } catch (const StoreBusy&) {
        if (clock.now_s() > end_s) {
          throw;
        }
        usleep(1000 * static_cast<useconds_t>(5 + getpid() % 20));  // not in step with the other
      }
    }
  }

  void insert(const Record& record) const {
    const auto packed = pack_record(boost::json::serialize(to_json(record)));
    Statement statement(
        database,
        "INSERT OR REPLACE INTO records (id, campaign, name, status, started_at, throughput, body, "
        "timeline, machine) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    statement.bind(1, record.id)
        .bind(2, record.campaign)
        .bind(3, record.name)
        .bind(4, std::string(to_string(record.status)))
        .bind(5, record.started_at)
        .bind(6, record.throughput.median)
        .bind(7, packed.body)
        .bind_bytes(8, packed.timeline)
        .bind(9, machine_key(record.machine));
    statement.step();
  }

  // The columns of a query that text_of() reads: an older file has no timelines apart. Asked anew
  // each time, and in one snapshot with the query: another process may migrate the file between
  // both.
  [[nodiscard]] std::string packed() const {
    return database.pragma("user_version") >= first_packed_version ? "body, timeline"
                                                                   : "body, NULL";
  }
  [[nodiscard]] static std::string text_of(const Statement& row, int column) {
    return unpack_record({row.text(column), row.bytes(column + 1)});
  }

  std::vector<Record> rows(Statement& statement) const {
    std::vector<Record> records;
    while (statement.step()) {
      const auto id = statement.text(0);
      try {
        records.push_back(record_in(text_of(statement, 1)));
      } catch (const std::exception& error) {
        throw StoreError(
            fmt::format("record {} in {} cannot be read: {}; export the others, or "
                        "update rightsize",
                        id,
                        database.path(),
                        error.what()));
      }
    }
    return records;
  }
};

Store::Store(const std::string& path, const StoreOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

void Store::append(const Record& record) {
  state_->insert(record);
}

std::vector<Record> Store::all() const {
  const Snapshot snapshot(state_->database);
  Statement statement(
      state_->database,
      fmt::format("SELECT id, {} FROM records ORDER BY sequence", state_->packed()));
  return state_->rows(statement);
}

std::vector<Record> Store::all_of(const std::string& id) const {
  const Snapshot snapshot(state_->database);
  Statement statement(
      state_->database,
      fmt::format("SELECT id, {} FROM records WHERE id = ? ORDER BY sequence", state_->packed()));
  statement.bind(1, id);
  return state_->rows(statement);
}

std::size_t Store::size() const {
  Statement statement(state_->database, "SELECT count(*) FROM records");
  statement.step();
  return static_cast<std::size_t>(statement.integer(0));
}

const std::string& Store::path() const {
  return state_->database.path();
}

void Store::export_jsonl(std::ostream& out) const {
  const Snapshot snapshot(state_->database);
  Statement rows(state_->database,
                 fmt::format("SELECT {} FROM records ORDER BY sequence", state_->packed()));
  while (rows.step()) {
    out << State::text_of(rows, 0) << '\n';  // as it was written, to the last digit
  }
  if (!out.flush()) {
    throw StoreError(
        fmt::format("cannot export {}: the output cannot be written; is the disk full?", path()));
  }
}

ImportSummary Store::merge(const std::vector<Record>& records) {
  ImportSummary summary;
  Transaction transaction(state_->database);
  for (const auto& record : records) {
    const auto machine = machine_key(record.machine);
    auto before = find(record.id, machine);
    if (before && machine_key(before->machine) != machine) {
      before.reset();
    }
    if (before && before->started_at > record.started_at) {  // RFC 3339 UTC sorts as text
      ++summary.outdated;
    } else if (before && is_same(*before, record)) {
      ++summary.unchanged;
    } else {
      ++(before ? summary.replaced : summary.added);
      state_->insert(record);
    }
  }
  transaction.commit();
  return summary;
}

std::vector<std::string> Store::problems() const {
  std::vector<std::string> found;
  Statement check(state_->database, "PRAGMA integrity_check");
  while (check.step()) {
    if (check.text(0) != "ok") {
      found.push_back("the database: " + check.text(0));
    }
  }
  const Snapshot snapshot(state_->database);
  Statement rows(state_->database,
                 fmt::format("SELECT id, campaign, name, status, {} FROM records ORDER BY sequence",
                             state_->packed()));
  while (rows.step()) {
    const auto id = rows.text(0);
    try {
      const auto record = record_in(State::text_of(rows, 4));
      if (record.id != id || record.campaign != rows.text(1) || record.name != rows.text(2) ||
          to_string(record.status) != rows.text(3)) {
        found.push_back(fmt::format("record {}: its columns say otherwise than its body", id));
      }
    } catch (const std::exception& error) {
      found.push_back(fmt::format("record {}: {}", id, error.what()));
    }
  }
  return found;
}

namespace {

// Of a last line that is no record and that no line feed ends. Where it is no whole JSON value
// either, who wrote it was interrupted.
std::string remark_on_last(const std::string& line, std::size_t before) {
  if (before == 0 || parse_exactly(line)) {
    return "";
  }
  return fmt::format(
      "; the file ends inside this line: without it (head -n -1) the {} before it can be read",
      before == 1 ? "record" : fmt::format("{} records", before));
}

}  // namespace

std::vector<Record> read_jsonl(std::istream& in, const std::string& source_name) {
  std::vector<Record> records;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    try {
      auto record = record_in(line);
      require_possible(record);
      records.push_back(std::move(record));
    } catch (const std::exception& error) {
      throw StoreError(fmt::format("{}:{}: {}{}",
                                   source_name,
                                   number,
                                   error.what(),
                                   in.eof() ? remark_on_last(line, records.size()) : ""));
    }
  }
  return records;
}

}  // namespace rightsize
