// hold_out set, moved or taken back after measuring.
#include <fstream>

#include <doctest/doctest.h>

#include "profiler/campaign/campaign.h"
#include "profiler/campaign/slurm.h"
#include "profiler/store/journal.h"
#include "profiler/store/store.h"
#include "support/fake_campaign.h"
#include "support/said_by.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::fake_options;

namespace {

std::string file_with(const std::string& hold_out) {
  return R"(
name = "fake"
[defaults]
engine = "replay"
replay_items_per_s = 1
[[run]]
name = "r"
axes = {seed = "1:4:+1"}
)" + hold_out +
         R"(
[[run]]
name = "s"
seed = 5
)";
}

Plan plan_with(const std::string& hold_out) {
  return parse_plan(file_with(hold_out), "fake.toml");
}

template <typename Records>
std::string held_out(const Records& records) {
  std::string names;
  for (const auto& record : records) {
    names += record.hold_out ? record.name + ";" : "";
  }
  return names;
}

// A campaign file and its store, and a journal of a cluster beside it.
struct Ground {
  TemporaryFolder folder;
  std::string db = folder / "records.db";

  void write_journal(const Plan& plan) const {
    const auto path = journal_path(db + ".slurm/fake.1", 1, 0);
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    Journal journal(path);
    static_cast<void>(run_campaign(plan, journal, fake_options(0, 1)));
  }
  [[nodiscard]] std::string collect(const std::string& hold_out,
                                    const std::string& more = "") const {
    return test::said_by(fmt::format("{} campaign {} --db {} --collect {}",
                                     RIGHTSIZE_BINARY,
                                     folder.write("fake.toml", file_with(hold_out)),
                                     db,
                                     more))
        .out;
  }
  [[nodiscard]] std::string held_out_now() const {
    return held_out(Store(db, {Access::read}).all());
  }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("hold out: said after measuring it marks what the store has, and measures nothing") {
  const TemporaryFolder folder;
  Store store(folder / "records.db");
  const auto options = fake_options(0, 1);
  CHECK(run_campaign(plan_with(""), store, options).marked == 0);
  REQUIRE(store.size() == 5);
  CHECK(held_out(store.all()).empty());

  const auto set = run_campaign(plan_with("hold_out = [{seed = 2}]"), store, options);
  CHECK(set.marked == 1);
  CHECK(set.run == 0);
  CHECK(set.skipped == 5);
  CHECK(held_out(store.all()) == "r seed=2;");
  CHECK(run_campaign(plan_with("hold_out = [{seed = 2}]"), store, options).marked == 0);

  CHECK(run_campaign(plan_with("hold_out = [{seed = 3}]"), store, options).marked == 2);
  CHECK(held_out(store.all()) == "r seed=3;");
  auto profile = options;
  profile.keep_marks = true;
  CHECK(run_campaign(plan_with(""), store, profile).marked == 0);
  CHECK(held_out(store.all()) == "r seed=3;");
  CHECK(run_campaign(plan_with(""), store, options).marked == 1);
  CHECK(held_out(store.all()).empty());

  CHECK(store.size() == 5);
  CHECK(store.problems().empty());
  for (const auto& record : store.all()) {
    CHECK(record.reason == record.id);
    CHECK(record.timeline.size() == 40);
  }
}

TEST_CASE("hold out: a journal is marked as a store is, and merged the mark counts") {
  const TemporaryFolder folder;
  Journal journal(folder / "1.0.jsonl");
  const auto options = fake_options(0, 1);
  static_cast<void>(run_campaign(plan_with(""), journal, options));
  CHECK(run_campaign(plan_with("hold_out = true"), journal, options).marked == 4);
  CHECK(run_campaign(plan_with("hold_out = true"), journal, options).marked == 0);
  Store store(folder / "records.db");
  static_cast<void>(store.merge(read_journals(folder.path())));
  CHECK(store.size() == 5);
  CHECK(held_out(store.all()) == "r seed=1;r seed=2;r seed=3;r seed=4;");
}

TEST_CASE("hold out: what a cluster measured under another mark is collected once") {
  const Ground ground;
  ground.write_journal(plan_with(""));
  const auto plain = ground.collect("");
  CHECK(has(plain, "collected 5 new records"));
  CHECK_FALSE(has(plain, "hold_out"));
  const std::string moved = "hold_out = [{seed = 2}, {seed = 4}]";
  const auto marked = ground.collect(moved);
  CHECK(has(marked, "collected 0 new records"));
  CHECK(has(marked, "note: hold_out has changed for 2 records: marked anew"));
  CHECK(ground.held_out_now() == "r seed=2;r seed=4;");

  const auto again = ground.collect(moved);
  CHECK(has(again, "collected 0 new records"));
  CHECK_FALSE(has(again, "hold_out"));
  CHECK(ground.held_out_now() == "r seed=2;r seed=4;");
  CHECK(has(ground.collect(moved, "--section s"), "collected 0 new records"));
  CHECK(ground.held_out_now() == "r seed=2;r seed=4;");  // though this plan does not speak of them

  const Ground fresh;  // the first look comes after the mark was set
  fresh.write_journal(plan_with(""));
  CHECK(has(fresh.collect(moved), "hold_out has changed for 2 records"));
  CHECK(fresh.held_out_now() == "r seed=2;r seed=4;");
}
