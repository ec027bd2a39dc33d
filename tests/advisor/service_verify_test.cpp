// One replica of a fleet, served here under its share of the load.
#include "advisor/service/service_verify.h"

#include <doctest/doctest.h>

#include "advisor/service_world.h"
#include "advisor/suppose/appraisal.h"
#include "support/approx.h"

using namespace rightsize;
using test::answering;

TEST_CASE("service verify: the run is one replica's share, and its latencies are the law's") {
  const auto known = test::service_world();
  const auto query = answering();
  Appraiser appraiser(query, known.evidence());
  const auto four = appraiser.appraise("v100.four");
  Machine here;
  here.cpus = 2;
  here.memory_bytes = 8ULL << 30;
  const auto run = service_run(four.option, four.candidate, query, known.model, here, 20);
  const auto& requests = *run.spec.workload.requests;
  CHECK(requests.per_s == test::approx(1500.0 / (4 * four.option.service->machines)));
  CHECK(run.spec.workload.engine == EngineKind::replay);
  CHECK(run.scale == 1);
  CHECK(run.p99.low <= run.p99.value);
  CHECK(run.p99.value <= run.p99.high);
  Record record;
  record.status = Status::measured;
  record.served.emplace();
  record.served->p99_s = run.p99.value;
  record.served->answered_per_s = requests.per_s;
  CHECK(service_verification(run, record).passes());
  CHECK(service_verification(run, record).believed);
  record.status = Status::untrusted;
  CHECK_FALSE(service_verification(run, record).believed);
  record.status = Status::measured;
  record.served->p99_s = 2 * run.p99.high;
  CHECK_FALSE(service_verification(run, record).passes());
  record.served->p99_s = run.p99.value;
  record.served->saturated = true;
  CHECK_FALSE(service_verification(run, record).passes());
}

TEST_CASE("service verify: alone, a request waits for its own minibatch and nothing else") {
  Requests rare;
  rare.per_s = 0.5;
  const StepTimeLaw time{0.002, 0.001};
  const auto latencies = played_latencies(rare, 1, 8, time, 200);
  REQUIRE(latencies.size() > 50);
  std::size_t alone = 0;
  for (const double latency : latencies) {
    CHECK(latency >= 0.003 - 1e-9);
    alone += latency < 0.003 + 1e-9 ? 1 : 0;
  }
  CHECK(static_cast<double>(alone) > 0.95 * static_cast<double>(latencies.size()));
}
