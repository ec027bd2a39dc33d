#include "profiler/campaign/plan.h"

#include <filesystem>
#include <fstream>
#include <set>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "profiler/campaign/differential.h"
#include "profiler/campaign/excess.h"
#include "profiler/campaign/units.h"
#include "profiler/command/named_files.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

Plan parse(const std::string& text) {
  PlanOptions options;
  options.identify = [](DataFormat, const std::string&) { return DatasetIdentity{100, 12345}; };
  return parse_plan(text, "folder/demo.toml", options);
}

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const PlanError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("plan: options that would have no effect are refused") {
  const auto error = [](const std::string& fields) -> std::string {
    try {
      static_cast<void>(parse_plan("[[run]]\nname = \"a\"\n" + fields, "c.toml"));
      return "";
    } catch (const PlanError& refused) {
      return refused.what();
    }
  };
  CHECK(error("steps = \"io\"").find("go with command") != std::string::npos);
  CHECK(error("gpu_memory = \"8GiB\"").find("expected engine = gpu beside it, saw cpu") !=
        std::string::npos);
  CHECK(error("command = \"sh -c true\"\nsteps = \"io\"").empty());
  CHECK(error("engine = \"gpu\"\ngpu_memory = \"8GiB\"").empty());
}

TEST_CASE("plan: axes make every combination, ranges and lists alike") {
  const auto plan = parse(R"(
name = "sweep"
[defaults]
network = "alexnet"
seconds = "6s"
repeats = 2
[[run]]
name = "grid"
axes = {cpus = "0.5:2:x2", memory = ["256MiB", "1GiB"]}
hold_out = [{cpus = 1, memory = "1GiB"}]
)");
  CHECK(plan.name == "sweep");
  REQUIRE(plan.runs.size() == 12);
  std::set<std::string> ids;
  int held = 0;
  for (const auto& run : plan.runs) {
    ids.insert(run_id(run));
    held += run.hold_out ? 1 : 0;
    CHECK(run.workload.network == "alexnet");
    CHECK(run.stop.max_s == 6);
    CHECK(run.campaign == "sweep");
  }
  CHECK(ids.size() == 12);
  CHECK(held == 2);  // one cell, twice
  CHECK(plan.runs[0].name == "grid cpus=0.5 memory=256MiB");
  CHECK(plan.runs[0].limits.cpus == 0.5);
  CHECK(plan.runs[0].limits.memory_bytes == 256ULL << 20);
  CHECK(plan.runs[5].repeat == 0);  // repeats are interleaved: all cells, then all cells again
  CHECK(plan.runs[6].repeat == 1);
  CHECK(plan.runs[6].name == plan.runs[0].name);
}

TEST_CASE("plan: a run overrides the defaults and finds its data beside the file") {
  const auto plan = parse(R"(
[defaults]
data = "recordio"
data_path = "train.rec"
disk_read = "40MB/s"
[[run]]
name = "a"
[[run]]
name = "b"
disk_read = 1e6
shuffle = false
hold_out = true
)");
  REQUIRE(plan.runs.size() == 2);
  CHECK(plan.name == "demo");
  CHECK(plan.runs[0].workload.data_path == "folder/train.rec");
  CHECK(plan.runs[0].limits.disk_read_bytes_per_s == 40e6);
  CHECK(plan.runs[0].dataset_items == 100);
  CHECK(plan.runs[1].limits.disk_read_bytes_per_s == 1e6);
  CHECK_FALSE(plan.runs[1].workload.shuffle);
  CHECK(plan.runs[1].hold_out);
}

TEST_CASE("plan: cells that ask for the same are run once") {
  const auto plan = parse("[[run]]\nname = \"a\"\ncpus = 1\n[[run]]\nname = \"b\"\ncpus = 1\n");
  CHECK(plan.runs.size() == 1);
  CHECK(plan.duplicates == 1);
}

