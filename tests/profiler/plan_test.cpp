#include "profiler/campaign/plan.h"

#include <filesystem>
#include <set>

#include <doctest/doctest.h>

#include "support/plan_text.h"

using namespace rightsize;

namespace {

const auto parse = test::parsed_plan;
const auto error_of = test::plan_error;

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
  CHECK(error("disk_read_iops = 0.5").find("expected a number of 1 or more; 0 is no limit") !=
        std::string::npos);
  CHECK(error("disk_write_iops = 1.5").empty());
  CHECK(error("engine = \"gpu\"\ngpu_memory = \"8GiB\"").empty());
  CHECK(error("gpu_share = 0.5").find("expected engine = gpu beside it, saw cpu") !=
        std::string::npos);
  CHECK(error("engine = \"gpu\"\ngpu_share = 1.5").find("above 0 and at most 1") !=
        std::string::npos);
  CHECK(error("engine = \"gpu\"\ngpu_share = 0.5").empty());
  CHECK(error("preprocess_on = \"gpu\"\ndata = \"jpeg\"\ndata_path = \"x\"")
            .find("expected engine = gpu and data that holds pictures, saw cpu and jpeg") !=
        std::string::npos);
  CHECK(error("engine = \"gpu\"\nranks = 2\nexchange = \"local\"")
            .find("expected exchange = device or nccl") != std::string::npos);
  CHECK(error("engine = \"gpu\"\nranks = 2\nexchange = \"nccl\"").empty());
  CHECK(error("engine = \"gpu\"\npreprocess_on = \"gpu\"").find("saw gpu and synthetic") !=
        std::string::npos);
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

TEST_CASE("plan: cells are held out by their values, however they are written") {
  const auto held = [](const std::string& axes, const std::string& cell) {
    const auto plan = parse("[[run]]\nname = \"a\"\nnetwork = \"alexnet\"\naxes = {" + axes +
                            "}\nhold_out = [{" + cell + "}]\n");
    std::string names;
    for (const auto& run : plan.runs) {
      names += run.hold_out ? run.name + ";" : "";
    }
    return names;
  };
  CHECK(held("cpus = \"0.1:0.5:+0.1\"", "cpus = 0.3") == "a cpus=0.3;");
  CHECK(held("cpus = [1, 2]", "cpus = 1.0") == "a cpus=1;");
  CHECK(held("memory = [\"1GiB\", \"2GiB\"]", "memory = \"1024MiB\"") == "a memory=1GiB;");
  CHECK(held("seconds = [\"4s\", \"1min\"]", "seconds = 60") == "a seconds=1min;");
  CHECK(held("network = [\"alexnet\", \"resnet18\"]", "network = \"resnet18\"") ==
        "a network=resnet18;");
}

TEST_CASE("plan: what would hold out nothing, measure nothing or run two things is refused") {
  const std::string head = "[[run]]\nname = \"a\"\nnetwork = \"alexnet\"\n";
  CHECK(error_of(head + "hold_out = [{cpus = 1}, {cpus = 3}]\naxes = {cpus = [1, 2]}\n")
            .find("hold_out = { cpus = 3 }: no run has these values") != std::string::npos);
  CHECK(error_of(head + "warmup = \"9s\"\nseconds = \"4s\"\n")
            .find("warmup = 9 s: expected less than the 4 s") != std::string::npos);
  CHECK(parse(head + "seconds = \"2s\"\n").runs.size() == 1);  // warm-up mostly ends early
  CHECK(error_of(head + "command = [\"true\"]\n").find("brings its own work") != std::string::npos);
  CHECK(
      error_of(head + "warmup = \"2.5s\"\nseconds = \"2s\"\n").find("expected less than the 2 s") !=
      std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\ncommand = [\"true\"]\naxes = {network = [\"alexnet\"]}\n")
            .find("brings its own work") != std::string::npos);
  CHECK(error_of("[defaults]\ncommand = [\"true\"]\n[[run]]\nname = \"a\"\n"
                 "axes = {precision = [\"fp32\", \"bf16\"]}\n")
            .find("precision: a program after command brings its own work") != std::string::npos);
  CHECK(parse("[defaults]\nnetwork = \"alexnet\"\n[[run]]\nname = \"a\"\ncommand = [\"true\"]\n")
            .runs.size() == 1);
}

TEST_CASE("plan: more runs than anybody makes are refused before they are made") {
  const auto wide = error_of(R"(
[[run]]
name = "a"
network = "alexnet"
axes = {cpus = "1:200:+1", batch = "1:900:+1", seed = "1:900:+1"}
)");
  CHECK(wide.find("200 of cpus") != std::string::npos);
  CHECK(wide.find("162000000 runs, more than 100000") != std::string::npos);
  const auto often =
      error_of("[[run]]\nname = \"a\"\nnetwork = \"alexnet\"\nrepeats = 2000000000\n");
  CHECK(often.find("with repeats = 2000000000") != std::string::npos);
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
        "folder/demo.toml:3:9: batch = 0: expected an integer of at least 1");
  CHECK(error_of("[[run]]\nname = \"a\"\nmemory = \"512Mib\"\n") ==
        "folder/demo.toml:3:10: memory = \"512Mib\": expected a size like \"512MiB\", of 1MiB or "
        "more, saw a string");
  const auto refused = [](const char* line, const char* part) {
    CAPTURE(line);
    CHECK(error_of(std::string("[[run]]\nname = \"a\"\n") + line).find(part) != std::string::npos);
  };
  refused("memory = 8\n", "of 1MiB or more");  // GiB were meant
  refused("gpu_memory = 8\n", "a size like \"8GiB\", of 1MiB or more");
  refused("disk_read = 40\n", "of 1kB/s or more");
  refused("loader_threads = 100000\n", "an integer from 0 to 1024");
  refused("command = [\"sh\", \"-c\", \"true\"]\nsteps = \"cpu\"\nitems_per_step = 10\n",
          "items_per_step: expected 1 beside steps = cpu");
  CHECK(error_of("[[run]]\nname = \"a\"\nphase = \"dream\"\n") ==
        "folder/demo.toml:3:9: phase = \"dream\": expected one of train, forward, "
        "forward_backward, infer, decode, preprocess");
  CHECK(error_of("[[run]]\nname = \"a\"\nisa = \"avx3\"\n") ==
        "folder/demo.toml:3:7: isa = \"avx3\": expected one of sse41, avx2, avx512");
  CHECK(error_of("[[run]]\nname = \"a\"\nshuffle = 1\n") ==
        "folder/demo.toml:3:11: shuffle = 1: expected true or false, saw an integer");
  CHECK(error_of("[[run]]\nname = \"a\"\ncpus = -1\n") ==
        "folder/demo.toml:3:8: cpus = -1: expected a number of vCPUs like 1.5; 0 is no limit");
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

TEST_CASE("plan: an ONNX file is looked for beside the campaign, and named in full") {
  const auto plan = parse("[[run]]\nname = \"mine\"\nnetwork = \"nets/mine.onnx\"\n");
  const auto expected = std::filesystem::absolute("folder/nets/mine.onnx").string();
  CHECK(plan.runs.at(0).workload.network == expected);
  const auto absolute = parse("[[run]]\nname = \"mine\"\nnetwork = \"/nets/mine.onnx\"\n");
  CHECK(absolute.runs.at(0).workload.network == "/nets/mine.onnx");
  const auto built_in = parse("[[run]]\nname = \"mine\"\nnetwork = \"vgg16\"\n");
  CHECK(built_in.runs.at(0).workload.network == "vgg16");
}

TEST_CASE("plan: a question given for a campaign is told where it is asked") {
  CHECK(error_of("[job]\nnetwork = \"resnet50\"\n").find("ask it with rightsize advise") !=
        std::string::npos);
  CHECK(error_of("[[run]]\nname = \"a\"\ncommand = \"true\"\nsteps = \"regex:(\"\n")
            .find("no regular expression: ") != std::string::npos);
}

TEST_CASE("plan: a fraction is named as it was written") {
  const auto plan = parse_plan("[[run]]\nname = \"p\"\naxes = {cpus = [0.6, 1.0]}\n", "c.toml");
  REQUIRE(plan.runs.size() == 2);
  CHECK(plan.runs[0].name == "p cpus=0.6");
  CHECK(plan.runs[1].name == "p cpus=1.0");
}
