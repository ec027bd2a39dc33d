// predict as its user meets it, without a fitted model anywhere.
#include <algorithm>
#include <fstream>
#include <set>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "models/model.h"
#include "pricing/import/csv.h"
#include "support/approx.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/program_model.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

const std::string root = RIGHTSIZE_SOURCE_DIR;

}  // namespace

TEST_CASE("predict: a machine in words is answered without a model of its own") {
  const auto result = run({"predict",
                           "--network",
                           "ResNet-50",
                           "--phase",
                           "train",
                           "--precision",
                           "fp32",
                           "--batch",
                           "64",
                           "--data",
                           "synthetic",
                           "--stack",
                           "era",
                           "--machine",
                           "gpu=P100-SXM2:8,vcpus=40,memory=512GiB,link=nvlink"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.find(" img/s (") != std::string::npos);
  CHECK(result.out.find("limited by gpu") != std::string::npos);
  CHECK(result.out.find("scaling efficiency over 8 GPUs") != std::string::npos);
}

TEST_CASE("predict: as JSON, with its interval, source, bottleneck and notes") {
  const auto result = run({"predict",
                           root + "/examples/demo/job.toml",
                           "--machine",
                           "gpu=A100,vcpus=12,memory=85GiB,disk=90MB/s",
                           "-o",
                           "json"});
  REQUIRE(result.code == cli::exit_ok);
  const auto document = boost::json::parse(result.out);
  CHECK(document.at("schema").as_string() == "rightsize/estimate/1");
  CHECK(document.at("status").as_string() == "ok");
  CHECK(document.at("bottleneck").as_string() == "disk");
  CHECK(document.at("throughput").at("source").as_string() == "scaled");
  CHECK(document.at("throughput").at("low").as_double() <
        document.at("throughput").at("value").as_double());
  CHECK(document.at("notes").as_array().size() >= 3);
}

TEST_CASE("predict: a global batch is shared by the GPUs, the nearest that they can") {
  const auto answer = [&](const char* batch) {
    return run({"predict",
                "--data",
                "synthetic",
                "--machine",
                "gpu=V100:8,link=nvlink",
                "--global-batch",
                batch,
                "-o",
                "json"});
  };
  const auto document = boost::json::parse(answer("512").out);
  CHECK(document.at("batch_per_gpu").as_int64() == 64);
  const auto nearest = boost::json::parse(answer("500").out);
  CHECK(nearest.at("batch_per_gpu").as_int64() == 63);
  CHECK(serialize(nearest).find("an update is of 504 items here, the nearest to 500") !=
        std::string::npos);
  const auto few = answer("4");
  CHECK(few.code == cli::exit_nothing_satisfies);
  CHECK(few.out.find("fewer items than GPUs") != std::string::npos);
}

TEST_CASE("predict: what cannot be is exit code 3 with the reason") {
  const auto result = run({"predict",
                           "--network",
                           "resnet50",
                           "--batch",
                           "4096",
                           "--data",
                           "synthetic",
                           "--machine",
                           "gpu=K80"});
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(result.out.find("out_of_memory") != std::string::npos);

  const auto linked = [](const std::string& gpu) {
    return run({"predict", "--data", "synthetic", "--machine", "gpu=" + gpu + ":4,link=nvlink"});
  };
  for (const auto* gpu :
       {"T4", "L40S", "RTX 4090", "GTX 1080", "P100", "V100-PCIe", "V100S", "MI300X"}) {
    CAPTURE(gpu);
    CHECK(linked(gpu).code == cli::exit_nothing_satisfies);
    CHECK(linked(gpu).out.find("has no NVLink") != std::string::npos);
  }
  CHECK(linked("RTX 3090").code == cli::exit_ok);  // by a bridge
  CHECK(linked("P100-SXM2").code == cli::exit_ok);
  CHECK(linked("V100").code == cli::exit_ok);
}

TEST_CASE("predict: AMD's GPUs answer by their own link, and refuse what is CUDA's") {
  const auto asked = [](const std::string& machine, std::vector<std::string> more) {
    std::vector<std::string> words{
        "predict", "--network", "llama-8b", "--data", "synthetic", "--machine", "gpu=" + machine};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto trained = asked("AMD Instinct MI300X:8",
                             {"--batch", "1", "--precision", "bf16", "--exchange", "sharded"});
  CHECK(trained.code == cli::exit_ok);
  CHECK(trained.out.find("over Infinity Fabric 318 GB/s a GPU") != std::string::npos);
  const std::vector<std::string> decode{"--phase", "decode", "--framework"};
  const auto served_by = [&](const std::string& machine, const std::string& software) {
    auto words = decode;
    words.push_back(software);
    return asked(machine, words);
  };
  CHECK(served_by("MI300X", "vLLM").out.find("wider on AMD's GPUs") != std::string::npos);
  const auto refused = served_by("MI300X", "TensorRT-LLM");
  CHECK(refused.code == cli::exit_nothing_satisfies);
  CHECK(refused.out.find("TensorRT-LLM does not run on AMD's GPUs") != std::string::npos);
  CHECK(asked("H100:8,link=xgmi", {"--batch", "1"}).out.find("has no Infinity Fabric") !=
        std::string::npos);
}

TEST_CASE("predict, simulate, size: a refusal is in the format that was asked for") {
  const std::vector<std::string> huge{"--network", "resnet50", "--batch", "4096"};
  for (const auto* command : {"predict", "simulate", "size"}) {
    std::vector<std::string> asked{command};
    asked.insert(asked.end(), huge.begin(), huge.end());
    if (std::string(command) == "size") {
      asked.insert(asked.end(), {"--gpu", "K80"});
    } else {
      asked.insert(asked.end(), {"--machine", "gpu=K80,vcpus=8"});
    }
    auto as_json = asked;
    as_json.insert(as_json.end(), {"-o", "json"});
    const auto result = run(as_json);
    CHECK(result.code == cli::exit_nothing_satisfies);
    const auto document = boost::json::parse(result.out);
    CHECK(document.at("status").as_string() == "out_of_memory");
    CHECK_FALSE(document.at("reason").as_string().empty());
    if (std::string(command) != "simulate") {
      asked.insert(asked.end(), {"-o", "csv"});
      const auto table = parse_csv(run(asked).out, command);
      CHECK(table.header == std::vector<std::string>{"status", "reason"});
      CHECK(table.rows.at(0).fields.at(0) == "out_of_memory");
    }
  }
}

TEST_CASE("predict: two descriptions of one machine are refused") {
  const auto result = run({"predict", "--machine", "gpu=V100", "--cpus", "8"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("--cpus and --machine both describe the machine") != std::string::npos);
  CHECK(run({"predict", root + "/examples/demo/job.toml"}).err.find("which machine?") !=
        std::string::npos);
}

TEST_CASE("predict: the flags of one setting answer without a model, and say what stands in") {
  const auto result = run({"predict", "--data", "recordio", "--gpu-rate", "1400", "--cpus", "8"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.err.find("the shipped model") != std::string::npos);
}

TEST_CASE("predict: a format that no run read answers with a job file and without, and says so") {
  const test::ModelFile model;  // of runs that read RecordIO and LMDB
  const auto asked = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(),
                     {"--data", "tfrecord", "--model", model.path(), "-o", "json"});
    return run(arguments);
  };
  const auto parts = asked({"predict", "--gpu-rate", "1400", "--cpus", "8"});
  const auto machine = asked(
      {"predict", root + "/examples/demo/job.toml", "--machine", "gpu=V100,vcpus=8,memory=61GiB"});
  const auto played = asked({"simulate", "--gpu-rate", "1400", "--cpus", "8"});
  for (const auto& result : {parts, machine, played}) {
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    const auto notes = boost::json::serialize(boost::json::parse(result.out).at("notes"));
    CHECK(notes.find("no run read tfrecord: its vCPU time an item is taken to be that of recordio "
                     "[assumed]") != std::string::npos);
  }
  CHECK(boost::json::parse(parts.out).at("throughput").at("source").as_string() == "assumed");
  const auto measured = run({"predict", "--gpu-rate", "1400", "--model", model.path()});
  CHECK(measured.err.find("no run read") == std::string::npos);
}

// 100 a second on 8 vCPUs (program_model.h).
TEST_CASE("predict: a program of the user's that was profiled goes by its name") {
  const TemporaryFolder folder;
  const auto path = test::write_model(folder, test::program_model());
  const std::vector<std::string> asked{
      "predict", "--network", "train.py", "--cpus", "8", "--model", path};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), asked.begin(), asked.end());
    return run(more);
  };
  const auto answer = with({"--batch", "4", "-o", "json"});
  REQUIRE_MESSAGE(answer.code == cli::exit_ok, answer.err);
  const auto throughput = boost::json::parse(answer.out).at("throughput");
  CHECK(throughput.at("value").to_number<double>() == test::approx(100).epsilon(0.01));
  CHECK(throughput.at("unit") == "items/s");
  CHECK(throughput.at("source") == "fitted");
  CHECK(with({"-o", "json"}).out == answer.out);  // its own steps
  CHECK(with({"--batch", "64"}).err.find("was profiled in steps of 4") != std::string::npos);
  CHECK(with({"--disk-read", "30MB/s"}).err.find("asks for its vCPUs alone") != std::string::npos);
  CHECK(with({"--memory", "64MiB", "-o", "json"}).code == cli::exit_ok);
  CHECK(with({"--batch", "4", "--data", "recordio"}).code == cli::exit_usage);
  CHECK(with({"--batch", "4", "--gpu-rate", "10"}).code == cli::exit_usage);
  const auto unknown = run({"predict", "--network", "trian.py", "--batch", "4", "--model", path});
  CHECK(unknown.code == cli::exit_usage);
}

