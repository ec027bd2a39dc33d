#include "profiler/store/migrations.h"

#include <array>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "profiler/exact_json.h"
#include "profiler/store/packed_record.h"

namespace rightsize {
namespace {

constexpr std::int64_t application_id = 0x52535A31;  // "RSZ1"

// migrations[v] leads from user_version v to v + 1; published ones are never edited.
constexpr std::array<const char*, 5> migrations = {
    R"(CREATE TABLE records (
         sequence INTEGER PRIMARY KEY AUTOINCREMENT,
         id TEXT NOT NULL UNIQUE,
         campaign TEXT NOT NULL,
         name TEXT NOT NULL,
         status TEXT NOT NULL,
         started_at TEXT NOT NULL,
         body TEXT NOT NULL);)",
    R"(ALTER TABLE records ADD COLUMN throughput REAL NOT NULL DEFAULT 0;
       CREATE INDEX records_by_campaign ON records (campaign);)",
    "ALTER TABLE records ADD COLUMN timeline BLOB;",                     // and pack_all()
    "ALTER TABLE records ADD COLUMN machine TEXT NOT NULL DEFAULT '';",  // and name_machines()
    // What two machines made of one run are two records. SQLite cannot widen a key in place.
    R"(CREATE TABLE records_of_machines (
         sequence INTEGER PRIMARY KEY AUTOINCREMENT,
         id TEXT NOT NULL,
         campaign TEXT NOT NULL,
         name TEXT NOT NULL,
         status TEXT NOT NULL,
         started_at TEXT NOT NULL,
         body TEXT NOT NULL,
         throughput REAL NOT NULL DEFAULT 0,
         timeline BLOB,
         machine TEXT NOT NULL DEFAULT '',
         UNIQUE (id, machine));
       INSERT INTO records_of_machines
         SELECT sequence, id, campaign, name, status, started_at, body, throughput, timeline, machine
         FROM records ORDER BY sequence;
       DROP TABLE records;
       ALTER TABLE records_of_machines RENAME TO records;
       CREATE INDEX records_by_campaign ON records (campaign);)"};
constexpr std::int64_t first_version_with_machines = 4;

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

// First: a table is not changed while it is read.
std::vector<std::int64_t> sequences_in(const Database& database) {
  std::vector<std::int64_t> sequences;
  Statement all(database, "SELECT sequence FROM records");
  while (all.step()) {
    sequences.push_back(all.integer(0));
  }
  return sequences;
}

// What older versions stored whole.
void pack_all(const Database& database) {
  for (const auto sequence : sequences_in(database)) {
    Statement row(database, "SELECT body FROM records WHERE sequence = ?");
    row.bind(1, sequence).step();
    const auto packed = pack_record(row.text(0));
    Statement change(database, "UPDATE records SET body = ?, timeline = ? WHERE sequence = ?");
    change.bind(1, packed.body).bind_bytes(2, packed.timeline).bind(3, sequence).step();
  }
}

// Empty where the record cannot be read: its id is its own so far.
std::string machine_in(const std::string& body) {
  const auto record = parse_exactly(body);
  const auto* machine =
      record && record->is_object() ? record->get_object().if_contains("machine") : nullptr;
  try {
    return machine && machine->is_object() ? machine_key(machine_from_json(machine->get_object()))
                                           : "";
  } catch (const RecordError&) {
    return "";
  }
}

void name_machines(const Database& database) {
  for (const auto sequence : sequences_in(database)) {
    Statement row(database, "SELECT body FROM records WHERE sequence = ?");
    row.bind(1, sequence).step();
    Statement change(database, "UPDATE records SET machine = ? WHERE sequence = ?");
    change.bind(1, machine_in(row.text(0))).bind(2, sequence).step();
  }
}

}  // namespace

// Tables are looked for first: another process may be making them, and its mark comes with them.
bool is_ours(const Database& database) {
  const bool has_tables = database.pragma("schema_version") != 0;
  const auto owner = database.pragma("application_id");
  if (owner != application_id && (owner != 0 || has_tables)) {
    throw StoreError(
        fmt::format("{} is a database of another program; name another file", database.path()));
  }
  return owner == application_id;
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
    if (version + 1 == first_packed_version) {
      pack_all(database);
    }
    if (version + 1 == first_version_with_machines) {
      name_machines(database);
    }
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

}  // namespace rightsize
