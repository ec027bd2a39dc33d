#include "profiler/store/foreign.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "profiler/store/store.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::string hyperfine_file =
    std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/data/foreign/hyperfine.json";

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(read_records(text, "in.json"));
  } catch (const StoreError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("foreign: hyperfine's runs become runs per second with their interval") {
  const auto read = read_records(text_of(hyperfine_file), "hyperfine.json");
  CHECK(read.kind == FileKind::hyperfine);
  REQUIRE(read.records.size() == 2);
  const auto& one = read.records[0];
  CHECK(one.command == "python3 resize.py --threads 1");
  CHECK(one.status == Status::measured);
  CHECK(one.throughput.median == test::approx((1 / 0.505 + 1 / 0.505) / 2));
  CHECK(one.throughput.low >= 1 / 0.526);
  CHECK(one.throughput.high <= 1 / 0.497);
  CHECK(one.throughput.low < one.throughput.high);
  CHECK(one.throughput.samples == 10);
  CHECK(one.step_p50_s == test::approx(0.505));
  CHECK(one.cpu_s_per_item == test::approx(0.501));
  CHECK(one.seconds == test::approx(5.068));
  CHECK(one.peak_rss_bytes == 41963520);
  CHECK(
      one.throttle.empty());  // under which limits, nobody said: no fit takes it for a run of ours
  CHECK(read.records[1].status == Status::untrusted);
  CHECK(read.records[1].reason == "2 of 3 runs did not end with exit code 0");
  CHECK(read.records[1].id != one.id);
}

TEST_CASE("foreign: the records are like all others: stored, exported, imported once") {
  const TemporaryFolder folder;
  Store store(folder / "records.db");
  const auto read = read_records(text_of(hyperfine_file), "hyperfine.json");
  CHECK(store.merge(read.records).added == 2);
  CHECK(store.merge(read.records).unchanged == 2);
  CHECK(store.find(read.records[0].id)->command == read.records[0].command);
  CHECK(store.problems().empty());
}

TEST_CASE("foreign: hyperfine's second format says the same") {
  const auto read = read_records(
      R"({"schema_version": 2, "results": [{"command": "true", "name": "nothing", "measurements": [
          {"time_wall_clock": {"value": 0.5, "unit": "second"},
           "time_user": {"value": 0.25, "unit": "second"},
           "time_system": {"value": 0.125, "unit": "second"},
           "memory_peak_resident": {"value": 1e6, "unit": "byte"}, "exit_code": 0},
          {"time_wall_clock": {"value": 0.5, "unit": "second"},
           "time_user": {"value": 0.25, "unit": "second"},
           "time_system": {"value": 0.125, "unit": "second"},
           "memory_peak_resident": {"value": 2e6, "unit": "byte"}, "exit_code": 0}]}]})",
      "v2.json");
  REQUIRE(read.records.size() == 1);
  CHECK(read.records[0].name == "nothing");
  CHECK(read.records[0].throughput.median == 2);
  CHECK(read.records[0].achieved_cpus == test::approx(0.75));
  CHECK(read.records[0].peak_rss_bytes == 2'000'000);
  CHECK(read.records[0].status == Status::measured);
}

TEST_CASE("foreign: what is not as documented is named by file and field") {
  CHECK(error_of(R"({"results": [{"mean": 1}]})") ==
        "in.json: results[0].command: the field is missing");
  CHECK(error_of(R"({"results": [{"command": "x", "times": []}]})")
            .find("in.json: results[0].user: the field is missing") == 0);
  CHECK(error_of(R"({"results": [{"command": "x", "times": [0], "user": 0, "system": 0}]})")
            .find("in.json: results[0]: expected at least one time") == 0);
  CHECK(error_of(R"({"fio version": "fio-3.33"})").find("in.json: jobs: expected a list") == 0);
  CHECK(error_of("{\"schema\": 1}").find("in.json:1: record.schema: expected a string") == 0);
  CHECK(error_of("[1]").find("in.json: [0]: expected a record") == 0);
  CHECK(error_of("<html>").find("in.json:1: not a record") == 0);
}

