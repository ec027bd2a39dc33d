// Records from elsewhere that say what cannot be.
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "made_record.h"
#include "profiler/store/store.h"
#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("store: what no run can have measured is not imported, and named") {
  const TemporaryFolder folder;
  Store store(folder / "records.db");
  const auto refusal = [&](auto&& spoil) {
    auto record = test::make_record("a");
    spoil(record);
    std::stringstream lines;
    lines << boost::json::serialize(to_json(record)) << "\n";
    try {
      static_cast<void>(store.merge(read_jsonl(lines, "in.jsonl")));
    } catch (const StoreError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(refusal([](Record& r) { r.throughput.median = -5; }) ==
        "in.jsonl:1: record.throughput.median: expected at least 0, saw -5");
  CHECK(refusal([](Record& r) { r.throughput.low = 1e9; }) ==
        "in.jsonl:1: record.throughput.low: expected 0 to the median, 400, saw 1000000000");
  CHECK(refusal([](Record& r) { r.throughput.high = 3; }).find("throughput.high: expected") !=
        std::string::npos);
  CHECK(refusal([](Record& r) { r.limits.cpus = -1; }).find("limits.cpus: expected at least 0") !=
        std::string::npos);
  CHECK(refusal([](Record& r) { r.workload.batch = -3; }).find("workload.batch: expected") !=
        std::string::npos);
  CHECK(refusal([](Record& r) {
          r.started_at = "yesterday";
        }).find("started_at: expected a time") != std::string::npos);
  CHECK(store.size() == 0);
  CHECK(refusal([](Record& r) { r.started_at = "2026-11-17T10:00:00Z"; }) == "no error");
  CHECK(store.size() == 1);
}
