#include "profiler/campaign/campaign.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "profiler/store/store.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

constexpr const char* file = R"(
[defaults]
seconds = 1
window = 0.1
warmup = 0.2
min_seconds = 0.5
[[run]]
name = "good"
network = "sleep"
axes = {batch = [1, 2]}
[[run]]
name = "bad"
network = "nonsense"
)";

CampaignOptions probe_campaign() {
  CampaignOptions options;
  options.run.executable = RIGHTSIZE_PROBE;
  options.run.machine = Machine{};
  return options;
}

}  // namespace

TEST_CASE("campaign: every run is recorded, and a rerun has nothing left to do") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  const auto plan = parse_plan(file, "demo.toml");
  std::size_t started = 0;
  CampaignCallbacks callbacks;
  callbacks.started = [&](const CampaignProgress& progress, const RunSpec&) {
    CHECK(progress.index == started++);
    CHECK(progress.total == 3);
    CHECK(progress.eta_s > 0);
  };
  callbacks.finished = [&](const CampaignProgress& progress, const Record& record) {
    CHECK(store.size() == progress.index + 1);  // it is in the store by now
    CHECK(store.all_of(record.id).size() == 1);
  };
  const auto summary = run_campaign(plan, store, probe_campaign(), callbacks);
  CHECK(summary.run == 3);
  CHECK(summary.by_status.at(Status::failed) == 1);
  CHECK(store.all()[0].name == "good batch=1");
  CHECK(store.all()[0].throughput.median == test::approx(50).epsilon(0.2));

  CHECK(pending_runs(plan, store, probe_campaign()).empty());
  auto elsewhere = probe_campaign();  // records of another machine say nothing of this one
  elsewhere.run.machine->cpu_model = "another CPU";
  CHECK(pending_runs(plan, store, elsewhere).size() == 3);
  CHECK(run_campaign(plan, store, elsewhere).run == 3);
  CHECK(store.size() == 6);  // and what the other made is not lost for it
  CHECK(pending_runs(plan, store, elsewhere).empty());
  CHECK(pending_runs(plan, store, probe_campaign()).empty());
  CHECK(run_campaign(plan, store, probe_campaign()).skipped == 3);
  auto retry = probe_campaign();
  retry.retry_failed = true;
  CHECK(pending_runs(plan, store, retry).size() >= 1);
  auto fresh = probe_campaign();
  fresh.fresh = true;
  CHECK(pending_runs(plan, store, fresh).size() == 3);
}

TEST_CASE("campaign: what was never tried is made before what is tried again, the oldest first") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  const auto plan = parse_plan(file, "demo.toml");
  auto options = probe_campaign();
  options.retry_failed = true;
  std::vector<std::string> order;
  options.make = [&](const RunSpec& spec, const RunOptions& run) {
    Record record;
    record.id = run_id(spec);
    record.machine = *run.machine;
    record.status = Status::untrusted;
    record.started_at = fmt::format("2026-11-30T00:00:{:02}Z", order.size());
    order.push_back(spec.name + run_id(spec));
    if (order.size() % 2 == 0) {
      raise(SIGINT);  // as who has time for two runs
    }
    return record;
  };
  for (int i = 0; i < 3; ++i) {
    run_campaign(plan, store, options);
  }
  REQUIRE(order.size() == 6);
  CHECK(std::vector(order.begin() + 3, order.end()) ==
        std::vector(order.begin(), order.begin() + 3));
  CHECK(std::set(order.begin(), order.end()).size() == 3);
}

TEST_CASE("campaign: the first Ctrl-C finishes the run and stops, and a rerun goes on") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  const auto plan = parse_plan(file, "demo.toml");
  CampaignCallbacks callbacks;
  callbacks.started = [](const CampaignProgress&, const RunSpec&) { kill(getpid(), SIGTERM); };
  const auto summary = run_campaign(plan, store, probe_campaign(), callbacks);
  CHECK(summary.interrupted);
  CHECK(summary.run == 1);
  CHECK(store.size() == 1);
  CHECK(pending_runs(plan, store, probe_campaign()).size() == 2);
}

namespace {

class FullDisk : public RecordLog {
 public:
  void append(const Record&) override { throw StoreError("the disk is full"); }
  [[nodiscard]] std::vector<Record> all_of(const std::string&) const override { return {}; }
};

}  // namespace

TEST_CASE("campaign: a run that cannot be kept is in the message, to be imported") {
  CampaignOptions options;
  options.run.machine = Machine{};
  options.make = [](const RunSpec& spec, const RunOptions&) {
    Record record;
    record.id = run_id(spec);
    record.name = "measured for an hour";
    return record;
  };
  FullDisk log;
  const auto plan = parse_plan("[[run]]\nname = \"a\"\n", "demo.toml");
  CHECK_THROWS_WITH_AS(static_cast<void>(run_campaign(plan, log, options)),
                       doctest::Contains("\"name\":\"measured for an hour\""),
                       StoreError);
}

TEST_CASE("campaign: --fail-fast stops at the first run without a throughput") {
  const TemporaryFolder folder;
  Store store(folder.path() + "/records.db");
  auto options = probe_campaign();
  options.fail_fast = true;
  const auto plan = parse_plan(
      "[[run]]\nname = \"bad\"\nnetwork = \"nonsense\"\n[[run]]\nname = \"b\"\nnetwork = \"gpu\"\n",
      "demo.toml");
  CHECK(run_campaign(plan, store, options).run == 1);
}