TEST_CASE("plan: errors name file, line, column, key, value, what was expected and seen") {
  CHECK(error_of("[[run]]\nname = \"a\"\nbatch = \"64\"\n") ==
        "folder/demo.toml:3:9: batch = \"64\": expected an integer of at least 1, saw a string");
  CHECK(error_of("[[run]]\nname = \"a\"\nbatch = 0\n") ==
        "folder/demo.toml:3:9: batch = 0: expected an integer of at least 1, saw an integer");
  CHECK(
      error_of("[[run]]\nname = \"a\"\nmemory = \"512Mib\"\n") ==
      "folder/demo.toml:3:10: memory = \"512Mib\": expected a size like \"512MiB\", saw a string");
  CHECK(error_of("[[run]]\nname = \"a\"\nphase = \"dream\"\n") ==
        "folder/demo.toml:3:9: phase = \"dream\": expected one of train, forward, "
        "forward_backward, infer, decode, preprocess, saw a "
        "string");
  CHECK(error_of("[[run]]\nname = \"a\"\nisa = \"avx3\"\n") ==
        "folder/demo.toml:3:7: isa = \"avx3\": expected one of sse41, avx2, avx512, saw a string");
  CHECK(error_of("[[run]]\nname = \"a\"\nshuffle = 1\n") ==
        "folder/demo.toml:3:11: shuffle = 1: expected true or false, saw an integer");
  CHECK(error_of("[[run]]\nname = \"a\"\ncpus = -1\n") ==
        "folder/demo.toml:3:8: cpus = -1: expected a number that is not negative, saw an integer");
}

TEST_CASE("plan: an unknown key gets the nearest known one") {
  CHECK(error_of("[[run]]\nname = \"a\"\nbacth = 64\n") ==
        "folder/demo.toml:3:1: bacth = 64: unknown key; did you mean batch?");
  CHECK(error_of("[default]\nbatch = 1\n[[run]]\nname = \"a\"\n").find("did you mean defaults?") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\naxes = {cpu = [1]}\n").find("did you mean cpus?") !=
        std::string::npos);
}

TEST_CASE("plan: what belongs together is asked for together") {
  CHECK(error_of("").find("expected at least one [[run]]") != std::string::npos);
  CHECK(error_of("[[run]]\nbatch = 1\n").find("give every [[run]] a name") != std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\nengine = \"replay\"\n")
            .find("expected replay_items_per_s") != std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\ndata = \"lmdb\"\n").find("expected data_path") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\nphase = \"preprocess\"\n").find("expected data =") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\naxes = {cpus = \"1:2\"}\n").find("a range like") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\naxes = {cpus = [1]}\nhold_out = [{memory = 1}]\n")
            .find("names an axis this run does not have") != std::string::npos);
  CHECK(error_of("[[run]]\nname = \n").find("folder/demo.toml:2:") == 0);
  CHECK_THROWS_WITH_AS(static_cast<void>(load_plan("/no/such/file.toml")),
                       doctest::Contains("/no/such/file.toml: cannot be read"),
                       PlanError);
}

TEST_CASE("units: sizes, rates, times and ranges as people write them") {
  CHECK(parse_bytes("512MiB") == 512ULL << 20);
  CHECK(parse_bytes("1.5 GB") == 1500000000ULL);
  CHECK_FALSE(parse_bytes("512 potatoes").has_value());
  CHECK_FALSE(parse_bytes("-1").has_value());
  CHECK_FALSE(parse_bytes("").has_value());
  CHECK(parse_bytes_per_s("40MB/s") == 40e6);
  CHECK(parse_seconds("2min") == 120);
  CHECK(parse_seconds("10m") == 600);
  CHECK(parse_seconds("1d") == 86400);
  CHECK(parse_seconds("250ms") == 0.25);
  CHECK(parse_range("1:16:x2") == std::vector<double>{1, 2, 4, 8, 16});
  CHECK(parse_range("2:8:+3") == std::vector<double>{2, 5, 8});
  CHECK_FALSE(parse_range("1:16:x1").has_value());
  CHECK_FALSE(parse_range("16:1:x2").has_value());
  CHECK_FALSE(parse_range("1:1e9:+1").has_value());
  CHECK_FALSE(parse_range("0:8:x2").has_value());
}

TEST_CASE("run id: stable across builds and folders, different for every difference in the work") {
  RunSpec spec;
  const auto id = run_id(spec);
  CHECK(id == "8c36ebc880d713e9");
  auto other = spec;
  other.name = "another name";
  other.hold_out = true;
  CHECK(run_id(other) == id);
  const auto differs = [&](auto change) {
    auto changed = spec;
    change(changed);
    return run_id(changed) != id;
  };
  CHECK(differs([](RunSpec& s) { s.repeat = 1; }));
  CHECK(differs([](RunSpec& s) { s.limits.cpus = 1; }));
  CHECK(differs([](RunSpec& s) { s.workload.batch = 33; }));
  CHECK(differs([](RunSpec& s) { s.stop.max_s = 11; }));
  CHECK(differs([](RunSpec& s) { s.dataset_bytes = 1; }));
  spec.workload.data_path = "/here/train.rec";
  other = spec;
  other.workload.data_path = "/there/train.rec";
  CHECK(run_id(spec) == run_id(other));
}

