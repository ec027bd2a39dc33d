// The program as its user meets it: text in, text and exit code out, no process in between.
#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE("cli: no command is a usage error, help is not") {
  CHECK(run({}).code == cli::exit_usage);
  const auto help = run({"--help"});
  CHECK(help.code == cli::exit_ok);
  for (const auto& command : cli::commands()) {
    if (!command.hidden) {
      CHECK(help.out.find(command.summary) != std::string::npos);
    }
  }
}

TEST_CASE("cli: every command explains itself with an example") {
  for (const auto& command : cli::commands()) {
    if (command.hidden) {
      continue;
    }
    const auto help = run({std::string(command.name), "--help"});
    CAPTURE(command.name);
    CHECK(help.code == cli::exit_ok);
    CHECK(run({"help", std::string(command.name)}).out == help.out);
    CHECK(help.out.find("examples:\n  rightsize " + std::string(command.name)) !=
          std::string::npos);
    CHECK(help.err.empty());
  }
}

TEST_CASE("cli: typos get the nearest word") {
  CHECK(run({"advize"}).err.find("did you mean \"advise\"?") != std::string::npos);
  const auto option = run({"advise", job, "--dedline", "3h"});
  CHECK(option.code == cli::exit_usage);
  CHECK(option.err.find("did you mean --deadline?") != std::string::npos);
  const auto network = run({"profile", "--network", "resnet5", "--engine", "cpu", "--dry-run"});
  CHECK(network.code == cli::exit_usage);
  CHECK(network.err.find("Did you mean \"resnet50\"?") != std::string::npos);
}

TEST_CASE("cli: a missing job, model or record file says what to do") {
  for (const std::string command : {"advise", "explain", "compare", "export", "verify", "report"}) {
    CAPTURE(command);
    CHECK(run({command}).err.find("usage: rightsize " + command + " JOB.toml") !=
          std::string::npos);
  }
  CHECK(run({"advise", "/nowhere/job.toml"}).err.find("/nowhere/job.toml: there is no such file") !=
        std::string::npos);
  const auto model = run({"advise", job, "--model", "/nowhere/model.json"});
  CHECK(model.code == cli::exit_usage);
  CHECK(model.err.find("Run rightsize campaign FILE.toml and rightsize fit") != std::string::npos);
  CHECK(run({"fit", "/nowhere/r.jsonl"}).code == cli::exit_usage);
}

TEST_CASE("report: two forms are not written to one file") {
  const TemporaryFolder folder;
  const auto same = run(
      {"report",
       job,
       "--html",
       folder / "r",
       "--md",
       folder.path() + "/../" + std::filesystem::path(folder.path()).filename().string() + "/r"});
  CHECK(same.code == cli::exit_usage);
  CHECK(same.err.find("that is the file of --html too") != std::string::npos);
  // Beside the working folder, and not there yet.
  const auto relative = run({"report", job, "--html", "not-yet-there", "--md", "./not-yet-there"});
  CHECK(relative.code == cli::exit_usage);
  CHECK_FALSE(std::filesystem::exists("not-yet-there"));
  CHECK_FALSE(std::filesystem::exists(folder / "r"));
}

TEST_CASE("cli: an output form a command cannot do lists those it can") {
  const auto result = run({"networks", "-o", "yaml"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("--output yaml: this command can do table, json, csv, md, names") !=
        std::string::npos);
}

TEST_CASE("cli: profile takes one network, by name or by file") {
  const auto both = run({"profile", "--onnx", "a.onnx", "--network", "resnet50"});
  CHECK(both.code == cli::exit_usage);
  CHECK(both.err.find("--onnx") != std::string::npos);
  const auto missing = run({"profile", "--onnx", "/nowhere/a.onnx"});
  CHECK(missing.code == cli::exit_usage);
  CHECK(missing.err.find("/nowhere/a.onnx: cannot be read") != std::string::npos);
}

TEST_CASE("cli: advise answers first, then the table, then why, then what next") {
  const ModelFile model;
  const auto result = run({"advise", job, "--model", model.path()});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.starts_with("Take "));
  const auto table = result.out.find("instance");
  const auto rejected = result.out.find("Rejected ");
  const auto prices = result.out.find("Prices: ");
  const auto next = result.out.find("Next: ");
  CHECK(table < rejected);
  CHECK(rejected < prices);
  CHECK(prices < next);
  CHECK(next != std::string::npos);
}

