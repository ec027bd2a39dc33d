// kill -9, and several processes at one store: nothing that was committed is lost, doubled or torn.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profiler/campaign/shard.h"
#include "profiler/store/database.h"
#include "profiler/store/store.h"
#include "support/fake_campaign.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::fake_options;
using test::fake_plan;

namespace {

constexpr int runs = 12;
constexpr std::size_t id_length = 16;

// Runs `body` in a process of its own; what it writes to its descriptor is read by the parent.
class Child {
 public:
  template <typename Body>
  explicit Child(Body&& body) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    pid_ = fork();
    if (pid_ == 0) {
      close(ends[0]);
      int code = 1;
      try {
        body(ends[1]);
        code = 0;
      } catch (const std::exception& error) {
        static_cast<void>(!write(STDERR_FILENO, error.what(), std::strlen(error.what())));
      }
      _exit(code);  // no destructors of the parent's
    }
    close(ends[1]);
    out_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    close(out_);
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }

  void kill_now() const { kill(pid_, SIGKILL); }
  // Exit code, or 128 + signal.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  // All that it wrote before it ended.
  std::string output() const {
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(out_, buffer, sizeof buffer)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  pid_t pid_ = 0;
  int out_ = -1;
};

// The campaign, telling the parent of each record that append() returned for.
void run_fakes(
    const std::string& path, const Plan& plan, unsigned seed, unsigned most_us, int out) {
  Store store(path);
  CampaignCallbacks callbacks;
  callbacks.finished = [&](const CampaignProgress&, const Record& record) {
    static_cast<void>(!write(out, record.id.data(), record.id.size()));
  };
  static_cast<void>(run_campaign(plan, store, fake_options(most_us, seed), callbacks));
}

std::set<std::string> ids_in(const std::string& text) {
  std::set<std::string> ids;
  for (std::size_t at = 0; at + id_length <= text.size(); at += id_length) {
    ids.insert(text.substr(at, id_length));
  }
  return ids;
}

std::string record_id(int number) {
  return fmt::format("{:016x}", number);
}

std::int64_t store_version(const std::string& path) {
  return Database(path, false, 30).pragma("user_version");
}

// A store as the version before wrote it: whole records as text, no column for timelines.
std::string second_version_store(const TemporaryFolder& folder, int records, std::size_t points) {
  const auto path = folder / "records.db";
  const Database database(path, true, 30);
  database.execute("PRAGMA journal_mode = WAL");
  database.execute(
      "CREATE TABLE records (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, "
      "campaign TEXT NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL, started_at TEXT NOT NULL, "
      "body TEXT NOT NULL, throughput REAL NOT NULL DEFAULT 0)");
  for (int i = 0; i < records; ++i) {
    Record record;
    record.id = record_id(i);
    record.status = Status::measured;
    record.timeline.resize(points);
    Statement insert(database,
                     "INSERT INTO records (id, campaign, name, status, started_at, body) "
                     "VALUES (?, '', '', 'measured', '', ?)");
    insert.bind(1, record.id).bind(2, boost::json::serialize(to_json(record))).step();
  }
  database.execute("PRAGMA application_id = 1381194289");  // "RSZ1"
  database.execute("PRAGMA user_version = 2");
  return path;
}

// Every record whole and once, the file sound; what is missing of `promised`.
std::size_t lost_of(const std::string& path, const std::set<std::string>& promised) {
  const Store store(path, {Access::read});
  CHECK(store.problems().empty());
  std::set<std::string> ids;
  for (const auto& record : store.all()) {
    CHECK(test::is_whole(record));
    CHECK(ids.insert(record.id).second);
  }
  std::size_t lost = 0;
  for (const auto& id : promised) {
    lost += ids.count(id) == 0 ? 1 : 0;
  }
  return lost;
}

// How long a campaign takes here, so that kills fall all over it: the least of three, for a machine
// that is busy with something else for a moment would have most of them come too late.
double microseconds_undisturbed(const Plan& plan) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const TemporaryFolder folder;
    const auto begin = std::chrono::steady_clock::now();
    Child whole([&](int out) { run_fakes(folder / "records.db", plan, 0, 500, out); });
    REQUIRE(whole.wait() == 0);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count());
  }
  return least;
}

}  // namespace

