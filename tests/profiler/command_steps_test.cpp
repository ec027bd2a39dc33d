// How the steps of the user's own program are seen, however it tells of them.
#include <algorithm>
#include <fstream>
#include <string_view>

#include <doctest/doctest.h>

#include "shell_run.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::has_rate;
using test::real_options;
using test::shell_spec;
using test::ticking;

namespace {

bool has_note(const Record& record, std::string_view words) {
  return std::ranges::any_of(record.throttle_notes, [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("command: steps by a pattern, with a number that counts every tenth") {
  auto spec = shell_spec(ticking + "[ $((i % 10)) = 0 ] && echo \"step $i of many\"; done",
                         R"(regex:step (\d+))");
  spec.command.items_per_step = 4;
  const auto record = run_one(spec, real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median > 40);  // 4 items, 50 steps a second, on a busy machine fewer
  CHECK(record.throughput.median < 210);
  CHECK(record.step_p50_s > 0.019);  // a step's time, not that of the ten between two lines
  CHECK(record.step_p50_s < 0.1);
  CHECK(record.command.starts_with("sh -c 'i=0;"));
  CHECK(record.software.at("steps") == R"(regex:step (\d+))");
}

TEST_CASE("command: steps by the protocol, with items, epochs and a loss") {
  const auto record =
      run_one(shell_spec(ticking + "echo \"step 8\" >&$RIGHTSIZE_STEP_FD; "
                                   "[ $((i % 20)) = 0 ] && echo epoch >&$RIGHTSIZE_STEP_FD; "
                                   "echo \"loss 0.5\" >&$RIGHTSIZE_STEP_FD; done",
                         "protocol"),
              real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median > 80);
  CHECK(record.throughput.median < 410);
  CHECK(record.epochs >= 1);
  CHECK(record.last_loss == 0.5);
}

TEST_CASE("command: a line of the protocol that is no step counts for none, and is told once") {
  const auto record = run_one(shell_spec(ticking + "printf 'step abc\\nstep -5\\nfoo\\nstep 2\\n' "
                                                   ">&$RIGHTSIZE_STEP_FD; done",
                                         "protocol"),
                              real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median < 105);  // 2 items, 50 steps a second
  CHECK(has_note(record, "was no step: \"step abc\""));
}

TEST_CASE("command: two counters under one pattern are counted as they rise, and told") {
  const auto record =
      run_one(shell_spec("i=0; while :; do for k in 1 2 3 4 5; do i=$((i+1)); sleep 0.02; "
                         "echo \"train step $i\"; done; for k in 1 2 3; do sleep 0.02; "
                         "echo \"eval step $k\"; done; done",
                         R"(regex:step (\d+))"),
              real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median < 60);
  CHECK(has_note(record, "matches two counters"));
}

TEST_CASE("command: a counter of items that is said to be one of steps is told") {
  auto spec = shell_spec("i=0; while :; do i=$((i+8)); sleep 0.02; echo \"seen $i\"; done",
                         R"(regex:seen (\d+))");
  const auto as_said = run_one(spec, real_options());
  CHECK_FALSE(has_note(as_said, "--items-per-step 1 is right"));
  spec.command.items_per_step = 8;
  const auto multiplied = run_one(spec, real_options());
  REQUIRE(has_rate(multiplied));
  CHECK(multiplied.throughput.median > 6 * as_said.throughput.median);
  CHECK(has_note(multiplied, "rises by 8 each time"));
}

TEST_CASE("command: steps by a file that the program rewrites") {
  const TemporaryFolder folder;
  const auto file = folder.path() + "/steps";
  std::ofstream(file) << "1000\n";  // of an earlier run
  const auto record = run_one(
      shell_spec(ticking + "echo $i > $RIGHTSIZE_STEP_FILE; done", "file:" + file), real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median > 10);
  CHECK(record.throughput.median < 55);
}

TEST_CASE("command: progress by what it reads") {
  const auto record = run_one(
      shell_spec("while :; do head -c 3000000 /dev/zero > /dev/null; sleep 0.01; done", "io"),
      real_options());
  REQUIRE(has_rate(record));
  CHECK(record.throughput.median > 3);  // megabytes a second
}
