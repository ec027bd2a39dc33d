// The whole path on this machine in a minute: make data, measure under limits, fit, advise.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include "profiler/store/store.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

struct Shell {
  int code = 0;
  std::string out;
};

Shell shell(const std::string& command) {
  Shell result;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  while (std::size_t n = fread(buffer, 1, sizeof buffer, pipe)) {
    result.out.append(buffer, n);
  }
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

const std::string rightsize_program = RIGHTSIZE_BINARY;

// Twelve short runs: enough for a fit, too few for a good one.
const char* const campaign = R"(
name = "small"
[defaults]
engine = "replay"
data = "recordio"
data_path = "data/train.rec"
network = "resnet50"
batch = 4
prefetch_batches = 2
seconds = 2.5
min_seconds = 0.6
warmup = 0.5
window = 0.1
noise_limit = 0.5
[[run]]
name = "speed"
axes = {replay_items_per_s = [200, 400, 800, 20000], cpus = [0.5, 1]}
[[run]]
name = "later"
replay_items_per_s = 600
axes = {cpus = [0.5, 1]}
hold_out = true
)";

struct Ground {
  TemporaryFolder folder;
  std::string db = folder / "records.db";
  std::string model = folder / "model.json";
  std::string plan = folder / "small.toml";

  Ground() {
    std::ofstream(plan) << campaign;
    const auto made =
        shell(fmt::format("{} dataset make {} --items 120", rightsize_program, folder / "data"));
    REQUIRE(made.code == 0);
  }
  [[nodiscard]] std::string campaign_command() const {
    return fmt::format("{} campaign {} --db {}", rightsize_program, plan, db);
  }
};

}  // namespace

TEST_CASE("end to end: data, campaign, resume after kill -9, fit, validate, advise") {
  const Ground ground;
  // Kill it in the middle, as a lost connection or a spot interruption would.
  const auto killed = shell(fmt::format("timeout -s KILL 8 {}", ground.campaign_command()));
  CHECK(killed.code == 128 + 9);
  const auto before = Store(ground.db).size();
  CHECK(before >= 1);
  CHECK(before < 10);

  const auto resumed = shell(ground.campaign_command());
  CAPTURE(resumed.out);
  CHECK(resumed.code == 0);
  CHECK(resumed.out.find(fmt::format("{} already there", before)) != std::string::npos);
  CHECK(Store(ground.db).size() == 10);
  const auto again = shell(ground.campaign_command());
  CHECK(again.out.find("nothing to run, 10 already there") != std::string::npos);

  const auto fitted =
      shell(fmt::format("{} fit --db {} --model {}", rightsize_program, ground.db, ground.model));
  CAPTURE(fitted.out);
  if (fitted.out.find("other processes disturbed them") != std::string::npos) {
    // A machine so busy that fewer than four runs can be trusted: to refuse is right, and there is
    // no model to go on with.
    CHECK(fitted.code == 1);
    MESSAGE("not fitted: other processes kept the CPUs busy");
    return;
  }
  CHECK(fitted.code == 0);
  CHECK(fitted.out.find("cross-validated error") != std::string::npos);

  const auto validated = shell(
      fmt::format("{} validate --db {} --model {}", rightsize_program, ground.db, ground.model));
  CAPTURE(validated.out);
  CHECK(validated.code == 0);
  // On a machine shared with others a held-out run may be too noisy to trust; then there is one.
  const bool noisy = resumed.out.find("untrusted") != std::string::npos;
  CHECK(validated.out.find(noisy ? " the fit has not seen" : "2 runs the fit has not seen") !=
        std::string::npos);

  const auto advised =
      shell(fmt::format("({} advise {}/examples/demo/job.toml --model {} -o json 2>{})",
                        rightsize_program,
                        RIGHTSIZE_SOURCE_DIR,
                        ground.model,
                        ground.model + ".err"));
  CHECK(advised.code == 0);
  const auto document = boost::json::parse(advised.out).as_object();
  CHECK(document.at("chosen").is_object());
}

TEST_CASE("end to end: Ctrl-C finishes the run in progress and says how to go on") {
  const Ground ground;
  const auto stopped =
      shell(fmt::format("timeout -s INT --foreground 4 {}", ground.campaign_command()));
  CAPTURE(stopped.out);
  CHECK(stopped.out.find("interrupted") != std::string::npos);
  CHECK(stopped.out.find("Run the same command again to continue.") != std::string::npos);
  CHECK(Store(ground.db).size() >= 1);
  // Groups carry their maker's process id; none may outlive its maker.
  const auto left = shell(
      "for g in $(ls -d /sys/fs/cgroup/*/rightsize.* /sys/fs/cgroup/rightsize.* 2>/dev/null); do "
      "p=${g##*/rightsize.}; kill -0 ${p%%.*} 2>/dev/null || echo $g; done");
  CHECK(left.out == "");
}

TEST_CASE(
    "end to end: SIGTERM finishes the run in progress, as Ctrl-C does, progress as JSON lines") {
  const TemporaryFolder folder;
  const auto plan = folder.write("terminated.toml", R"(
[defaults]
engine = "replay"
batch = 4
seconds = 2
min_seconds = 1.8
max_noise = 0.0001
noise_limit = 1
window = 0.1
warmup = 0.1
[[run]]
name = "speed"
axes = {replay_items_per_s = [100, 200, 300, 400, 500, 600]}
)");
  const auto command = fmt::format("{} campaign {} --db {} --no-throttle --progress jsonl",
                                   rightsize_program,
                                   plan,
                                   folder / "records.db");
  const auto stopped = shell(
      fmt::format("timeout -s TERM --foreground 3 {} --out-file {}", command, folder / "out"));
  CAPTURE(stopped.out);
  const auto made = Store(folder / "records.db").size();
  CHECK(made >= 1);
  CHECK(made < 6);
  std::istringstream lines(stopped.out);
  std::size_t started = 0;
  std::size_t finished = 0;
  boost::json::object last;
  for (std::string line; std::getline(lines, line);) {
    last = boost::json::parse(line).as_object();
    started += last.at("event") == "started" ? 1 : 0;
    finished += last.at("event") == "finished" ? 1 : 0;
  }
  CHECK(finished == made);
  CHECK(started == made);  // the one in progress was not cut off
  CHECK(last.at("event") == "ended");
  CHECK(last.at("interrupted").as_bool());
  CHECK(last.at("left").to_number<std::size_t>() == 6 - made);
  // A budget for one more run and no more.
  const auto budget = shell(command + " --time 4s --out-file " + (folder / "out"));
  CAPTURE(budget.out);
  CHECK(Store(folder / "records.db").size() == made + 1);
  CHECK(budget.out.find(fmt::format("\"left\":{}", 5 - made)) != std::string::npos);
}