TEST_CASE("crash: two hundred campaigns killed at random points lose and double nothing") {
  const auto plan = fake_plan(runs);
  std::mt19937 random(20261121);
  std::size_t promised = 0;
  std::size_t lost = 0;
  int killed = 0;
  int before_the_first = 0;
  const double whole_us = microseconds_undisturbed(plan);
  for (unsigned round = 0; round < 200; ++round) {
    const TemporaryFolder folder;
    const auto path = folder / "records.db";
    Child child([&](int out) { run_fakes(path, plan, round, 500, out); });
    std::this_thread::sleep_for(
        std::chrono::microseconds(random() % static_cast<unsigned>(whole_us)));
    child.kill_now();
    const int code = child.wait();
    const auto told = ids_in(child.output());
    killed += code == 128 + SIGKILL ? 1 : 0;
    before_the_first += told.empty() ? 1 : 0;
    promised += told.size();
    Store store(path);  // as the next start does: also of a file that was just being made
    CAPTURE(round);
    lost += lost_of(path, told);
    CHECK(store.size() <= told.size() + 1);  // one may be committed and not yet told
    const auto rest = run_campaign(plan, store, fake_options(0, round));
    CHECK(rest.skipped + rest.run == runs);
    CHECK(store.size() == runs);
    lost += lost_of(path, told);
  }
  CHECK(lost == 0);
  MESSAGE(killed << " of 200 killed, " << before_the_first << " before their first record; "
                 << promised << " records promised, " << lost << " lost");
  CHECK(killed > 100);
  CHECK(promised > 200);
}

TEST_CASE("crash: campaigns that share one store at once, from its making on") {
  for (unsigned round = 0; round < 10; ++round) {
    const TemporaryFolder folder;
    const auto path = folder / "records.db";
    const auto body = [&](unsigned seed, const Plan& plan) {
      return [&path, plan, seed](int out) { run_fakes(path, plan, seed, 300, out); };
    };
    Child one(body(2 * round, fake_plan(30)));
    Child same(body(2 * round + 1, fake_plan(30)));
    Child other(body(round, fake_plan(40)));
    CHECK(one.wait() == 0);
    CHECK(same.wait() == 0);
    CHECK(other.wait() == 0);
    CHECK(lost_of(path, ids_in(one.output() + same.output() + other.output())) == 0);
    CHECK(Store(path).size() == 40);
  }
}

TEST_CASE("crash: readers see whole records, never fewer than before, while another writes") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  { const Store made(path); }
  Child writer([&](int out) { run_fakes(path, fake_plan(150), 1, 2000, out); });
  const auto reader = [&](int) {
    std::size_t seen = 0;
    while (seen < 150) {
      const Store store(path, {Access::read});
      const auto records = store.all();
      for (const auto& record : records) {
        if (!test::is_whole(record) || records.size() < seen) {
          throw std::runtime_error("a reader saw a torn or a shrinking store");
        }
      }
      seen = records.size();
    }
  };
  Child first(reader);
  Child second(reader);
  CHECK(writer.wait() == 0);
  CHECK(first.wait() == 0);
  CHECK(second.wait() == 0);
}

// A file of the version before timelines were kept apart, as a program of then left it. A reader
// that asks for the version and reads after the migration would take records without their timeline
// for whole ones.
TEST_CASE("crash: a reader sees whole timelines while another process migrates the file") {
  constexpr int records = 20;
  constexpr std::size_t points = 2;
  for (int round = 0; round < 25; ++round) {
    const TemporaryFolder folder;
    const auto path = second_version_store(folder, records, points);
    Child reader([&](int) {
      const Store store(path, {Access::read});
      for (bool migrated = false; !migrated;) {
        migrated = store_version(path) > 2;  // and once more after it is
        for (int i = 0; i < 500; ++i) {      // one record at a time: most of it is looking
          const auto record = store.find(record_id(i % records));
          if (!record || record->timeline.size() != points) {
            throw std::runtime_error("a reader saw a record without its timeline");
          }
        }
      }
    });
    Child writer([&](int) { const Store migrated(path); });
    CHECK(writer.wait() == 0);
    CHECK(reader.wait() == 0);
    CHECK(Store(path).all().size() == records);
  }
}

TEST_CASE("crash: shards of two processes add up to the whole campaign") {
  const TemporaryFolder folder;
  const auto path = folder / "records.db";
  const auto part = [&](int index) {
    auto plan = fake_plan(60);
    keep_shard(plan.runs, {index, 2});
    return plan;
  };
  Child one([&](int out) { run_fakes(path, part(1), 1, 300, out); });
  Child two([&](int out) { run_fakes(path, part(2), 2, 300, out); });
  CHECK(one.wait() == 0);
  CHECK(two.wait() == 0);
  const auto first = ids_in(one.output());
  const auto second = ids_in(two.output());
  CHECK(first.size() + second.size() == 60);  // no run was made twice
  CHECK(Store(path).size() == 60);
}
