// One run that several machines have made, in one store.
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <sqlite3.h>

#include "made_record.h"
#include "profiler/store/store.h"
#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("store: what two machines made of one run are two records, and merging loses none") {
  const TemporaryFolder folder;
  Store store(folder / "records.db");
  auto here = test::make_record("a");
  here.machine.cpu_model = "this CPU";
  auto there = here;
  there.machine.cpu_model = "another CPU";
  there.throughput.median = 7;
  const auto here_key = machine_key(here.machine);
  const auto there_key = machine_key(there.machine);
  CHECK(store.merge({here}).added == 1);
  const auto summary = store.merge({there});
  CHECK(summary.added == 1);
  CHECK(summary.replaced == 0);
  CHECK(store.merge({here, there}).unchanged == 2);
  CHECK(store.size() == 2);
  CHECK(store.find("a", here_key)->throughput.median == 400);
  CHECK(store.find("a", there_key)->throughput.median == 7);
  CHECK(store.find("a", "a third")->throughput.median == 7);  // the last that came
  here.throughput.median = 405;
  store.append(here);
  CHECK(store.size() == 2);
  CHECK(store.find("a", here_key)->throughput.median == 405);
  CHECK(store.problems().empty());
}

TEST_CASE("store: a file of the third version is migrated: its records keep their machines") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  auto here = test::make_record("a");
  here.machine.cpu_model = "this CPU";
  const auto body = boost::json::serialize(to_json(here));
  sqlite3* old = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &old) == SQLITE_OK);
  const auto sql =
      "CREATE TABLE records (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id "
      "TEXT NOT NULL UNIQUE, campaign TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL, "
      "started_at TEXT NOT NULL, body TEXT NOT NULL, throughput REAL NOT NULL DEFAULT 0, timeline "
      "BLOB); INSERT INTO records (sequence, id, campaign, name, status, started_at, body) VALUES "
      "(7, 'a', 'demo', 'cell a', 'measured', '', '" +
      body +
      "'), (9, 'odd', 'demo', 'odd', 'measured', '', 'no record'); PRAGMA application_id = "
      "1381194289; PRAGMA user_version = 3;";
  REQUIRE(sqlite3_exec(old, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(old);
  CHECK(Store(path, {Access::read}).all_of("a").size() == 1);
  Store store(path);
  CHECK(store.size() == 2);  // what cannot be read is not thrown away
  CHECK(store.problems().size() == 1);
  CHECK(store.merge({here}).unchanged == 1);
  here.machine.cpu_model = "another CPU";
  CHECK(store.merge({here}).added == 1);
  CHECK(store.all_of("a").size() == 2);
}
