// One question, one answer: what a job file asks is answered alike by every command.
#include "one_answer.h"

#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::answer;
using test::run;
using test::value_of;

namespace {

const std::string& job = test::demo_job;

const std::vector<std::string> p4d{"--infra", "aws", "--allow", "^p4d.24xlarge$"};

boost::json::value advised(std::vector<std::string> more, const std::string& model) {
  more.insert(more.begin(), {"advise", job});
  more.insert(more.end(), p4d.begin(), p4d.end());
  return answer(more, model);
}

}  // namespace

TEST_CASE("one answer: advise, predict, simulate and size give a job's GPU one rate") {
  const test::ModelFile model;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--framework", "TensorFlow"}, {"--loader", "rightsize"}}) {
    const auto option = advised(more, model.path()).at("chosen");
    const auto asked = [&](const char* command, std::vector<std::string> machine) {
      machine.insert(machine.begin(), {command, job});
      machine.insert(machine.end(), more.begin(), more.end());
      return answer(machine, model.path());
    };
    const std::string machine =
        "gpu=A100:8,vcpus=96,memory=1152GiB,cpu=p4d.24xlarge,disk=gp3:500GiB";
    const double rate = value_of(option.at("throughput"));
    const auto predicted = asked("predict", {"--machine", machine});
    CHECK(value_of(predicted.at("throughput")) == test::approx(rate).epsilon(0.01));
    CHECK(predicted.at("batch_per_gpu").as_int64() == option.at("batch_per_gpu").as_int64());
    const auto simulated = asked("simulate", {"--machine", machine});
    CHECK(value_of(simulated.at("throughput")) == test::approx(rate).epsilon(0.02));
    // With vCPUs as it finds them, where a framework's loader takes more than this machine has.
    const auto sized = asked("size", {"--gpu", "A100:8"});
    CHECK(value_of(sized.at("throughput")) >= 0.99 * rate);
    const bool measured = !more.empty() && more.front() == "--loader";
    if (measured) {
      CHECK(value_of(sized.at("throughput")) == test::approx(rate).epsilon(0.01));
    }
    const std::string framework = more.empty() || measured ? "PyTorch" : "TensorFlow";
    for (const auto& document : {predicted, simulated, sized}) {
      CHECK(document.at("framework").as_string() == framework);
    }
  }
}

TEST_CASE("one answer: a first question is answered by the shipped model, which is said") {
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"advise", job, "--infra", "aws"},
        {"explain", job, "--infra", "aws"},
        {"what-if", job, "g6e.2xlarge", "vcpus=16", "--infra", "aws"}}) {
    const auto first = test::run_without_model(asked);
    CAPTURE(asked.front());
    CHECK(first.code == cli::exit_ok);
    CHECK(first.err.find("nothing was fitted on this machine yet: the shipped model (") !=
          std::string::npos);
    CHECK(first.err.find("examples/demo/campaign.toml --data-root data && rightsize fit") !=
          std::string::npos);
    // Wherever the user stands: the file that the command names is there, or it says where to go.
    constexpr std::string_view before = "rightsize campaign ";
    const auto begin = first.err.find(before) + before.size();
    const auto file = first.err.substr(begin, first.err.find(" --data-root", begin) - begin);
    CHECK((std::filesystem::exists(file) ||
           first.err.find("in the folder of rightsize's source") != std::string::npos));
    CHECK(first.out.find("the shipped model") == std::string::npos);  // it can be piped
  }
  const auto named = test::run_without_model({"advise", job, "--model", "nowhere.json"});
  CHECK(named.code == cli::exit_usage);
  CHECK(named.err.find("nowhere.json: there is no fitted model yet") != std::string::npos);
}