namespace {

// `jobs` of one name, of 1000, 2000, ... IOPS, as numjobs without group_reporting writes them.
std::string fio_text(int jobs, const std::string& timestamp = "1795000000") {
  std::string text;
  for (int job = 1; job <= jobs; ++job) {
    text += fmt::format(
        R"({}{{"jobname": "j", "error": 0, "job options": {{"rw": "randread"}}, "usr_cpu": 1,
               "sys_cpu": 1, "read": {{"total_ios": 1000, "io_bytes": 4096000, "runtime": 1000,
               "iops": {}, "iops_mean": 1000, "iops_stddev": 1, "iops_samples": 9}}}})",
        job == 1 ? "" : ", ",
        1000 * job);
  }
  return fmt::format(
      R"({{"fio version": "fio-3.33", "timestamp": {}, "jobs": [{}]}})", timestamp, text);
}

}  // namespace

TEST_CASE("foreign: jobs of one name are repeats, and none takes another's place") {
  const TemporaryFolder folder;
  Store store(folder / "records.db");
  const auto read = read_records(fio_text(4), "fio.json");
  const auto summary = store.merge(read.records);
  CHECK(summary.added == 4);
  CHECK(summary.replaced == 0);
  const auto records = store.all();
  REQUIRE(records.size() == 4);
  for (int i = 0; i < 4; ++i) {
    CHECK(records[static_cast<std::size_t>(i)].repeat == i);
    CHECK(records[static_cast<std::size_t>(i)].throughput.median == 1000 * (i + 1));
  }
  CHECK(records[0].id == read_records(fio_text(1), "fio.json").records.at(0).id);
  CHECK(store.merge(read.records).unchanged == 4);
}

TEST_CASE("foreign: a time that no clock shows is refused with the file and the field") {
  CHECK(error_of(fio_text(1, "1000000000000000000")) ==
        "in.json: timestamp: expected seconds since 1970, before the year 10000, saw "
        "1000000000000000000");
  CHECK(error_of(R"({"results": [{"command": "x", "times": [1e-310], "user": 0, "system": 0}]})")
            .find("in.json: results[0]: expected at least one time") == 0);
}

TEST_CASE("foreign: a list of records is a file of records") {
  Record record;
  record.id = "a";
  const auto text = boost::json::serialize(boost::json::array{to_json(record)});
  const auto read = read_records(text, "list.json");
  CHECK(read.kind == FileKind::records);
  CHECK(read.records.at(0).id == "a");
}

TEST_CASE("foreign: what fio writes on this machine is a record of requests per second") {
  if (std::system("fio --version >/dev/null 2>&1") != 0) {
    MESSAGE("skipped: fio is not installed (./dev setup installs it)");
    return;
  }
  const TemporaryFolder folder;
  const auto out = folder / "fio.json";
  const auto command =
      "cd " + folder.path() +
      " && fio --name=mixed --rw=randrw --bs=4k --size=4M --time_based --runtime=1 "
      "--status-interval=10 --output-format=json --output=" +
      out + " >/dev/null 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
  const auto read = read_records(text_of(out), out);
  CHECK(read.kind == FileKind::fio);
  REQUIRE(read.records.size() == 2);
  const auto& reads = read.records[0];
  CHECK(reads.name == "mixed read");
  CHECK(reads.command.starts_with("fio --name=mixed"));
  CHECK(reads.command.find("--rw=randrw") != std::string::npos);
  CHECK(reads.items > 0);
  CHECK(reads.bytes_requested == reads.items * 4096);
  CHECK(reads.throughput.median ==
        test::approx(static_cast<double>(reads.items) / reads.seconds).epsilon(0.05));
  CHECK(reads.throughput.low <= reads.throughput.median);
  CHECK(reads.step_p50_s > 0);
  CHECK(reads.step_p99_s >= reads.step_p50_s);
  CHECK(reads.disk_read_bytes == 0);  // not direct: nobody knows
  CHECK(reads.throttle_notes.size() == 2);
  CHECK(reads.software.at("fio").starts_with("fio-"));
  CHECK(reads.started_at.ends_with("Z"));
}
