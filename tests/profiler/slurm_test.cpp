// A campaign on a real Slurm cluster, two nodes on this machine, one of which dies on the way.
#include "profiler/campaign/slurm.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "profiler/campaign/plan.h"
#include "profiler/campaign/shard.h"
#include "profiler/store/store.h"
#include "support/slurm_cluster.h"

using namespace rightsize;
using rightsize::test::said_by;
using rightsize::test::SlurmCluster;
namespace fs = std::filesystem;

namespace {

// Twenty-four runs of a second: long enough for a node to die in the middle.
constexpr const char* file = R"(
name = "shared"
[defaults]
engine = "replay"
data = "synthetic"
batch = 4
window = 0.05
warmup = 0.1
min_seconds = 0.8
seconds = 1
max_noise = 0.0001
noise_limit = 1
[[run]]
name = "speed"
axes = {replay_items_per_s = "100:2400:+100"}
)";

struct Ground {
  TemporaryFolder folder;
  std::string plan = folder.write("shared.toml", file);
  std::string db = folder / "records.db";

  [[nodiscard]] test::Said campaign(const std::string& options) const {
    return said_by(fmt::format(
        "{} campaign {} --db {} --no-throttle {}", RIGHTSIZE_BINARY, plan, db, options));
  }
  [[nodiscard]] std::string journal(int task, int attempt) const {
    return journal_path(db + ".slurm/shared.1", task, attempt);
  }
};

std::size_t lines_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return static_cast<std::size_t>(
      std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
}

// Processes of a task on a node that is to die: those whose command line names the submission.
// Nobody else's does: the folder is this test's own.
std::vector<pid_t> task_processes(const std::string& folder, int task, int tasks) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const auto name = entry.path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); })) {
      continue;
    }
    std::ifstream in(entry.path() / "cmdline", std::ios::binary);
    std::string words{std::istreambuf_iterator<char>(in), {}};
    std::replace(words.begin(), words.end(), '\0', ' ');
    if (words.find(fmt::format("shard {} {}/{} ", folder, task, tasks)) != std::string::npos) {
      found.push_back(std::stoi(name));
    }
  }
  return found;
}

// The daemon of a job step, which would report the death of its task: on a dead node it cannot.
pid_t parent_of(pid_t process) {
  std::ifstream in(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("PPid:")) {
      return std::stoi(line.substr(5));
    }
  }
  return 0;
}

// Of job 17's task 1, "n1".
std::string node_of(int task) {
  const auto queue = SlurmCluster::queue();
  const auto at = queue.find(fmt::format("_{} RUNNING ", task));
  return at == std::string::npos ? "" : queue.substr(queue.find('n', at + 2), 2);
}

std::set<std::string> nodes_of(const std::vector<Record>& records) {
  std::set<std::string> nodes;
  for (const auto& record : records) {
    const auto node = record.software.find("slurm_node");
    nodes.insert(node == record.software.end() ? "" : node->second);
  }
  return nodes;
}

std::set<std::string> ids_of(const std::vector<Record>& records) {
  std::set<std::string> ids;
  for (const auto& record : records) {
    ids.insert(record.id);
  }
  return ids;
}

}  // namespace

TEST_CASE("slurm: the script says what was asked, and a task its part and attempt") {
  SlurmOptions options;
  options.tasks = 3;
  options.gres = "gpu:h100:1";
  options.partition = "fast";
  options.time_s = 600;
  options.extra = {"--account=me"};
  options.executable = "/opt/right size/rightsize";
  options.arguments = {"--no-throttle"};
  const auto script = sbatch_script(options, "de mo", "/data/it's");
  for (const auto* line : {"#!/bin/sh\n",
                           "#SBATCH --job-name=rightsize-de_mo\n",
                           "#SBATCH --array=1-3\n",
                           "#SBATCH --requeue\n",
                           "#SBATCH --exclusive\n",
                           "#SBATCH --partition=fast\n",
                           "#SBATCH --gres=gpu:h100:1\n",
                           "#SBATCH --time=11\n",
                           "#SBATCH --account=me\n",
                           "exec '/opt/right size/rightsize' shard '/data/it'\\''s' "
                           "\"$SLURM_ARRAY_TASK_ID/3\" --attempt \"${SLURM_RESTART_COUNT:-0}\" "
                           "--no-throttle\n"}) {
    CAPTURE(line);
    CHECK(script.find(line) != std::string::npos);
  }
}

TEST_CASE("slurm: without sbatch nothing is left behind and the reason is said") {
  const Ground ground;
  const auto refused = said_by(fmt::format(
      "PATH=/nowhere {} campaign {} --db {} --slurm", RIGHTSIZE_BINARY, ground.plan, ground.db));
  CHECK(refused.code == 1);
  CHECK(refused.out.find("error: sbatch is not on the PATH") != std::string::npos);
  CHECK_FALSE(fs::exists(ground.db + ".slurm"));
  const auto dry = ground.campaign("--slurm --tasks 2 --gres gpu:v100:2 --dry-run");
  CHECK(dry.code == 0);
  CHECK(dry.out.starts_with("#!/bin/sh\n"));
  CHECK(dry.out.find("#SBATCH --gres=gpu:v100:2\n") != std::string::npos);
  CHECK(ground.campaign("--wait").code == 2);
}