TEST_CASE("one answer: a job file names its framework, and a flag goes before it") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\nnetwork = \"resnet50\"\nframework = \"MXNet\"\n"
                         "[data]\nitems = 1000\nformat = \"synthetic\"\n";
  const std::vector<std::string> machine{"predict", path, "--machine", "gpu=V100"};
  CHECK(answer(machine, model.path()).at("framework").as_string() == "MXNet");
  auto flagged = machine;
  flagged.insert(flagged.end(), {"--framework", "PyTorch"});
  CHECK(answer(flagged, model.path()).at("framework").as_string() == "PyTorch");
  const auto advice = answer({"advise", path, "--infra", "aws"}, model.path());
  CHECK(advice.at("query").at("framework").as_string() == "MXNet");
  CHECK(boost::json::serialize(advice.at("assumptions")).find("MXNet's, as asked") !=
        std::string::npos);
  std::ofstream(path) << "[job]\nframework = \"Fortran\"\n[data]\nitems = 1\n";
  const auto refused = run({"advise", path});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("expected PyTorch, TensorFlow") != std::string::npos);
}

TEST_CASE("one answer: a batch file's JSON holds numbers, and no answer its precision") {
  const TemporaryFolder folder;
  const auto path = folder / "rows.csv";
  std::ofstream(path) << "network,precision,batch,gpu,data\nresnet50,fp16,128,V100,synthetic\n";
  const auto result = run({"predict", "--batch-file", path, "-o", "json"});
  REQUIRE(result.code == cli::exit_ok);
  const auto rows = boost::json::parse(result.out);
  CHECK(rows.at(0).at("throughput").is_number());
  CHECK(rows.at(0).at("unit").is_string());
  const auto small = run({"predict",
                          "--network",
                          "llama-1b",
                          "--precision",
                          "bf16",
                          "--data",
                          "synthetic",
                          "--machine",
                          "gpu=T4"});
  CHECK(small.out.find("llama-1b train bf16") != std::string::npos);
}

TEST_CASE("one answer: without a job file the framework stays open") {
  const auto result =
      run({"predict", "--network", "resnet50", "--machine", "gpu=A100", "-o", "json"});
  REQUIRE(result.code == cli::exit_ok);
  CHECK(boost::json::parse(result.out).at("framework").is_null());
}

TEST_CASE("one answer: predict and simulate name the source that advise names, of hours too") {
  const test::ModelFile model;
  for (const auto* instance : {"p4d.24xlarge", "p3.2xlarge", "g5.xlarge", "c5.24xlarge"}) {
    CAPTURE(instance);
    const auto options = answer({"advise",
                                 job,
                                 "--deadline",
                                 "10000d",
                                 "--infra",
                                 "aws",
                                 "--retired",
                                 "--allow",
                                 std::string("^") + instance + "$"},
                                model.path())
                             .at("options");
    const auto& advised = options.at(0);
    const auto asked = [&](const char* command) {
      return answer({command,
                     job,
                     "--machine",
                     std::string("aws/") + instance + ",disk=gp3:500GiB",
                     "--batch",
                     std::to_string(advised.at("batch_per_gpu").as_int64())},
                    model.path());
    };
    const auto source = advised.at("throughput").at("source").as_string();
    const auto predicted = asked("predict");
    CHECK(predicted.at("throughput").at("source").as_string() == source);
    CHECK(predicted.at("job").at("hours").at("source").as_string() == source);
    CHECK(asked("simulate").at("throughput").at("source").as_string() == source);
  }
}

TEST_CASE("one answer: a job file's tokens per item count in every command") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\nnetwork = \"llama-1b\"\nsequence = 2048\nprecision = \"bf16\"\n"
                         "batch_per_gpu = 2\n[data]\nitems = 1000\nformat = \"synthetic\"\n";
  const auto rate = [&](std::vector<std::string> more) {
    std::vector<std::string> asked{"predict", path, "--machine", "gpu=H100"};
    asked.insert(asked.end(), more.begin(), more.end());
    return value_of(answer(asked, model.path()).at("throughput"));
  };
  CHECK(rate({}) == test::approx(rate({"--sequence", "2048"})));
  CHECK(rate({}) > 2 * rate({"--sequence", "8192"}));
  const auto advice = answer({"advise", path, "--infra", "aws"}, model.path());
  CHECK(advice.at("query").at("sequence").as_int64() == 2048);
  std::ofstream(path) << "[job]\nnetwork = \"llama-1b\"\nsequence = 0\n[data]\nitems = 1\n";
  const auto refused = run({"advise", path});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("tokens per item, from 1") != std::string::npos);
}