TEST_CASE("run spec: JSON round trip keeps every field") {
  RunSpec spec;
  spec.name = "n";
  spec.repeat = 3;
  spec.limits.cpus = 1.5;
  spec.stop.max_s = 7;
  spec.timeout_s = 9;
  spec.read_bytes_per_s = 5;
  spec.workload.batch = 3;
  CHECK(run_spec_from_json(to_json(spec)) == spec);
}

TEST_CASE("plan: an ONNX file is looked for beside the campaign, and named in full") {
  const auto plan = parse("[[run]]\nname = \"mine\"\nnetwork = \"nets/mine.onnx\"\n");
  const auto expected = std::filesystem::absolute("folder/nets/mine.onnx").string();
  CHECK(plan.runs.at(0).workload.network == expected);
  const auto absolute = parse("[[run]]\nname = \"mine\"\nnetwork = \"/nets/mine.onnx\"\n");
  CHECK(absolute.runs.at(0).workload.network == "/nets/mine.onnx");
  const auto built_in = parse("[[run]]\nname = \"mine\"\nnetwork = \"vgg16\"\n");
  CHECK(built_in.runs.at(0).workload.network == "vgg16");
}

TEST_CASE("run id: an edited program is another run, and so is one without control groups") {
  const TemporaryFolder folder;
  const auto script = folder / "train.sh";
  const auto spec_of = [&](bool no_throttle = false) {
    PlanOptions options;
    options.no_throttle = no_throttle;
    const auto text = "[[run]]\nname = \"a\"\ncommand = [\"sh\", \"" + script +
                      "\", \"--config=" + folder / "none.toml" + "\"]\nsteps = \"exit\"\n";
    return parse_plan(text, "c.toml", options).runs.at(0);
  };
  std::ofstream(script) << "echo one\n";
  const auto first = spec_of();
  CHECK(first.command.files.size() == 1);  // sh is looked up in PATH, none.toml is none
  CHECK(first.command.files.at(script).size() == 16);
  CHECK(run_id(spec_of()) == run_id(first));
  CHECK(run_spec_from_json(to_json(first)) == first);
  std::ofstream(script) << "echo two\n";
  CHECK(run_id(spec_of()) != run_id(first));
  std::ofstream(script) << "echo one\n";
  CHECK(run_id(spec_of()) == run_id(first));
  CHECK(run_id(spec_of(true)) != run_id(first));
  CHECK(run_spec_from_json(to_json(spec_of(true))).no_throttle);
  CHECK(repro_line(spec_of(true)).find(" --no-throttle -- sh ") != std::string::npos);
  const auto option = named_files({"sh", "--script=" + script, folder.path()});
  CHECK(option.size() == 1);
  CHECK(option.count(script) == 1);
}

TEST_CASE("excess: a limit above the machine's is named with what the machine has") {
  Machine machine;
  machine.cpus = 2;
  machine.memory_bytes = std::uint64_t{24} << 30;
  Limits limits;
  limits.cpus = 2;
  limits.memory_bytes = machine.memory_bytes;
  CHECK_FALSE(excess_over(machine, limits));
  limits.cpus = 9;
  CHECK(excess_over(machine, limits) == "cpus = 9: this machine has 2");
  limits.cpus = 0;
  limits.memory_bytes = std::uint64_t{900} << 30;
  CHECK(excess_over(machine, limits) == "memory = 900 GiB: this machine has 24 GiB");
  CHECK_FALSE(excess_over(Machine{}, limits));  // it does not say what it has
}

TEST_CASE("plan: a question given for a campaign is told where it is asked") {
  CHECK(error_of("[job]\nnetwork = \"resnet50\"\n").find("ask it with rightsize advise") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\ncommand = \"true\"\nsteps = \"regex:(\"\n")
            .find("no regular expression: ") != std::string::npos);
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
  CHECK(stalls[0].compute.value == doctest::Approx(0.25));
  CHECK(stalls[0].prep.value == doctest::Approx(0.25));
  CHECK(stalls[0].fetch.value == doctest::Approx(0.5));
  // 20 / 1.1 ms at the quickest, 40 / 0.9 ms at the slowest, and the other way round.
  CHECK(stalls[0].fetch.high == doctest::Approx((40 / 0.9 - 20 / 1.1) / (40 / 0.9)));
  CHECK(stalls[0].fetch.low == doctest::Approx((40 / 1.1 - 20 / 0.9) / (40 / 1.1)));
  records[1].throughput.median = 120;  // noise: faster than without data
  CHECK(stalls_in(records)[0].prep.value == 0);
  records[2].throughput = {};
  CHECK(stalls_in(records).empty());
}