TEST_CASE("cli: nothing satisfies is exit code 3, with the nearest miss named") {
  const ModelFile model;
  const auto result = run({"advise", job, "--model", model.path(), "--deadline", "30s"});
  CHECK(result.code == cli::exit_nothing_satisfies);
  CHECK(result.out.find("No offer satisfies the constraints; closest:") != std::string::npos);
}

TEST_CASE("cli: numbers that mean nothing are refused, not used") {
  const ModelFile model;
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--model", model.path()});
    const auto result = run(arguments);
    CAPTURE(arguments[1]);
    CAPTURE(result.out);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.starts_with("error: "));
  };
  refused({"advise", job, "--confidence", "nan"});
  refused({"advise", job, "--deadline", "nan"});
  refused({"advise", job, "--budget", "abc"});
  refused({"advise", job, "--budget", "-5"});
  refused({"advise", job, "--gpus-min", "-1"});
  refused({"advise", job, "--max-results", "-1"});
  refused({"advise", job, "--book", "era-1999"});
  refused({"advise", job, "--infra", "nowhere"});
  refused({"predict", "--cpus", "nan"});
  refused({"simulate", "--cpus", "1e9"});
  refused({"predict", "--gpu-rate", "-5"});
  refused({"predict", "--memory", "32"});
  refused({"predict", "--network", "resnet5"});
  refused({"advise", "/tmp"});
  refused({"advise", job, "--out-file", "/nowhere/at/all.txt"});
}

