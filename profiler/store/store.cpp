#include "profiler/store/store.h"

#include <array>
#include <istream>
#include <ostream>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/store/database.h"

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

void claim(const Database& database) {
  const auto owner = database.pragma("application_id");
  const auto tables = database.pragma("schema_version");
  if (owner == application_id) {
    return;
  }
  if (owner != 0 || tables != 0) {
    throw StoreError(
        fmt::format("{} is a database of another program; name another file", database.path()));
  }
  database.execute(fmt::format("PRAGMA application_id = {}", application_id));
}

void migrate(const Database& database) {
  Transaction transaction(database);  // two programs may open a new file at once
  auto version = database.pragma("user_version");
  constexpr auto current = static_cast<std::int64_t>(migrations.size());
  if (version > current) {
    throw StoreError(
        fmt::format("{} was written by a later rightsize (store version {}, this one "
                    "knows {}); update rightsize",
                    database.path(),
                    version,
                    current));
  }
  for (; version < current; ++version) {
    database.execute(migrations[static_cast<std::size_t>(version)]);
  }
  database.execute(fmt::format("PRAGMA user_version = {}", current));
  transaction.commit();
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

  explicit State(const std::string& path) : database(path) {
    database.execute("PRAGMA journal_mode = WAL");
    database.execute("PRAGMA synchronous = FULL");
    claim(database);
    migrate(database);
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

Store::Store(const std::string& path) : state_(std::make_unique<State>(path)) {}
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
  for (const auto& record : all()) {
    out << boost::json::serialize(to_json(record)) << '\n';
  }
  if (!out.flush()) {
    throw StoreError(
        fmt::format("cannot export {}: the output cannot be written; is the disk full?", path()));
  }
}

ImportSummary Store::import_jsonl(std::istream& in, const std::string& source_name) {
  const auto records = read_jsonl(in, source_name);
  ImportSummary summary;
  Transaction transaction(state_->database);
  for (const auto& record : records) {
    ++(has(record.id) ? summary.replaced : summary.added);
    state_->insert(record);
  }
  transaction.commit();
  return summary;
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
