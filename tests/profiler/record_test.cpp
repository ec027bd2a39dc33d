#include "profiler/record.h"

#include <boost/json.hpp>
#include <doctest/doctest.h>

using namespace rightsize;

namespace {

Record full_record() {
  Record record;
  record.id = "00112233445566ff";
  record.name = "resnet50 cpus=2";
  record.campaign = "demo";
  record.started_at = "2026-11-21T12:00:00Z";
  record.repeat = 2;
  record.hold_out = true;
  record.workload.network = "alexnet";
  record.limits = {1.5, 512ULL << 20, 40e6, 20e6, 500, 400, "avx2"};
  record.machine.cpu_model = "a CPU";
  record.machine.cpus = 2;
  record.machine.isa_flags = {"avx2", "fma"};
  record.machine.gpus = {{"NVIDIA H100", 80ULL << 30, "580.1", "9.0"}};
  record.machine.disks = {{"vda", "/", "ext4", "model", true, 100, 50}};
  record.dataset_items = 1000;
  record.dataset_bytes = 123456789012345ULL;
  record.loader_threads = 2;
  record.engine_threads = 3;
  record.status = Status::untrusted;
  record.reason = "noise";
  record.throughput = {412.25, 400.5, 420.125, 0.0125, 17};
  record.cold_items_per_s = 88.5;
  record.step_p99_s = 0.25;
  record.items = 544;
  record.seconds = 1.32;
  record.stages = {1, 2, 3, 4, 5, 6, 7};
  record.cpu_s_per_item = 0.001;
  record.bytes_requested = 10;
  record.disk_read_bytes = 9;
  record.epochs = 3;
  record.steal_share = 0.01;
  record.neighbour_cpus = 0.5;
  record.last_loss = 2.25;
  record.throttle = "cgroup v1";
  record.throttle_notes = {"one", "two"};
  record.software = {{"oneDNN", "2.6.3"}};
  record.timeline = {{0.1, 1.5, 100, 200, 3e6, 4e6}, {0.2, 1.4, 101, 201, 3e5, 4e5}};
  return record;
}

}  // namespace

TEST_CASE("record: JSON round trip through text keeps every field") {
  const auto text = boost::json::serialize(to_json(full_record()));
  const auto back = record_from_json(boost::json::parse(text).as_object());
  CHECK(boost::json::serialize(to_json(back)) == text);
  CHECK(back.limits == full_record().limits);
  CHECK(back.machine == full_record().machine);
  CHECK(back.workload == full_record().workload);
  CHECK(back.status == Status::untrusted);
  CHECK(back.dataset_bytes == 123456789012345ULL);
  REQUIRE(back.timeline.size() == 2);
  CHECK(back.timeline[1].disk_write_bytes_per_s == 4e5);
  CHECK(back.cold_items_per_s == 88.5);
  CHECK_FALSE(back.first_loss.has_value());
  CHECK(back.last_loss == 2.25);
}

TEST_CASE("record: fields of a later version are ignored") {
  auto object = to_json(full_record());
  object["colour"] = "green";
  object["machine"].as_object()["smell"] = 1;
  CHECK(record_from_json(object).id == "00112233445566ff");
}

TEST_CASE("record: a missing or mistyped field is named with its path") {
  auto object = to_json(full_record());
  object.erase("seconds");
  CHECK_THROWS_WITH_AS(static_cast<void>(record_from_json(object)),
                       "record.seconds: the field is missing",
                       RecordError);
  object = to_json(full_record());
  object["throughput"].as_object()["median"] = "fast";
  CHECK_THROWS_WITH_AS(static_cast<void>(record_from_json(object)),
                       "record.throughput.median: expected a number, saw \"fast\"",
                       RecordError);
  object = to_json(full_record());
  object["timeline"].as_array()[1].as_object()["rss_bytes"] = -1;
  CHECK_THROWS_WITH_AS(static_cast<void>(record_from_json(object)),
                       "record.timeline[1].rss_bytes: expected an integer in range, saw -1",
                       RecordError);
  object = to_json(full_record());
  object["limits"].as_object().erase("isa");
  CHECK_THROWS_WITH_AS(static_cast<void>(record_from_json(object)),
                       "record.limits: limits.isa: the field is missing",
                       RecordError);
}

TEST_CASE("record: a foreign schema or status is refused by name") {
  auto object = to_json(full_record());
  object["schema"] = "rightsize/record/9";
  CHECK_THROWS_WITH(static_cast<void>(record_from_json(object)),
                    doctest::Contains("rightsize/record/9"));
  object = to_json(full_record());
  object["status"] = "splendid";
  CHECK_THROWS_WITH(static_cast<void>(record_from_json(object)), doctest::Contains("splendid"));
}

TEST_CASE("record: only a measured throughput is usable in a fit") {
  auto record = full_record();
  CHECK_FALSE(is_usable(record));
  record.status = Status::measured;
  CHECK(is_usable(record));
  record.throughput.median = 0;
  CHECK_FALSE(is_usable(record));
}