TEST_CASE("slurm: the files that a run names are submitted with their paths in full") {
  const TemporaryFolder folder;
  fs::permissions(folder.write("bin/sbatch", "#!/bin/sh\necho 17\n"), fs::perms::owner_all);
  const std::string usual = std::getenv("PATH");
  setenv("PATH", (folder / "bin" + ":" + usual).c_str(), 1);
  RunSpec run;
  run.workload.network = "nets/mine.onnx";
  run.workload.data_path = "../train.rec";
  run.workload.requests = Requests{0, "load/day.txt", 0};
  auto by_rate = run;
  by_rate.workload.network = "resnet50";
  by_rate.workload.requests = Requests{5, "bursty:4", 0};
  auto plain = by_rate;
  plain.workload.requests.reset();
  CHECK(submit({}, "demo", folder / "job", {run, by_rate, plain}) == "17");
  setenv("PATH", usual.c_str(), 1);
  const auto frozen = submitted_runs(folder / "job");
  REQUIRE(frozen.size() == 3);
  CHECK(frozen[0].workload.network == fs::current_path() / "nets/mine.onnx");
  CHECK(frozen[0].workload.data_path == fs::current_path().parent_path() / "train.rec");
  CHECK(frozen[0].workload.requests->arrivals == fs::current_path() / "load/day.txt");
  CHECK(frozen[1].workload.network == "resnet50");
  CHECK(frozen[1].workload.requests->arrivals == "bursty:4");
  CHECK_FALSE(frozen[2].workload.requests);
}

TEST_CASE("slurm: a node dies, its task is queued again, and every run is there exactly once") {
  if (const auto reason = SlurmCluster::missing(); !reason.empty()) {
    MESSAGE("skipped: " << reason);
    return;
  }
  SlurmCluster cluster;
  REQUIRE(cluster.ready());
  const Ground ground;
  const auto folder = ground.db + ".slurm/shared.1";

  // By the type of its GPU, and waiting for it: one run, on the only node that has such a one.
  const Ground first;
  const auto waited = first.campaign(
      "--slurm --wait --gres gpu:h100:1 --set replay_items_per_s=50,60 --progress plain");
  CAPTURE(waited.out);
  CHECK(waited.out.find("2 of 2 runs recorded") != std::string::npos);
  CHECK(nodes_of(Store(first.db, {Access::read}).all()) == std::set<std::string>{"n2"});
  const auto impossible = first.campaign("--slurm --gres gpu:tpu:1 --fresh");
  CHECK(impossible.code == 1);
  CHECK(impossible.out.find("error: sbatch refused the job: ") != std::string::npos);
  CHECK(job_folders(first.db, "shared").size() == 1);

  const auto submitted = ground.campaign("--slurm --tasks 2");
  CAPTURE(submitted.out);
  REQUIRE(submitted.code == 0);
  CHECK(submitted.out.find("24 runs in 2 tasks") != std::string::npos);
  CHECK(ground.campaign("--slurm").out.find("is still in the queue") != std::string::npos);
  REQUIRE(SlurmCluster::wait_until(
      [&] { return lines_of(ground.journal(1, 0)) >= 2 && lines_of(ground.journal(2, 0)) >= 2; }));
  const auto dying = node_of(1);
  const auto other = node_of(2);
  CHECK(std::set<std::string>{dying, other} == std::set<std::string>{"n1", "n2"});

  // The node: its daemon, and what ran on it.
  const auto processes = task_processes(folder, 1, 2);
  REQUIRE(processes.size() == 1);
  const pid_t step = parent_of(processes[0]);
  REQUIRE(step > 1);
  cluster.stop(dying, SIGKILL);
  kill(step, SIGKILL);
  kill(processes[0], SIGKILL);
  const auto survived = collected_records(folder);
  const auto partly = ground.campaign("--collect");
  CHECK(partly.out.find("still queued or running") != std::string::npos);
  CHECK(Store(ground.db, {Access::read}).size() >= survived.size());

  REQUIRE(SlurmCluster::wait_until([] { return SlurmCluster::queue().empty(); }, 150));
  const auto collected = ground.campaign("--collect");
  CAPTURE(collected.out);
  CHECK(collected.out.find("no job is queued") == std::string::npos);
  const Store store(ground.db, {Access::read});
  const auto records = store.all();
  CHECK(records.size() == 24);
  CHECK(ids_of(records).size() == 24);
  CHECK(store.problems().empty());
  CHECK(nodes_of(records) == std::set<std::string>{"n1", "n2"});
  for (const auto& record : survived) {  // nothing that was written before the death was made anew
    CHECK(store.find(record.id)->started_at == record.started_at);
  }
  CHECK(lines_of(ground.journal(1, 0)) >= 2);
  CHECK(lines_of(ground.journal(1, 1)) >= 1);  // the second attempt did the rest, and only that
  CHECK(lines_of(ground.journal(1, 0)) + lines_of(ground.journal(1, 1)) +
            lines_of(ground.journal(2, 0)) ==
        24);
  MESSAGE("task 1 on " << dying << ": " << lines_of(ground.journal(1, 0)) << " runs, then "
                       << lines_of(ground.journal(1, 1)) << " as its second attempt; task 2 on "
                       << other << ": " << lines_of(ground.journal(2, 0)));
  CHECK(ground.campaign("--collect").out.find("collected 0 new records") != std::string::npos);
  CHECK(ground.campaign("--slurm").out.find("nothing to run") != std::string::npos);
}
