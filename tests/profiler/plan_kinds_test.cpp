// Plans of servers and of differentials: what one entry of a campaign becomes.
#include <set>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "profiler/campaign/differential.h"
#include "support/approx.h"
#include "support/plan_text.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const auto parse = test::parsed_plan;
const auto error_of = test::plan_error;

}  // namespace

TEST_CASE("plan: a run longer than anybody waits for names its field and the limit") {
  for (const auto* given : {"seconds = 1e300", "warmup = inf", "timeout = \"31d\""}) {
    CAPTURE(given);
    const auto error = error_of(std::string("[[run]]\nname = \"a\"\n") + given + "\n");
    CHECK(error.find(std::string(given).substr(0, 6)) != std::string::npos);
    CHECK(error.find("30 days at most") != std::string::npos);
  }
  CHECK(error_of("[[run]]\nname = \"a\"\nseconds = \"30d\"\n") == "no error");
  CHECK(error_of("[[run]]\nname = \"a\"\ncpus = inf\n").find("cpus") != std::string::npos);
}

TEST_CASE("plan: too many runs are refused before any network or data set is looked at") {
  int looked = 0;
  PlanOptions options;
  options.check_network = [&](const Workload&) { ++looked; };
  options.identify = [&](DataFormat, const std::string&) {
    ++looked;
    return DatasetIdentity{};
  };
  CHECK_THROWS_WITH_AS(
      static_cast<void>(parse_plan("[[run]]\nname = \"a\"\nrepeats = 50000\n"
                                   "axes = {batch = \"1:500:+1\", seed = \"1:100:+1\"}\n",
                                   "c.toml",
                                   options)),
      doctest::Contains("up to here 2500000000 runs, with repeats = 50000: expected 100000"),
      PlanError);
  CHECK(looked == 0);
}

TEST_CASE("plan: a server's fields make a run of requests, and axes of load") {
  const auto plan = parse(R"(
[[run]]
name = "server"
network = "resnet50"
serve = true
max_batch = 8
max_delay = "5ms"
seconds = 20
axes = {qps = [10, 20.5]}
)");
  REQUIRE(plan.runs.size() == 2);
  const auto& run = plan.runs[1];
  REQUIRE(run.workload.requests.has_value());
  CHECK(run.workload.requests->per_s == 20.5);
  CHECK(run.workload.requests->max_delay_s == 0.005);
  CHECK(run.workload.phase == Phase::infer);
  CHECK(run.workload.batch == 8);
  CHECK(run.stop.whole_time);
  CHECK(run_id(run) != run_id(plan.runs[0]));
  CHECK(repro_line(run) ==
        "rightsize profile --phase infer --network resnet50 --serve --qps 20.5 --max-batch 8 "
        "--max-delay 0.005s --seconds 20");
  CHECK(run_spec_from_json(to_json(run)) == run);
}

TEST_CASE("plan: what does not go together in a server is refused") {
  const auto error = [](const std::string& fields) {
    return error_of("[[run]]\nname = \"a\"\n" + fields);
  };
  const auto says = [&](const std::string& fields, const std::string& words) {
    const auto message = error(fields);
    CAPTURE(message);
    CHECK(message.find(words) != std::string::npos);
  };
  says("qps = 5", "describe a server; add serve");
  says("serve = true", "serve needs qps");
  says("serve = true\nqps = 0", "requests per second, above 0");
  says("serve = true\nqps = 5\nphase = \"train\"", "expected phase = \"infer\"");
  says("serve = true\nqps = 5\nbatch = 4", "expected max_batch in its place");
  says("serve = true\nqps = 5\nranks = 2", "expected data = synthetic and ranks = 1");
  says("serve = true\nqps = 5\nmax_delay = 5", "a time with its unit");
  CHECK(error("serve = true\nqps = 5\nmax_delay = 0") == "no error");
  says("serve = true\nqps = 5\narrivals = \"bursty:0\"", "expected poisson, bursty:K");
  says("serve = true\narrivals = \"none.txt\"", "folder/none.txt: cannot be read");
  says("serve = true\nqps = 5\narrivals = \"none.txt\"", "both say how many requests come");
  says("serve = true\nqps = 5\ncommand = \"sh -c true\"", "brings its own work");
}

TEST_CASE("plan: a differential is three runs that share an id") {
  const auto plan = parse(R"(
[[run]]
name = "job"
network = "alexnet"
data = "recordio"
data_path = "train.rec"
differential = true
axes = {disk_read = ["20MB/s", "40MB/s"]}
)");
  REQUIRE(plan.runs.size() == 6);  // those without the disk are not shared: each belongs to a set
  const auto& synthetic = plan.runs[0];
  const auto& cached = plan.runs[1];
  const auto& cold = plan.runs[2];
  CHECK(synthetic.part == "synthetic");
  CHECK(synthetic.workload.data == DataFormat::synthetic);
  CHECK(synthetic.dataset_items == 0);
  CHECK(cached.part == "cached");
  CHECK(cached.limits.disk_read_bytes_per_s == 0);
  CHECK(cached.workload.data_path == "folder/train.rec");
  CHECK(cold.part == "cold");
  CHECK(cold.limits.disk_read_bytes_per_s == 20e6);
  CHECK(cold.stop.max_epochs == 1);
  CHECK(synthetic.differential == cold.differential);
  CHECK(synthetic.differential != plan.runs[3].differential);
  CHECK(repro_line(cached) == repro_line(cold));
  CHECK(repro_line(cold).ends_with(" --differential"));
}

