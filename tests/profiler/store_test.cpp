#include "profiler/store/store.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <sqlite3.h>

#include "made_record.h"
#include "profiler/store/packed_record.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::make_record;

namespace {

void overwrite(const std::string& path, std::streamoff at, const std::string& bytes) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(at);
  file << bytes;
}

const std::vector<TimelinePoint> old_timeline(200, {0.5, 1.5, 1ULL << 20, 2ULL << 20, 3e6, 4e6});

// A store as the first version wrote it, with the record "a".
std::string make_first_version(const TemporaryFolder& folder) {
  const auto path = folder.path() + "/old.db";
  sqlite3* old = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &old) == SQLITE_OK);
  auto record = make_record("a");
  record.timeline = old_timeline;
  const auto body = boost::json::serialize(to_json(record));
  const auto sql =
      "CREATE TABLE records (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
      "campaign TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL, started_at TEXT NOT NULL, "
      "body TEXT NOT NULL); INSERT INTO records (id, campaign, name, status, started_at, body) "
      "VALUES ('a', 'demo', 'cell a', 'measured', '', '" +
      body + "'); PRAGMA application_id = 1381194289; PRAGMA user_version = 1;";
  REQUIRE(sqlite3_exec(old, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(old);
  return path;
}

}  // namespace

TEST_CASE("store: what was appended is there after reopening, in order") {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/records.db";
  {
    Store store(path);
    store.append(make_record("a"));
    store.append(make_record("b", "other"));
    store.append(make_record("c"));
  }
  const Store store(path);
  REQUIRE(store.size() == 3);
  CHECK(store.all()[1].id == "b");
  CHECK(store.all_of("c").size() == 1);
  CHECK(store.all_of("d").empty());
  CHECK(store.find("a")->throughput.median == 400);
  CHECK(store.all_of("a").back().status == Status::measured);
}

TEST_CASE("store: a run made again replaces the old record") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  auto record = make_record("a");
  record.status = Status::failed;
  store.append(record);
  store.append(make_record("a"));
  CHECK(store.size() == 1);
  CHECK(store.all_of("a").back().status == Status::measured);
}

TEST_CASE("store: a file of the first version is migrated and keeps its records") {
  const TemporaryFolder folder;
  Store store(make_first_version(folder));
  store.append(make_record("b"));
  CHECK(store.all().size() == 2);
  CHECK(store.find("a")->name == "cell a");
  CHECK(store.find("a")->timeline.size() == old_timeline.size());
}

TEST_CASE("store: timelines are kept compressed, and come out to the last digit") {
  const TemporaryFolder folder;
  auto record = make_record("a");
  record.reason = "it said ,\"timeline\":[ and more";  // must not be taken for the field
  for (int i = 0; i < 400; ++i) {
    record.timeline.push_back({0.1 * i, 1.0 / (i + 1), 100ULL << 20, i * 4096ULL, 1e6 / 3, 0});
  }
  const auto text = boost::json::serialize(to_json(record));
  const auto packed = pack_record(text);
  CHECK(packed.body.size() + packed.timeline.size() < text.size() / 3);
  CHECK(unpack_record(packed) == text);
  const auto path = folder / "records.db";
  {
    Store store(path);
    store.append(record);
    CHECK(store.find("a")->timeline.size() == 400);
    CHECK(store.problems().empty());
    std::ostringstream out;
    store.export_jsonl(out);
    CHECK(out.str() == text + "\n");
  }
  sqlite3* damaged = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &damaged) == SQLITE_OK);
  REQUIRE(sqlite3_exec(damaged,
                       "UPDATE records SET timeline = substr(timeline, 1, 100)",
                       nullptr,
                       nullptr,
                       nullptr) == SQLITE_OK);
  sqlite3_close(damaged);
  const Store store(path);
  REQUIRE(store.problems().size() == 1);
  CHECK(store.problems()[0].find("record.timeline: damaged") != std::string::npos);
}

