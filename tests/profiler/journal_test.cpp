#include "profiler/store/journal.h"

#include <fstream>

#include <doctest/doctest.h>

#include "profiler/store/store.h"
#include "support/fake_campaign.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::fake_options;
using test::fake_plan;

TEST_CASE("journal: a second attempt makes what the first had not, and both merge into the store") {
  const TemporaryFolder folder;
  {
    Journal first(folder / "1.0.jsonl");
    CHECK(run_campaign(fake_plan(4), first, fake_options(0, 1)).run == 4);
  }
  Journal second(folder / "1.1.jsonl");
  const auto rest = run_campaign(fake_plan(10), second, fake_options(0, 1));
  CHECK(rest.skipped == 4);
  CHECK(rest.run == 6);
  Store store(folder / "records.db");
  CHECK(store.merge(read_journals(folder.path())).added == 10);
  CHECK(store.merge(read_journals(folder.path())).unchanged == 10);
}

TEST_CASE("journal: a task thought dead that writes on doubles nothing") {
  const TemporaryFolder folder;
  Journal lost(folder / "1.0.jsonl");  // its node answers no more, but it runs
  Journal second(folder / "1.1.jsonl");
  CHECK(run_campaign(fake_plan(6), lost, fake_options(0, 1)).run == 6);
  CHECK(run_campaign(fake_plan(6), second, fake_options(0, 2)).run == 6);
  Store store(folder / "records.db");
  CHECK(store.merge(read_journals(folder.path())).added == 6);
  CHECK(store.size() == 6);
  CHECK(store.problems().empty());
}

TEST_CASE("journal: a line that a crash cut short is not read, and cut off at the next start") {
  const TemporaryFolder folder;
  const auto path = folder / "1.0.jsonl";
  {
    Journal journal(path);
    static_cast<void>(run_campaign(fake_plan(3), journal, fake_options(0, 1)));
  }
  std::ofstream(path, std::ios::app) << R"({"schema":"rightsize/reco)";
  CHECK(read_journals(folder.path()).size() == 3);
  {
    Journal journal(path);
    CHECK(run_campaign(fake_plan(5), journal, fake_options(0, 1)).run == 2);
  }
  CHECK(read_journals(folder.path()).size() == 5);
  std::ofstream(path, std::ios::app) << "nonsense\n";
  CHECK_THROWS_WITH_AS(static_cast<void>(read_journals(folder.path())),
                       doctest::Contains("1.0.jsonl:6: not a record"),
                       StoreError);
  CHECK(read_journals(folder / "none").empty());
}
