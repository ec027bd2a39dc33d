// A part of a campaign: sections, shards, values set on the command line, a budget of time.
#include <algorithm>
#include <map>
#include <set>

#include <doctest/doctest.h>

#include "profiler/campaign/campaign.h"
#include "profiler/campaign/shard.h"

using namespace rightsize;

namespace {

constexpr const char* file = R"(
name = "demo"
[defaults]
network = "alexnet"
batch = 8
seconds = 4
[[run]]
name = "grid"
axes = {cpus = [1, 2, 4], batch = [8, 16]}
hold_out = [{cpus = 2, batch = 8}]
[[run]]
name = "one"
cpus = 1
seconds = 9
)";

Plan plan_of(const PlanOptions& options) {
  return parse_plan(file, "demo.toml", options);
}

Plan plan_with(const std::vector<std::string>& overrides) {
  PlanOptions options;
  options.overrides = overrides;
  return plan_of(options);
}

std::string error_of(const PlanOptions& options) {
  try {
    static_cast<void>(plan_of(options));
  } catch (const PlanError& error) {
    return error.what();
  }
  return "no error";
}

std::string set_error(const std::string& assignment) {
  PlanOptions options;
  options.overrides = {assignment};
  return error_of(options);
}

// Remembers instead of writing.
class MemoryLog : public RecordLog {
 public:
  void append(const Record& record) override { records_[record.id] = record; }
  [[nodiscard]] std::vector<Record> all_of(const std::string& id) const override {
    const auto found = records_.find(id);
    return found == records_.end() ? std::vector<Record>{} : std::vector{found->second};
  }
  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  std::map<std::string, Record> records_;
};

CampaignOptions fake_runs() {
  CampaignOptions options;
  options.run.machine = Machine{};
  options.make = [](const RunSpec& spec, const RunOptions&) {
    Record record;
    record.id = run_id(spec);
    record.name = spec.name;
    record.status = spec.name == "one" ? Status::failed : Status::measured;
    return record;
  };
  return options;
}

}  // namespace

TEST_CASE("set: a value goes over defaults, runs and axes, and the last one counts") {
  const auto plan = plan_with({"seconds=1", "seconds=3", "network=resnet18"});
  REQUIRE(plan.runs.size() == 6);  // "one" asks for the same as a cell of the grid now
  for (const auto& run : plan.runs) {
    CHECK(run.stop.max_s == 3);
    CHECK(run.workload.network == "resnet18");
  }
  const auto fewer = plan_with({"cpus=2"});
  CHECK(fewer.runs.size() == 3);  // the axis has one value now
  CHECK(fewer.runs[0].name == "grid batch=8 cpus=2");
  CHECK(fewer.runs[0].hold_out);
  CHECK(fewer.runs[2].limits.cpus == 2);
}

TEST_CASE("set: a list or a range makes an axis, or takes one's place") {
  CHECK(plan_with({"cpus=1,2"}).runs.size() == 6);
  CHECK(plan_with({"cpus=1:8:x2"}).runs.size() == 12);
  CHECK(plan_with({"memory=256MiB,1GiB"}).runs.size() == 14);
  CHECK(plan_with({"memory=[\"256MiB\"]"}).runs[0].name == "grid batch=8 cpus=1 memory=256MiB");
  CHECK(plan_with({"repeats=2"}).runs.size() == 14);
}

TEST_CASE("set: mistakes are named as those of the file are") {
  CHECK(set_error("cpux=2") == "--set cpux=2: unknown key; did you mean cpus?");
  CHECK(set_error("cpus=fast") ==
        "--set cpus=fast: expected a number of vCPUs like 1.5; 0 is no limit, saw a string");
  CHECK(set_error("batch=8,0") ==
        "--set batch=8,0: expected an integer of at least 1");
  CHECK(set_error("cpus=4:1:x2") ==
        "--set cpus=4:1:x2: expected a list like 1,2,4 or a range like 1:16:x2");
  for (const auto* text : {"cpus", "=2", "cpus="}) {
    CHECK(set_error(text).find("expected key=value") != std::string::npos);
  }
  CHECK(set_error("cpus=[1,").find("not a value") != std::string::npos);
  // What only does not go together is seen where the run is.
  CHECK(set_error("ranks=2,4") == "no error");
  CHECK(set_error("engine=replay").find("demo.toml:7:1: engine = \"replay\"") == 0);
}

TEST_CASE("section: only the runs of that name, and an unknown one is refused") {
  PlanOptions options;
  options.sections = {"one"};
  CHECK(plan_of(options).runs.size() == 1);
  options.sections = {"one", "grid"};
  CHECK(plan_of(options).runs.size() == 7);
  options.sections = {"grit"};
  CHECK(error_of(options) ==
        "--section \"grit\": demo.toml has no [[run]] of that name; did you mean \"grid\"?");
  options.sections = {"something else"};
  CHECK(error_of(options).find("it has \"grid\", \"one\"") != std::string::npos);
}

