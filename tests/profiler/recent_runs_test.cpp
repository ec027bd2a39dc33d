#include "profiler/store/recent_runs.h"

#include <filesystem>

#include <doctest/doctest.h>

#include "made_record.h"
#include "profiler/store/database.h"
#include "profiler/store/store.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using rightsize::test::make_record;

namespace {

std::vector<std::string> ids(const std::vector<RecentRun>& runs) {
  std::vector<std::string> all;
  for (const auto& run : runs) {
    all.push_back(run.record.id);
  }
  return all;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("recent runs: the last, and those that came since, also of one campaign") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  Store store(path);
  store.append(make_record("a", "one"));
  store.append(make_record("b", "two"));
  store.append(make_record("c", "one"));
  const RecentRuns recent(path);
  CHECK(recent.newest() == 3);
  CHECK(ids(recent.before(0, {})) == Ids{"c", "b", "a"});
  CHECK(ids(recent.before(3, {"", 1, false})) == Ids{"b"});
  CHECK(ids(recent.before(0, {"one"})) == Ids{"c", "a"});
  CHECK(ids(recent.after(1, {})) == Ids{"b", "c"});
  CHECK(ids(recent.after(0, {"", 2, false})) == Ids{"a", "b"});
  CHECK(ids(recent.of_run("b", false)) == Ids{"b"});
  const auto counts = recent.counts();
  REQUIRE(counts.size() == 2);
  CHECK(counts[0].campaign == "one");
  CHECK(counts[0].runs == 2);
  store.append(make_record("a", "one"));  // made again: it is the newest
  CHECK(ids(recent.after(3, {})) == Ids{"a"});
  CHECK(recent.newest() == 4);
}

TEST_CASE("recent runs: documents have their timelines, a damaged record its id and a reason") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  auto record = make_record("a");
  record.timeline.resize(3);
  Store(path).append(record);
  Store(path).append(make_record("b"));
  {
    const Database database(path, true, 1);
    database.execute("UPDATE records SET body = '{' WHERE id = 'b'");
  }
  const auto runs = RecentRuns(path).before(0, {"", 10, true});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].record.name == "b");
  CHECK(runs[0].record.status == Status::failed);
  CHECK(runs[0].record.reason.find("cannot be read") != std::string::npos);
  CHECK(runs[0].document.empty());
  CHECK(runs[1].record.timeline.empty());
  CHECK(runs[1].document.find("\"timeline\":[{") != std::string::npos);
}

TEST_CASE("recent runs: of no file and of one without tables there are none, and none is made") {
  const TemporaryFolder folder;
  const RecentRuns none(folder / "none.db");
  CHECK_FALSE(none.has_store());
  CHECK(none.newest() == 0);
  CHECK(none.before(0, {}).empty());
  CHECK(none.counts().empty());
  CHECK_FALSE(std::filesystem::exists(folder / "none.db"));
  folder.write("empty.db", "");
  CHECK_FALSE(RecentRuns(folder / "empty.db").has_store());
  folder.write("text.db", std::string(2000, 'x'));
  CHECK_THROWS_AS(RecentRuns(folder / "text.db"), StoreError);
}

TEST_CASE("recent runs: who writes is not waited for") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  Store(path).append(make_record("a"));
  const Database writer(path, true, 1);
  const Transaction writing(writer);
  writer.execute("DELETE FROM records");
  CHECK(RecentRuns(path).newest() == 1);
}
