#include "profiler/store/store.h"

#include <array>
#include <istream>
#include <ostream>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "profiler/measure/clock.h"
#include "profiler/store/database.h"
#include "profiler/store/same_record.h"

namespace rightsize {
namespace {

constexpr std::int64_t application_id = 0x52535A31;  // "RSZ1"

// migrations[v] leads from user_version v to v + 1; published ones are never edited.
constexpr std::array<const char*, 2> migrations = {
    R"(CREATE TABLE records (
         sequence INTEGER PRIMARY KEY AUTOINCREMENT,
         id TEXT NOT NULL UNIQUE,
         campaign TEXT NOT NULL,
         name TEXT NOT NULL,
         status TEXT NOT NULL,
         started_at TEXT NOT NULL,
         body TEXT NOT NULL);)",
    R"(ALTER TABLE records ADD COLUMN throughput REAL NOT NULL DEFAULT 0;
       CREATE INDEX records_by_campaign ON records (campaign);)"};

// False for a file without an owner, as a new one is. Tables are looked for first: another process
// may be making them, and its mark comes with them.
bool is_ours(const Database& database) {
  const bool has_tables = database.pragma("schema_version") != 0;
  const auto owner = database.pragma("application_id");
  if (owner != application_id && (owner != 0 || has_tables)) {
    throw StoreError(
        fmt::format("{} is a database of another program; name another file", database.path()));
  }
  return owner == application_id;
}

std::int64_t known_version(const Database& database) {
  const auto version = database.pragma("user_version");
  constexpr auto current = static_cast<std::int64_t>(migrations.size());
  if (version > current) {
    throw StoreError(
        fmt::format("{} was written by a later rightsize (store version {}, this one "
                    "knows {}); update rightsize",
                    database.path(),
                    version,
                    current));
  }
  return version;
}

void migrate(const Database& database) {
  constexpr auto current = static_cast<std::int64_t>(migrations.size());
  if (is_ours(database) && known_version(database) == current) {
    return;  // opening must not wait for who writes
  }
  // Two programs may open a new file at once: whoever comes second finds it done.
  Transaction transaction(database);
  if (!is_ours(database)) {
    database.execute(fmt::format("PRAGMA application_id = {}", application_id));
  }
  for (auto version = known_version(database); version < current; ++version) {
    database.execute(migrations[static_cast<std::size_t>(version)]);
  }
  database.execute(fmt::format("PRAGMA user_version = {}", current));
  transaction.commit();
}

// The first version is enough to read from; a file without any table has no records to show.
void check_readable(const Database& database) {
  if (!is_ours(database) || known_version(database) < 1) {
    throw StoreError(
        fmt::format("{} has no records: a campaign was stopped before its first one; run it again",
                    database.path()));
  }
}

Record parse_record(const std::string& text) {
  boost::system::error_code error;
  const auto value = boost::json::parse(text, error);
  if (error || !value.is_object()) {
    throw RecordError("not a record: expected a JSON object, one per line");
  }
  return record_from_json(value.as_object());
}

}  // namespace

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
    Statement statement(
        database,
        "INSERT OR REPLACE INTO records (id, campaign, name, status, started_at, throughput, body) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)");
    statement.bind(1, record.id)
        .bind(2, record.campaign)
        .bind(3, record.name)
        .bind(4, std::string(to_string(record.status)))
        .bind(5, record.started_at)
        .bind(6, record.throughput.median)
        .bind(7, boost::json::serialize(to_json(record)));
    statement.step();
  }

  std::vector<Record> rows(Statement& statement) const {
    std::vector<Record> records;
    while (statement.step()) {
      const auto id = statement.text(0);
      try {
        records.push_back(parse_record(statement.text(1)));
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
  Statement statement(state_->database, "SELECT id, body FROM records ORDER BY sequence");
  return state_->rows(statement);
}

std::vector<Record> Store::of_campaign(const std::string& campaign) const {
  Statement statement(state_->database,
                      "SELECT id, body FROM records WHERE campaign = ? ORDER BY sequence");
  statement.bind(1, campaign);
  return state_->rows(statement);
}

std::optional<Record> Store::find(const std::string& id) const {
  Statement statement(state_->database, "SELECT id, body FROM records WHERE id = ?");
  statement.bind(1, id);
  auto records = state_->rows(statement);
  return records.empty() ? std::nullopt : std::optional(std::move(records.front()));
}

bool Store::has(const std::string& id) const {
  return status_of(id).has_value();
}

std::optional<Status> Store::status_of(const std::string& id) const {
  Statement statement(state_->database, "SELECT status FROM records WHERE id = ?");
  statement.bind(1, id);
  return statement.step() ? parse_status(statement.text(0)) : std::nullopt;
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
  Statement rows(state_->database, "SELECT body FROM records ORDER BY sequence");
  while (rows.step()) {
    out << rows.text(0) << '\n';  // as it was written, to the last digit
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
    const auto before = find(record.id);
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

ImportSummary Store::import_jsonl(std::istream& in, const std::string& source_name) {
  return merge(read_jsonl(in, source_name));
}

std::vector<std::string> Store::problems() const {
  std::vector<std::string> found;
  Statement check(state_->database, "PRAGMA integrity_check");
  while (check.step()) {
    if (check.text(0) != "ok") {
      found.push_back("the database: " + check.text(0));
    }
  }
  Statement rows(state_->database,
                 "SELECT id, campaign, name, status, body FROM records ORDER BY sequence");
  while (rows.step()) {
    const auto id = rows.text(0);
    try {
      const auto record = parse_record(rows.text(4));
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

std::vector<Record> read_jsonl(std::istream& in, const std::string& source_name) {
  std::vector<Record> records;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) {
      continue;
    }
    try {
      records.push_back(parse_record(line));
    } catch (const std::exception& error) {
      throw StoreError(fmt::format("{}:{}: {}", source_name, number, error.what()));
    }
  }
  return records;
}

}  // namespace rightsize
