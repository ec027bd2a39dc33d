#include "profiler/measure/stopping.h"

#include <random>

#include <doctest/doctest.h>

using namespace rightsize;

TEST_CASE("stopping: warm-up lasts until three rates agree") {
  StoppingRule rule({});
  CHECK(rule.add(10, 0.5));
  CHECK(rule.add(50, 0.5));
  CHECK(rule.add(99, 0.5));
  CHECK(rule.add(100, 0.5));
  CHECK(rule.add(101, 0.5));  // the third that agrees still belongs to the warm-up
  CHECK(rule.warm());
  CHECK_FALSE(rule.add(100, 0.5));
  CHECK(rule.warmup_s() == 2.5);
}

TEST_CASE("stopping: warm-up ends at its limit however unsteady the rates are") {
  StopOptions options;
  options.max_warmup_s = 1;
  StoppingRule rule(options);
  CHECK(rule.add(10, 0.5));
  CHECK(rule.add(100, 0.5));
  CHECK_FALSE(rule.add(10, 0.5));
}

TEST_CASE("stopping: quiet rates stop as soon as the least time and windows are there") {
  StoppingRule rule({});
  int windows = 0;
  while (rule.verdict(0, false) == StopVerdict::go_on) {
    rule.add(100 + windows % 2, 0.5);
    ++windows;
  }
  CHECK(rule.verdict(0, false) == StopVerdict::enough);
  CHECK(windows == 3 + 6);  // three to settle, six measured
}

TEST_CASE("stopping: with a dataset it waits for the epochs") {
  StoppingRule rule({});
  for (int i = 0; i < 12; ++i) {
    rule.add(100, 0.5);
  }
  CHECK(rule.verdict(1, true) == StopVerdict::go_on);
  CHECK(rule.verdict(2, true) == StopVerdict::enough);
  CHECK(rule.verdict(0, false) == StopVerdict::enough);
}

TEST_CASE("stopping: wild rates are stable but noisy when the time is up") {
  StopOptions options;
  StoppingRule rule(options);
  int windows = 0;
  while (rule.verdict(0, false) == StopVerdict::go_on) {
    rule.add(windows % 2 == 0 ? 50 : 150, 0.5);
    ++windows;
  }
  CHECK(rule.verdict(0, false) == StopVerdict::noisy);
  CHECK(windows == 20);
  CHECK(rule.reason().find("stable but noisy") == 0);
}

TEST_CASE("stopping: it gives up early when the budget cannot make the noise small enough") {
  StopOptions options;
  options.max_s = 30;
  options.max_warmup_s = 1;
  StoppingRule rule(options);
  double seconds = 0;
  for (int i = 0; rule.verdict(0, false) == StopVerdict::go_on; ++i) {
    rule.add(i % 2 == 0 ? 10 : 190, 0.5);
    seconds += 0.5;
  }
  CHECK(rule.verdict(0, false) == StopVerdict::noisy);
  CHECK(seconds < 20);
}

TEST_CASE("stopping: a restart forgets the rates of the cold epoch") {
  StoppingRule rule({});
  for (int i = 0; i < 8; ++i) {
    rule.add(10, 0.5);
  }
  rule.restart();
  CHECK(rule.noise() == 1);
  for (int i = 0; i < 6; ++i) {
    rule.add(100, 0.5);
  }
  CHECK(rule.noise() == 0);
}

TEST_CASE("stopping: work that ended by itself is not told to take more time") {
  StopOptions options;
  options.window_s = 0.25;
  options.max_warmup_s = 0.25;
  StoppingRule rule(options);
  rule.add(10, 0.25);
  rule.add(10, 0.25);
  CHECK(rule.verdict_at_end() == StopVerdict::noisy);
  CHECK(rule.reason_at_end() ==
        "the work ended by itself with 1 window of 0.25 s after warm-up, and 3 are needed; let it "
        "make more steps or epochs, or lower warmup and window");
}

TEST_CASE("stopping: without warm-up every window counts") {
  StopOptions options;
  options.max_warmup_s = 0;
  StoppingRule rule(options);
  CHECK_FALSE(rule.add(10, 0.25));
  CHECK_FALSE(rule.add(12, 0.25));
}
