// What the simulator is made of, piece by piece: timers, shared CPUs, limited disks, random
// numbers.
#include <algorithm>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "models/simulate/cpu_pool.h"
#include "models/simulate/random.h"
#include "models/simulate/timers.h"
#include "models/simulate/token_bucket.h"
#include "support/approx.h"

using namespace rightsize;
using namespace rightsize::simulate;

TEST_CASE("timers: the earliest first, equal times by slot, a timer set anew replaces the old") {
  Timers timers(5);
  CHECK(timers.due() == never);
  timers.set(4, 5);
  timers.set(2, 3);
  timers.set(1, 5);
  CHECK(timers.first() == 2);
  timers.set(2, never);
  CHECK(timers.due() == 5);
  CHECK(timers.first() == 1);
  timers.set(1, 9);
  CHECK(timers.first() == 4);
  Random random(3);  // against the plain minimum
  Timers many(37);
  std::vector<Nanoseconds> due(37, never);
  for (int i = 0; i < 2000; ++i) {
    const auto slot = static_cast<std::size_t>(random.next() % due.size());
    due[slot] = static_cast<Nanoseconds>(random.next() % 50);
    many.set(slot, due[slot]);
    const auto first = std::min_element(due.begin(), due.end());
    REQUIRE(many.due() == *first);
    REQUIRE(many.first() == static_cast<std::size_t>(first - due.begin()));
  }
}

TEST_CASE("cpu pool: two jobs on one core take turns") {
  CpuPool pool(1.0, 3);
  pool.start(0, 1, 1.0);
  pool.start(0, 2, 3.0);
  const Nanoseconds first = pool.next();
  CHECK(to_seconds(first) == test::approx(2.0));  // shares the core until then
  CHECK(pool.complete(first) == 1);
  const Nanoseconds second = pool.next();
  CHECK(to_seconds(second) == test::approx(4.0));
  CHECK(pool.complete(second) == 2);
  CHECK(pool.next() == never);
  CHECK(pool.busy_core_seconds(second) == test::approx(4.0));
}

TEST_CASE("cpu pool: a job of two threads gets two shares, and never more cores than it has") {
  CpuPool pool(3.0, 2);
  pool.start(0, 0, 4.0, 2);  // alone on two of three cores
  CHECK(to_seconds(pool.next()) == test::approx(2.0));
  pool.start(0, 1, 6.0, 4);  // now six threads on three cores: half a core each
  CHECK(to_seconds(pool.next()) == test::approx(3.0));
  CHECK(pool.complete(pool.next()) == 1);
  CHECK(to_seconds(pool.next()) == test::approx(3.0 + (4.0 - 3.0) / 2));
}

TEST_CASE("random: the portable logarithm is the logarithm") {
  Random random(9);
  for (int i = 0; i < 1000; ++i) {
    const double x = random.uniform() * 3 + 1e-12;
    CHECK(portable_log(x) == test::approx(std::log(x)).epsilon(1e-13));
  }
}

TEST_CASE("token bucket: idle time is saved up, and long use goes at the limit") {
  constexpr Nanoseconds ms = 1'000'000;
  TokenBucket bucket(10 * ms, 4);
  // 5 ms of tokens a request, 1 ms of the device: three are in the bucket (10 ms and the first,
  // that is let in while anything is left), then one every 5 ms.
  std::vector<Nanoseconds> done;
  for (std::size_t actor = 0; actor < 4; ++actor) {
    bucket.start(0, actor, 5 * ms, ms);
  }
  for (std::size_t actor = 0; actor < 4; ++actor) {
    done.push_back(bucket.next());
    CHECK(bucket.complete(bucket.next()) == actor);
  }
  CHECK(done == std::vector<Nanoseconds>{ms, 2 * ms, 3 * ms, 6 * ms});
  CHECK(bucket.next() == never);
  CHECK(bucket.busy_seconds() == test::approx(0.020));
  bucket.start(100 * ms, 0, 5 * ms, ms);  // full again
  CHECK(bucket.next() == 101 * ms);
}

TEST_CASE("cpu pool: half a CPU is a whole one for half of each period") {
  constexpr Nanoseconds ms = 1'000'000;
  CpuPool pool(0.5, 1, {100 * ms, 1.0});
  pool.start(0, 0, 0.12);  // 50 ms in each of two periods, 20 ms in the third
  std::vector<Nanoseconds> turns;
  std::size_t actor = CpuPool::none;
  Nanoseconds now = 0;
  while (actor == CpuPool::none) {
    now = pool.next();
    actor = pool.complete(now);
    turns.push_back(now);
  }
  CHECK(actor == 0);
  CHECK(turns == std::vector<Nanoseconds>{50 * ms, 100 * ms, 150 * ms, 200 * ms, 220 * ms});
  CHECK(pool.busy_core_seconds(now) == test::approx(0.12));
  CHECK(pool.next() == never);
  pool.start(1000 * ms, 0, 0.02);  // periods passed that nobody used: nothing is saved up
  CHECK(pool.next() == 1020 * ms);
}

TEST_CASE("cpu pool: a quota of many cores is spent to the last of it and never beyond") {
  // Capacities as contention leaves them: no round numbers of nanoseconds.
  for (const double cores : {2.9137, 3.7211, 9.3303}) {
    constexpr Nanoseconds period = 100'000'000;
    constexpr std::size_t actors = 16;
    CpuPool pool(cores, actors, {period, cores * 1.13});
    for (std::size_t actor = 0; actor < actors; ++actor) {
      pool.start(0, actor, 1.4e-3);
    }
    double done_s = 0;
    Nanoseconds now = 0;
    while (now < 20 * period) {
      now = pool.next();
      const auto actor = pool.complete(now);
      if (actor != CpuPool::none) {
        done_s += 1.4e-3;
        pool.start(now, actor, 1.4e-3);
      }
    }
    CAPTURE(cores);
    CHECK(done_s == test::approx(20 * cores * 0.1).epsilon(0.02));
    CHECK(pool.busy_core_seconds(now) <= 20 * cores * 0.1 * (1 + 1e-6) + cores * 0.1);
  }
}

TEST_CASE("cpu pool: without a quota there is none to renew, however late it is") {
  CpuPool pool(2.0, 1);
  pool.start(never + 1, 0, 1.0);
  CHECK(pool.next() == never + 1 + from_seconds(1));
  CHECK(pool.complete(pool.next()) == 0);
}