TEST_CASE("simulate: a described machine, the same seed the same bytes, and a trace that parses") {
  const TemporaryFolder folder;
  const auto play = [&](const std::string& trace) {
    return run({"simulate",
                root + "/examples/demo/job.toml",
                "--machine",
                "gpu=V100:2,vcpus=4,memory=61GiB,disk=60MB/s",
                "--loader",
                "rightsize",
                "--simulated-items",
                "4000",
                "--trace",
                folder / trace,
                "-o",
                "json"});
  };
  const auto first = play("a.json");
  REQUIRE(first.code == cli::exit_ok);
  CHECK(play("b.json").out == first.out);
  const auto text = cli::read_file(folder / "a.json");
  CHECK(text == cli::read_file(folder / "b.json"));
  const auto trace = boost::json::parse(text);
  std::set<std::string> names;
  double end = 0;
  for (const auto& event : trace.at("traceEvents").as_array()) {
    names.insert(std::string(event.at("name").as_string()));
    if (event.at("ph").as_string() == "X") {
      CHECK(event.at("dur").to_number<double>() >= 0);
      end = std::max(end, event.at("ts").to_number<double>());
    }
  }
  CHECK(names.count("step") == 1);
  CHECK(names.count("read") == 1);
  CHECK(names.count("decode") == 1);
  CHECK(end > 0);
  const auto summary = boost::json::parse(first.out);
  CHECK(summary.at("fetch_stall_share").to_number<double>() > 0.5);  // 60 MB/s
  const auto& throughput = summary.at("throughput");
  CHECK(throughput.at("value") == summary.at("items_per_s"));
  CHECK(throughput.at("low").as_double() < throughput.at("value").as_double());
  CHECK(throughput.at("high").as_double() > throughput.at("value").as_double());
  CHECK(throughput.at("source").as_string() ==
        "fitted");  // a stated disk limits; as predict has it
}