TEST_CASE("shard: the parts are disjoint, complete, and do not move when the campaign grows") {
  const auto all = plan_with({"repeats=20"}).runs;
  REQUIRE(all.size() == 140);
  std::set<std::string> seen;
  for (int index = 1; index <= 4; ++index) {
    auto part = all;
    keep_shard(part, {index, 4});
    CHECK(part.size() > 20);  // of 35
    CHECK(part.size() < 50);
    for (const auto& run : part) {
      CHECK(seen.insert(run_id(run)).second);
    }
    auto smaller = plan_with({"repeats=10"}).runs;
    keep_shard(smaller, {index, 4});
    for (const auto& run : smaller) {
      CHECK(std::find(part.begin(), part.end(), run) != part.end());
    }
  }
  CHECK(seen.size() == all.size());
}

TEST_CASE("shard: i/n with i from 1 to n, and nothing else") {
  CHECK(parse_shard("2/4")->index == 2);
  CHECK(parse_shard("4/4")->count == 4);
  for (const auto* bad :
       {"0/4", "5/4", "1/0", "-1/4", "1", "1/", "/4", "1/4x", "a/b", " 1/4", "1/3000000000"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_shard(bad));
  }
}

TEST_CASE("budget: no run is started that may pass it, shorter ones are, and the rest is told") {
  const auto plan = plan_with({});
  MemoryLog log;
  auto options = fake_runs();
  options.budget_s = 6;  // a run of the grid is bounded by 5 s, "one" by 10 s
  const auto summary = run_campaign(plan, log, options);
  CHECK(summary.run == 6);
  CHECK(summary.over_budget);
  CHECK(summary.left == 1);
  CHECK(summary.left_s == 10);
  CHECK_FALSE(summary.interrupted);
  options.budget_s = 4;
  options.fresh = true;
  CHECK(run_campaign(plan, log, options).left == 7);
  options.budget_s = 0;
  options.fresh = false;
  const auto rest = run_campaign(plan, log, options);
  CHECK(rest.skipped == 6);
  CHECK(rest.left == 0);
  CHECK_FALSE(rest.over_budget);
  CHECK(log.size() == 7);
}

TEST_CASE("choose: whoever chooses has the runs made in another order, and stops when content") {
  MemoryLog log;
  auto options = fake_runs();
  const auto plan = plan_of({});
  std::vector<std::string> made;
  options.choose = [&](std::span<const RunSpec> pending) -> std::optional<std::size_t> {
    return made.size() == 3 ? std::nullopt : std::optional(pending.size() - 1);  // the last first
  };
  CampaignCallbacks callbacks;
  callbacks.finished = [&](const CampaignProgress&, const Record& record) {
    made.push_back(record.name);
  };
  const auto summary = run_campaign(plan, log, options, callbacks);
  CHECK(summary.run == 3);
  CHECK(summary.left == plan.runs.size() - 3);
  CHECK_FALSE(summary.over_budget);
  REQUIRE(made.size() == 3);
  CHECK(made[0] == plan.runs.back().name);
  CHECK(std::set(made.begin(), made.end()).size() == 3);
}

TEST_CASE("budget: failing fast leaves the rest, which is not a lack of time") {
  MemoryLog log;
  auto options = fake_runs();
  options.fail_fast = true;
  auto plan = plan_with({});
  std::reverse(plan.runs.begin(), plan.runs.end());
  const auto summary = run_campaign(plan, log, options);
  CHECK(summary.run == 1);
  CHECK(summary.left == 6);
  CHECK_FALSE(summary.over_budget);
}

TEST_CASE("log: what another campaign made meanwhile is not made again") {
  const auto plan = plan_with({});
  MemoryLog log;
  const auto options = fake_runs();
  CampaignCallbacks callbacks;
  callbacks.started = [&](const CampaignProgress& progress, const RunSpec&) {
    if (progress.index == 0) {
      log.append(options.make(plan.runs[3], {}));
    }
  };
  const auto summary = run_campaign(plan, log, options, callbacks);
  CHECK(summary.run == 6);
  CHECK(summary.skipped == 1);
  CHECK(log.size() == 7);
}

TEST_CASE("log: a run of another machine counts as made only where any machine is good") {
  const auto plan = plan_with({});
  MemoryLog log;
  auto options = fake_runs();
  static_cast<void>(run_campaign(plan, log, options));
  options.run.machine->cpu_model = "another CPU";
  CHECK(pending_runs(plan, log, options).size() == 7);
  options.any_machine = true;
  CHECK(pending_runs(plan, log, options).empty());
}

TEST_CASE(
    "estimate: preprocessing is bounded by its vCPUs or its write limit, the rest writes none") {
  RunSpec spec;
  spec.stop.max_s = 10;
  CHECK(estimated_disk({spec}).written_bytes == 0);
  CHECK(estimated_disk({spec}).store_bytes > 1000);
  spec.workload.phase = Phase::preprocess;
  spec.limits.cpus = 2;
  const auto one = estimated_disk({spec});
  CHECK(one.written_bytes == 20 * 1000 * (3ULL * 256 * 256 + 4096));
  auto limited = spec;
  limited.limits.disk_write_bytes_per_s = 1e6;
  CHECK(estimated_disk({limited}).written_bytes == 10'000'000);
  const auto both = estimated_disk({spec, limited});
  CHECK(both.written_bytes == one.written_bytes + 10'000'000);
  CHECK(both.at_once_bytes == one.written_bytes);
  CHECK(estimated_s({spec, limited}) == 22);
}
