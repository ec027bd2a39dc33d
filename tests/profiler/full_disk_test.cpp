// A disk without room, a folder without permission.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <unistd.h>

#include "profiler/store/database.h"
#include "profiler/store/journal.h"
#include "profiler/store/store.h"
#include "support/fake_campaign.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::fake_options;
using test::fake_plan;
namespace fs = std::filesystem;

namespace {

// A file system of a given size, in memory, unmounted with the object.
class SmallDisk {
 public:
  explicit SmallDisk(std::size_t kib)
      : mounted_(mount("tmpfs", path().c_str(), "tmpfs", 0, fmt::format("size={}k", kib).c_str()) ==
                 0) {}
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() {
    if (mounted_) {
      umount2(path().c_str(), MNT_DETACH);
    }
  }
  [[nodiscard]] bool mounted() const {
    if (!mounted_) {
      MESSAGE("skipped: a tmpfs cannot be mounted here (it takes root)");
    }
    return mounted_;
  }
  bool read_only() {
    return mount("tmpfs", path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) == 0;
  }
  [[nodiscard]] const std::string& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  bool mounted_;
};

}  // namespace

TEST_CASE("full disk: the campaign ends with the reason, keeps what it had, and goes on later") {
  const SmallDisk disk(768);
  if (!disk.mounted()) {
    return;
  }
  const auto path = disk.path() + "/records.db";
  const auto ballast = disk.path() + "/ballast";
  std::ofstream(ballast) << std::string(256 << 10, 'x');
  const auto plan = fake_plan(200);
  std::size_t promised = 0;
  CampaignCallbacks callbacks;
  callbacks.finished = [&](const CampaignProgress&, const Record&) { ++promised; };
  {
    Store store(path);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(run_campaign(plan, store, fake_options(0, 1), callbacks)),
        doctest::Contains("the disk is full; free some space, what was appended before is safe"),
        StoreError);
  }
  MESSAGE(promised << " records before the disk was full");
  CHECK(promised > 5);
  CHECK(promised < 200);
  CHECK(Store(path, {Access::read}).size() == promised);
  CHECK(Store(path, {Access::read}).problems().empty());

  fs::remove(ballast);
  Store store(path);
  const auto shorter = fake_plan(static_cast<int>(promised) + 3);
  const auto rest = run_campaign(shorter, store, fake_options(0, 1));
  CHECK(rest.skipped == promised);
  CHECK(rest.run == 3);
  CHECK(store.problems().empty());
}

TEST_CASE("full disk: a store that cannot be made there is nobody's wrong question, said once") {
  const SmallDisk disk(64);
  if (!disk.mounted()) {
    return;
  }
  const auto path = disk.path() + "/records.db";
  std::ofstream(disk.path() + "/ballast") << std::string(60 << 10, 'x');
  try {
    const Store store(path);
    FAIL("a store was made on a full disk");
  } catch (const StoreUnavailable& error) {
    const std::string said = error.what();
    CHECK(said.ends_with("the disk is full; free some space, what was appended before is safe"));
    CHECK(said.find("disk") == said.rfind("disk is full"));
  }
}

TEST_CASE("full disk: a journal keeps whole lines only") {
  const SmallDisk disk(256);
  if (!disk.mounted()) {
    return;
  }
  std::size_t promised = 0;
  CampaignCallbacks callbacks;
  callbacks.finished = [&](const CampaignProgress&, const Record&) { ++promised; };
  {
    Journal journal(disk.path() + "/1.0.jsonl");
    CHECK_THROWS_WITH_AS(
        static_cast<void>(run_campaign(fake_plan(200), journal, fake_options(0, 1), callbacks)),
        doctest::Contains("No space left on device"),
        StoreError);
  }
  const auto records = read_journals(disk.path());
  CHECK(promised > 5);
  CHECK(records.size() == promised);
  for (const auto& record : records) {
    CHECK(test::is_whole(record));
  }
}

TEST_CASE("full disk: what was measured can be read there") {
  const SmallDisk disk(768);
  if (!disk.mounted()) {
    return;
  }
  const auto path = disk.path() + "/records.db";
  {
    Store store(path);
    static_cast<void>(run_campaign(fake_plan(5), store, fake_options(0, 1)));
  }
  std::ofstream ballast(disk.path() + "/ballast");
  while (ballast << std::string(4096, 'x') << std::flush) {
  }
  REQUIRE(fs::space(disk.path()).available == 0);
  const Store reader(path, {Access::read});
  CHECK(reader.all().size() == 5);
  CHECK(reader.problems().empty());
}

TEST_CASE("read-only: a store there can be read and checked, and says why it cannot be written") {
  SmallDisk disk(768);
  if (!disk.mounted()) {
    return;
  }
  const auto path = disk.path() + "/records.db";
  {
    Store store(path);
    static_cast<void>(run_campaign(fake_plan(5), store, fake_options(0, 1)));
  }
  REQUIRE(disk.read_only());
  const Store reader(path, {Access::read});
  CHECK(reader.all().size() == 5);
  CHECK(reader.problems().empty());
  CHECK_THROWS_WITH_AS(
      Store{path}.append(Record{}), doctest::Contains("may you write there?"), StoreError);
  CHECK_THROWS_WITH_AS(
      Store(disk.path() + "/new.db"), doctest::Contains("may you write there?"), StoreError);
  CHECK_THROWS_WITH_AS(
      Journal(disk.path() + "/1.0.jsonl"), doctest::Contains("Read-only file system"), StoreError);
  CHECK_THROWS_AS(Store(disk.path() + "/none.db", {Access::read}), StoreError);
}