TEST_CASE("plan: the differential of the user's program is told how to make data up") {
  const TemporaryFolder folder;
  const auto text = R"(
[[run]]
name = "job"
command = ["sh", "-c", "true"]
data_path = ")" + folder.path() +
                    R"("
steps = "io"
differential = true
)";
  const auto plan = parse(text + "synthetic = \"FAKE=1 --data none a=b=c 1=2\"\n");
  REQUIRE(plan.runs.size() == 3);
  CHECK(plan.runs[0].command.environment == std::vector<std::string>{"FAKE=1", "a=b=c"});
  CHECK(plan.runs[0].command.words ==
        std::vector<std::string>{"sh", "-c", "true", "--data", "none", "1=2"});
  CHECK(plan.runs[1].command.environment.empty());
  CHECK(repro_line(plan.runs[0])
            .find(" --differential --synthetic 'FAKE=1 --data none a=b=c 1=2' -- "
                  "sh -c true") != std::string::npos);
  CHECK(error_of(text).find("expected synthetic beside it") != std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\ndifferential = true\n").find("reads data") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\nsynthetic = \"A=1\"\n").find("expected differential") !=
        std::string::npos);
}

TEST_CASE("differential: shares of the cold part's time, with the range of the rates' intervals") {
  const auto part = [](const std::string& name, double rate) {
    Record record;
    record.differential = "d";
    record.part = name;
    record.status = Status::measured;
    record.throughput = {rate, 0.9 * rate, 1.1 * rate, 0.05, 7};
    return record;
  };
  std::vector<Record> records{part("synthetic", 100), part("cached", 50)};
  CHECK(stalls_in(records).empty());
  records.push_back(part("cold", 25));  // 10 ms, 20 ms, 40 ms an item
  const auto stalls = stalls_in(records);
  REQUIRE(stalls.size() == 1);
  CHECK(stalls[0].compute.value == test::approx(0.25));
  CHECK(stalls[0].prep.value == test::approx(0.25));
  CHECK(stalls[0].fetch.value == test::approx(0.5));
  // 20 / 1.1 ms at the quickest, 40 / 0.9 ms at the slowest, and the other way round.
  CHECK(stalls[0].fetch.high == test::approx((40 / 0.9 - 20 / 1.1) / (40 / 0.9)));
  CHECK(stalls[0].fetch.low == test::approx((40 / 1.1 - 20 / 0.9) / (40 / 1.1)));
  records[1].throughput.median = 120;  // noise: faster than without data
  CHECK(stalls_in(records)[0].prep.value == 0);
  for (const auto& [cached, cold] : {std::pair(120.0, 25.0), {120.0, 110.0}, {50.0, 60.0}}) {
    CAPTURE(cached);
    records[1].throughput.median = cached;
    records[2].throughput.median = cold;
    const auto noisy = stalls_in(records)[0];  // 10 ms an item without data
    CHECK(noisy.compute.value + noisy.prep.value + noisy.fetch.value == test::approx(1));
    CHECK(noisy.fetch.value == test::approx(std::max(0.0, 1 - cold / cached)));
  }
  records[2].throughput = {};
  CHECK(stalls_in(records).empty());
}

TEST_CASE("differential: each repeat is compared with its own parts") {
  std::vector<Record> records;
  for (const int repeat : {0, 1}) {
    for (const auto& [name, rate] :
         {std::pair("synthetic", 100.0), std::pair("cached", 50.0), std::pair("cold", 25.0)}) {
      auto& record = records.emplace_back();
      record.differential = "d";
      record.part = name;
      record.repeat = repeat;
      record.throughput = {rate, rate, rate, 0, 7};
    }
  }
  records.back().throughput.median = 20;  // the second cold run: 50 ms an item
  auto stalls = stalls_in(records);
  REQUIRE(stalls.size() == 2);
  CHECK(stalls[0].cold == &records[2]);
  CHECK(stalls[0].fetch.value == test::approx(0.5));
  CHECK(stalls[1].cached == &records[4]);
  CHECK(stalls[1].cold == &records[5]);
  CHECK(stalls[1].fetch.value == test::approx(0.6));
  records.pop_back();  // a repeat without one of its parts says nothing
  CHECK(stalls_in(records).size() == 1);
}