TEST_CASE("store: records without a timeline, and text that is none, stay as they are") {
  for (const std::string text : {"{\"id\":\"a\",\"timeline\":[]}", "{}", "", "no JSON"}) {
    CAPTURE(text);
    CHECK(pack_record(text).timeline.empty());
    CHECK(unpack_record(pack_record(text)) == text);
  }
}

TEST_CASE("store: reading an older file leaves its version alone, and writes nothing") {
  const TemporaryFolder folder;
  const auto path = make_first_version(folder);
  const auto before = folder.read("old.db");
  {
    const Store reader(path, {Access::read});
    CHECK(reader.all().size() == 1);
    CHECK(reader.problems().empty());
  }
  CHECK(folder.read("old.db") == before);
  CHECK(Store(path).size() == 1);
  CHECK(folder.read("old.db") != before);
}

TEST_CASE("store: the check finds records that cannot be read or were tampered with") {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/records.db";
  Store store(path);
  for (const auto* id : {"a", "b", "c"}) {
    store.append(make_record(id));
  }
  CHECK(store.problems().empty());
  sqlite3* other = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &other) == SQLITE_OK);
  REQUIRE(sqlite3_exec(other,
                       "UPDATE records SET status = 'failed' WHERE id = 'a';"
                       "UPDATE records SET body = '{}' WHERE id = 'b'",
                       nullptr,
                       nullptr,
                       nullptr) == SQLITE_OK);
  sqlite3_close(other);
  const auto problems = store.problems();
  REQUIRE(problems.size() == 2);
  CHECK(problems[0] == "record a: its columns say otherwise than its body");
  CHECK(problems[1] == "record b: record.schema: the field is missing");
}

TEST_CASE("store: a file another program holds is reported as busy, and nothing is lost") {
  const TemporaryFolder folder;
  const auto path = folder.path() + "/records.db";
  Store store(path, {Access::write, 0.2});
  store.append(make_record("a"));
  sqlite3* holder = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &holder) == SQLITE_OK);
  REQUIRE(sqlite3_exec(holder, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
  CHECK_THROWS_WITH_AS(
      store.append(make_record("b")), doctest::Contains("another process is writing"), StoreError);
  sqlite3_close(holder);
  store.append(make_record("b"));
  CHECK(store.size() == 2);
}

TEST_CASE("store: two programs may append to one file") {
  const TemporaryFolder folder;
  Store first(folder.path() + "/records.db");
  Store second(folder.path() + "/records.db");
  first.append(make_record("a"));
  second.append(make_record("b"));
  CHECK(first.size() == 2);
  CHECK(second.size() == 2);
}

TEST_CASE("store: a file that is no database, or damaged, or of a later version is refused") {
  const TemporaryFolder folder;
  const auto text = folder.write("notes.txt", std::string(5000, 'x'));
  CHECK_THROWS_WITH_AS(Store{text}, doctest::Contains("it is not a rightsize store"), StoreError);
  const auto path = folder.path() + "/records.db";
  { Store(path).append(make_record("a")); }
  overwrite(path, 60, std::string("\0\0\0\x63", 4));  // user_version, in SQLite's file header
  CHECK_THROWS_WITH_AS(Store{path}, doctest::Contains("update rightsize"), StoreError);
  overwrite(path, 60, std::string("\0\0\0\x05", 4));  // as it was
  CHECK(Store(path).size() == 1);
  overwrite(path, 68, std::string("\0\0\0\x07", 4));  // application_id
  CHECK_THROWS_WITH_AS(Store{path}, doctest::Contains("another program"), StoreError);
  overwrite(path, 68, "RSZ1");
  overwrite(
      path, 4096, std::string(std::filesystem::file_size(path) - 4096, '\xff'));  // the tables
  CHECK_THROWS_WITH_AS(
      static_cast<void>(Store(path).all()), doctest::Contains("damaged"), StoreError);
}

TEST_CASE("store: a folder that does not exist is named with a remedy") {
  CHECK_THROWS_WITH_AS(
      Store{"/no/such/folder/records.db"}, doctest::Contains("does the folder exist"), StoreError);
}
