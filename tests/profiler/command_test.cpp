// The user's own program as the work of a run: real processes, real limits where they can be had.
#include <fstream>

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "profiler/measure/process_tree.h"
#include "profiler/measure/runner.h"
#include "shell_run.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::has_rate;
using test::real_options;
using test::shell_spec;
using test::ticking;

TEST_CASE("command: the CPU time of its children counts, and a CPU limit holds them") {
  auto spec = shell_spec("sh -c 'while :; do :; done' & while :; do :; done", "cpu");
  spec.limits.cpus = 0.5;
  spec.stop.max_s = 3;
  const auto record = run_one(spec, real_options());
  REQUIRE(has_rate(record));
  if (record.throttle == "cgroup v1" || record.throttle == "cgroup v2") {
    CHECK(record.achieved_cpus < 0.56);
    CHECK(record.achieved_cpus > 0.2);
  }
}

TEST_CASE("command: what rightsize reads of its output is not what the program reads") {
  // 20 MB a second are printed, next to nothing is read.
  auto spec = shell_spec(
      "x=$(printf '%1000s' ''); while :; do i=0; while [ $i -lt 200 ]; do "
      "i=$((i+1)); echo \"$x\"; done; sleep 0.01; done",
      "io");
  spec.timeout_s = 3;
  const auto record = run_one(spec, real_options());
  CHECK(record.status == Status::timed_out);  // not one megabyte was read
}

TEST_CASE("command: a short one is run again and again") {
  const auto record = run_one(shell_spec("sleep 0.05", "exit"), real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median > 2);
  CHECK(record.throughput.median < 20);
}

TEST_CASE("command: one that fails says so with its last words") {
  const auto record =
      run_one(shell_spec("echo loading; echo no such GPU >&2; exit 3", "exit"), real_options());
  CHECK(record.status == Status::failed);
  CHECK(record.reason.find("ended with code 3") != std::string::npos);
  CHECK(record.reason.find("no such GPU") != std::string::npos);
}

TEST_CASE(
    "command: a script without its first line is refused by the kernel, and the reason is said") {
  const TemporaryFolder folder;
  const auto script = folder.path() + "/script";
  std::ofstream(script) << "echo step\n";
  REQUIRE(chmod(script.c_str(), 0755) == 0);
  auto spec = shell_spec("", "exit");
  spec.command.words = {script};
  const auto record = run_one(spec, real_options());
  CHECK(record.status == Status::failed);
  CHECK(record.reason.find("a script needs a first line such as #!/bin/sh") != std::string::npos);
}

TEST_CASE("command: steps that nobody can see are an error that shows what was printed") {
  const auto record =
      run_one(shell_spec("echo iteration one", R"(regex:step (\d+))"), real_options());
  CHECK(record.status == Status::failed);
  CHECK(record.reason ==
        R"(sh ended without a step: no line that it printed matched --steps regex:step (\d+); )"
        R"(the last line was "iteration one"; a line such as "step 1" would be a step)");
}

TEST_CASE(
    "command: a pattern that matches nothing fails the run at its time-out with the last line") {
  auto spec = shell_spec("while :; do echo iteration one; sleep 0.05; done", "regex:never");
  spec.timeout_s = 1;
  const auto record = run_one(spec, real_options());
  CHECK(record.status == Status::failed);
  CHECK(
      record.reason.starts_with("ended without a step after 1 s: no line that it printed matched "
                                "--steps regex:never; the last lines were \"iteration one\", "));
  CHECK(
      record.reason.ends_with("a line such as \"never\" would be a step; --timeout waits longer"));
}

TEST_CASE("command: one that ends early is measured by what it did, or not trusted") {
  const auto record =
      run_one(shell_spec("for i in 1 2 3 4 5 6; do sleep 0.02; echo step; done", "regex:step"),
              real_options());
  CHECK(record.status == Status::untrusted);
  CHECK(record.reason.find("the work ended by itself with 0 windows") == 0);
  CHECK(record.reason.find("more steps or epochs") != std::string::npos);
}

TEST_CASE("command: nothing of it outlives its run, daemons included") {
  const TemporaryFolder folder;
  const auto file = folder.path() + "/pid";
  const auto record =
      run_one(shell_spec("(setsid sh -c 'echo $$ > " + file +
                             "; while :; do sleep 0.1; done' &); " + ticking + "echo step; done",
                         "regex:step"),
              real_options());
  REQUIRE(has_rate(record));
  pid_t daemon = 0;
  std::ifstream(file) >> daemon;
  REQUIRE(daemon > 0);
  CHECK(read_process_tree(daemon).processes == 0);  // gone, or dead and not yet reaped by init
}