TEST_CASE("cli: predict gives a number with an interval and its bottleneck") {
  const ModelFile model;
  const auto result = run(
      {"predict", "--model", model.path(), "--gpu-rate", "1000", "--cpus", "2", "--batch", "64"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.find("img/s (") != std::string::npos);
  CHECK(run({"predict", "--model", model.path(), "--disk-read", "fast"}).err.find("--disk-read") !=
        std::string::npos);
}

TEST_CASE("cli: what a campaign is asked for and cannot do is said before anything is run") {
  const std::string campaign = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/campaign.toml";
  const auto says = [&](const std::vector<std::string>& options, const std::string& text) {
    std::vector<std::string> arguments{"campaign", campaign, "--dry-run"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const auto result = run(arguments);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(text) != std::string::npos);
    CHECK(result.out.empty());
  };
  says({"--section", "decod"}, "did you mean \"decode\"?");
  says({"--shard", "3/2"}, "--shard 3/2: expected i/n with i from 1 to n");
  says({"--set", "cpux=2"}, "--set cpux=2: unknown key; did you mean cpus?");
  says({"--time", "soon"}, "--time soon: expected a time such as 90s, 10m or 2h");
  says({"--progress", "loud"}, "--progress loud: expected auto, plain, jsonl or none");
  says({"--gres", "gpu:1"}, "go with --slurm");
  says({"--slurm", "--tasks", "0"}, "--tasks 0: expected at least 1");
}

TEST_CASE("cli: a dry run counts runs, time and disk, as text and as JSON, and makes no store") {
  const TemporaryFolder folder;
  const auto file = folder.write("jobs.toml", R"(
[[run]]
name = "write"
phase = "preprocess"
data = "jpeg"
data_path = "pictures"
cpus = 2
seconds = 10
[[run]]
name = "run"
axes = {batch = [1, 2]}
)");
  const auto db = folder / "records.db";
  const auto text = run({"campaign", file, "--db", db, "--dry-run"});
  CHECK(text.code == cli::exit_ok);
  CHECK(text.out.find("plan: 3 runs, 0 done, 3 to run, about 33.0 s, at most 4.55 min") !=
        std::string::npos);
  CHECK(text.out.find("preprocessing writes at most 3.74 GiB") != std::string::npos);
  CHECK(text.err.find("1 run cannot be made on this machine") != std::string::npos);
  CHECK(text.err.find("pictures: no such file or folder") != std::string::npos);
  CHECK(text.out.find("--time") == std::string::npos);
  CHECK(text.out.find("adaptive") == std::string::npos);
  const auto less = run({"campaign",
                         file,
                         "--db",
                         db,
                         "-n",
                         "--time",
                         "10m",
                         "--plan",
                         "adaptive",
                         "--target",
                         "3%"});
  CHECK(less.out.find("--time 10.0 min: a run that might end after it is not started") !=
        std::string::npos);
  CHECK(less.out.find("--plan adaptive: of these runs the one that teaches most per second is "
                      "next, until all are known to ±3.00%") != std::string::npos);
  const auto large = run({"campaign", file, "--db", db, "-n", "--set", "memory=\"900TiB\""});
  CHECK(large.code == cli::exit_ok);  // it may be for another machine
  CHECK(large.err.find("3 runs cannot be made on this machine, as in memory = ") !=
        std::string::npos);
  const auto part = run({"campaign",
                         file,
                         "--db",
                         db,
                         "--dry-run",
                         "--section",
                         "run",
                         "--set",
                         "seconds=4",
                         "-o",
                         "json"});
  const auto document = boost::json::parse(part.out).as_object();
  CHECK(document.at("schema").as_string() == "rightsize/plan/1");
  CHECK(document.at("time").as_object().at("value").to_number<double>() == 10);
  CHECK(document.at("time").as_object().at("high").to_number<double>() == 2 * (3 * 4 + 60 + 1));
  CHECK(document.at("runs").as_array().size() == 2);
  CHECK_FALSE(std::ifstream(db).good());
  const auto script = run({"campaign", file, "--db", db, "--dry-run", "--slurm", "--tasks", "9"});
  CHECK(script.out.starts_with("#!/bin/sh\n"));
  CHECK(script.out.find("#SBATCH --array=1-3\n") != std::string::npos);
  CHECK_FALSE(std::ifstream(db).good());
}

TEST_CASE("cli: gpus answers to any spelling and refuses what it does not know") {
  const auto named = run({"gpus", "Tesla V100-SXM2-16GB", "-o", "names"});
  CHECK(named.code == 0);
  CHECK(named.out == "V100\n");
  const auto unknown = run({"gpus", "Voodoo2"});
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
  CHECK(unknown.err.find("no GPU \"Voodoo2\"") != std::string::npos);
}

TEST_CASE("cli: programs are told numbers as numbers, their units in the keys") {
  const auto k20 = boost::json::parse(run({"gpus", "-o", "json"}).out).at(0).as_object();
  CHECK(k20.at("gpu").as_string() == "K20");
  CHECK(k20.at("bandwidth_gbs").to_number<double>() == 208);
  CHECK(k20.at("tf32_tflops").is_null());
  CHECK(run({"gpus", "-o", "csv"}).out.starts_with("gpu,arch,memory_gb,bandwidth_gbs,"));
  CHECK(run({"gpus", "K20"}).out.find("208 GB/s") != std::string::npos);
  const auto offers =
      run({"prices", "show", "g5.xlarge", "--infra", "aws/us-east-1", "-o", "json"});
  const auto g5 = boost::json::parse(offers.out).at(0).as_object();
  CHECK(g5.at("price_per_hour").to_number<double>() == 1.006);
  CHECK(g5.at("currency").as_string() == "USD");
}