TEST_CASE(
    "predict: a malformed row is a row with a reason, when none can be answered the exit says so") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,gpu,batch\nresnet50\nresnet50,V100,64\n";
  const auto some = run({"predict", "--batch-file", folder / "rows.csv"});
  CHECK(some.code == cli::exit_ok);
  const auto table = parse_csv(some.out, "out");
  REQUIRE(table.rows.size() == 2);
  const auto cell = [&](std::size_t row, const char* column) {
    return table.rows[row].fields[static_cast<std::size_t>(table.column(column))];
  };
  CHECK(cell(0, "status") == "invalid");
  CHECK(cell(0, "reason").find("1 field, the header has 3") != std::string::npos);
  CHECK(cell(1, "status") == "ok");
  std::ofstream(folder / "none.csv") << "network,batch\nresnet50\n";
  CHECK(run({"predict", "--batch-file", folder / "none.csv"}).code == cli::exit_failed);
}

TEST_CASE("predict --phase preprocess: what is written takes its share of the disk") {
  const auto rate = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"predict",
                                   "--phase",
                                   "preprocess",
                                   "--data",
                                   "jpeg",
                                   "--cpus",
                                   "64",
                                   "--memory",
                                   "2GiB",
                                   "--disk-read",
                                   "40MB/s",
                                   "-o",
                                   "json"};
    words.insert(words.end(), more.begin(), more.end());
    const auto result = run(words);
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return boost::json::parse(result.out).at("throughput").at("value").to_number<double>();
  };
  // 109 kB are read an image, and 197 kB of pixels written.
  const double lmdb = rate({});
  CHECK(lmdb == test::approx(40e6 / (109.3e3 + 196.6e3)).epsilon(0.1));
  CHECK(rate({"--disk-write", "10MB/s"}) ==
        test::approx(1 / (109.3e3 / 40e6 + 196.6e3 / 10e6)).epsilon(0.1));
  const auto output = [](const char* format) {
    return run({"predict", "--phase", "preprocess", "--preprocess-output", format});
  };
  CHECK(output("tokens").code == cli::exit_usage);
  CHECK(output("recordio").err.find("preprocess-recordio") != std::string::npos);  // not measured
}

TEST_CASE("predict: AlexNet is of the framework asked for last, unless its form is named") {
  const TemporaryFolder folder;
  const auto job = folder.write("job.toml", R"(
[job]
network = "alexnet"
framework = "PyTorch"
[data]
items = 1281167
format = "synthetic"
)");
  const auto rate = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> asked{"predict", job, "--batch", "128", "--machine", "gpu=V100", "-o"};
    asked.emplace_back("json");
    asked.insert(asked.end(), flags.begin(), flags.end());
    const auto answer = boost::json::parse(run(asked).out);
    return boost::json::serialize(answer.at("throughput"));
  };
  const auto of_job = rate({});
  const auto mxnet = rate({"--framework", "MXNet"});
  CHECK(mxnet != of_job);
  CHECK(rate({"--network", "alexnet-mxnet", "--framework", "MXNet"}) == mxnet);
  CHECK(rate({"--network", "alexnet-mxnet"}) != of_job);  // named: PyTorch has another
}