TEST_CASE("command: a time-out ends the run, and what left the program's session with it") {
  const TemporaryFolder folder;
  const auto file = folder.path() + "/pid";
  auto spec = shell_spec("(setsid sh -c 'echo $$ > " + file +
                             "; exec sleep 60' < /dev/null > /dev/null 2>&1 &); sleep 60",
                         "regex:never");
  spec.timeout_s = 1;
  const auto record = run_one(spec, real_options());
  CHECK(record.status == Status::timed_out);
  pid_t daemon = 0;
  std::ifstream(file) >> daemon;
  REQUIRE(daemon > 0);
  CHECK(read_process_tree(daemon).processes == 0);  // gone, or dead and not yet reaped by init
}

TEST_CASE("command: a line too long for a pattern is cut, not fatal") {
  const auto record = run_one(
      shell_spec("head -c 60000 /dev/zero | tr '\\0' a; echo; " + ticking + "echo step=$i; done",
                 "regex:(.*)step=([0-9]+)"),
      real_options());
  CAPTURE(record.reason);
  CHECK(record.status != Status::failed);
}

TEST_CASE("command: who waits for a step that never comes is told what was printed instead") {
  std::vector<std::string> notes;
  auto options = real_options();
  options.unseen_steps_note_s = 0.3;
  options.note = [&](const std::string& sentence) { notes.push_back(sentence); };
  auto spec = shell_spec("echo epoch one; sleep 60", R"(regex:step (\d+))");
  spec.timeout_s = 2;
  const auto record = run_one(spec, options);
  REQUIRE(notes.size() == 1);  // once, not with every look
  CHECK(notes[0].starts_with("no step seen in 0.3 s: "));
  CHECK(notes[0].find("epoch one") != std::string::npos);
  CHECK(record.status == Status::failed);

  notes.clear();
  CHECK(has_rate(
      run_one(shell_spec(ticking + "echo step $i; done", R"(regex:step (\d+))"), options)));
  CHECK(notes.empty());
}

TEST_CASE("command: one that prints line upon line and no step is not waited for as if it loaded") {
  auto options = real_options();
  options.loading_s = 20;
  const std::string many = "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; ";
  auto spec = shell_spec(many + "sleep 60", R"(regex:step (\d+))");
  spec.stop.max_s = 1;
  const auto record = run_one(spec, options);
  CHECK(record.status == Status::failed);
  CHECK(record.reason.starts_with("sh printed 3000 lines in 4 s and showed no step: no line"));
  CHECK(record.reason.find("--timeout") != std::string::npos);
  // What loads slowly says less, and has its time.
  auto slow =
      shell_spec("echo loading; sleep 6; " + ticking + "echo step $i; done", R"(regex:step (\d+))");
  slow.stop.max_s = 1;
  CHECK(has_rate(run_one(slow, options)));
}

TEST_CASE("command: one that never shows a step ends by its budget, whatever it was to show") {
  const TemporaryFolder folder;
  auto options = real_options();
  options.loading_s = 0.5;
  for (const auto& steps :
       std::vector<std::string>{"regex:never", "protocol", "file:" + folder.path() + "/none"}) {
    CAPTURE(steps);
    std::vector<std::string> notes;
    options.note = [&](const std::string& sentence) { notes.push_back(sentence); };
    auto spec = shell_spec("echo training; sleep 60", steps);
    spec.stop.max_s = 1;  // its time-out as a whole is 63 s
    const auto record = run_one(spec, options);
    CHECK(record.status == Status::failed);
    CHECK(record.reason.starts_with("ended without a step after 2 s: "));
    CHECK(record.reason.find("\"training\"") != std::string::npos);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].ends_with("the run ends at 2 s without one"));
  }
}

TEST_CASE("command: variables of the run reach the program") {
  auto spec = shell_spec(ticking + "echo $FLAVOUR $i; done", R"(regex:sweet (\d+))");
  spec.timeout_s = 5;
  spec.command.environment = {"FLAVOUR=sweet"};
  CHECK(has_rate(run_one(spec, real_options())));
}

TEST_CASE(
    "command: a pattern that matched once is not told never to have matched, however long ago") {
  const auto record =
      run_one(shell_spec("echo step 1; for i in $(seq 200); do echo saving what was learned; done",
                         R"(regex:step (\d+))"),
              real_options());
  CHECK(record.status == Status::failed);
  CHECK(record.reason.find("no second one came") != std::string::npos);
  CHECK(record.reason.find("no line that it printed matched") == std::string::npos);
}
