// One question, one answer: what a job file asks is answered alike by every command.
#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
const std::string job = examples + "demo/job.toml";

// The shipped model is everybody's: nothing was fitted in this home.
boost::json::value answer(std::vector<std::string> arguments, const std::string& model) {
  arguments.insert(arguments.end(), {"--model", model, "-o", "json"});
  const auto result = run(arguments);
  CAPTURE(result.err);
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

double value_of(const boost::json::value& estimate) {
  return estimate.at("value").to_number<double>();
}

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
       {std::vector<std::string>{}, {"--framework", "TensorFlow"}}) {
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
    CHECK(value_of(predicted.at("throughput")) == doctest::Approx(rate).epsilon(0.01));
    CHECK(predicted.at("batch_per_gpu").as_int64() == option.at("batch_per_gpu").as_int64());
    const auto simulated = asked("simulate", {"--machine", machine});
    CHECK(value_of(simulated.at("throughput")) == doctest::Approx(rate).epsilon(0.02));
    // With vCPUs as it finds them, where a framework's loader takes more than this machine has.
    const auto sized = asked("size", {"--gpu", "A100:8"});
    CHECK(value_of(sized.at("throughput")) >= 0.99 * rate);
    if (more.empty()) {
      CHECK(value_of(sized.at("throughput")) == doctest::Approx(rate).epsilon(0.01));
    }
    const std::string framework = more.empty() ? "PyTorch" : "TensorFlow";
    for (const auto& document : {predicted, simulated, sized}) {
      CHECK(document.at("framework").as_string() == framework);
    }
  }
}

// A part of a vCPU is a quota, and a thread of the loader.
TEST_CASE("one answer: a machine with a part of a vCPU has one rate in advise and predict") {
  const test::ModelFile model;
  for (const std::string vcpus : {"0.5", "1.5", "2.5"}) {
    CAPTURE(vcpus);
    const auto own = "gpu=A100:1,price=10000USD,years=4,power=1kW,kwh=0.1,memory=60GiB,disk=500GiB";
    const auto option = answer({"advise",
                                job,
                                "--deadline",
                                "9999h",
                                "--infra",
                                "aws/no-such-region",
                                "--on-prem",
                                fmt::format("{},vcpus={}", own, vcpus)},
                               model.path())
                            .at("chosen");
    const auto predicted =
        answer({"predict",
                job,
                "--batch",
                fmt::format("{}", option.at("batch_per_gpu").as_int64()),
                "--machine",
                fmt::format("gpu=A100:1,memory=60GiB,disk=nvme,vcpus={}", vcpus)},
               model.path());
    CHECK(value_of(predicted.at("throughput")) ==
          doctest::Approx(value_of(option.at("throughput"))).epsilon(0.005));
  }
}

// Items of 100 kB that st1 merges to its requests of 1 MiB; so many epochs that what it has saved
// up is nothing to them.
TEST_CASE(
    "one answer: a disk that merges what is read in sequence does so in predict and simulate") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  const auto rates = [&](const char* shuffle) {
    std::ofstream(path) << "[job]\nnetwork = \"resnet50\"\nprecision = \"fp16\"\n"
                           "batch_per_gpu = 128\nepochs = 9000\n"
                           "[data]\nitems = 1400000\nformat = \"recordio\"\nbytes = \"140GB\"\n"
                           "shuffle = "
                        << shuffle << "\n";
    const std::string machine = "gpu=T4,vcpus=4,memory=16GiB,cpu=g4dn.xlarge,disk=st1:500GiB";
    const auto predicted = answer({"predict", path, "--machine", machine}, model.path());
    const auto simulated = answer({"simulate", path, "--machine", machine}, model.path());
    const double rate = value_of(predicted.at("throughput"));
    CHECK(value_of(simulated.at("throughput")) == doctest::Approx(rate).epsilon(0.05));
    return rate;
  };
  const double in_sequence = rates("false");
  const double shuffled = rates("true");
  CHECK(in_sequence / shuffled > 5);  // ten items a request, until something else limits
}

// gp2 of 200 GiB earns 600 requests a second, gives 3000 and has 5.4 million saved up, of which an
// epoch that the loader holds at 1500 a second takes 1.2 million: one and three epochs have them
// all the time, forty do not.
TEST_CASE("one answer: a job on a disk with saved-up credits takes the same hours everywhere") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  const std::string machine = "gpu=T4,vcpus=4,memory=16GiB,cpu=g4dn.xlarge,disk=gp2:200GiB";
  for (const auto* epochs : {"1", "3", "40"}) {
    CAPTURE(epochs);
    std::ofstream(path) << "[job]\nnetwork = \"alexnet\"\nprecision = \"fp16\"\n"
                           "batch_per_gpu = 128\nepochs = "
                        << epochs
                        << "\n[data]\nitems = 2000000\nformat = \"recordio\"\nbytes = \"40GB\"\n";
    const auto predicted = answer({"predict", path, "--machine", machine}, model.path());
    const double hours = value_of(predicted.at("job").at("hours"));
    CHECK(predicted.at("job").at("on_disk_credits").as_bool());
    const auto supposed =
        answer({"what-if", path, "g4dn.xlarge", "disk=gp2:200GiB", "--infra", "aws/us-east-1"},
               model.path());
    CHECK(value_of(supposed.at("then").at("hours")) == doctest::Approx(hours).epsilon(0.01));
    const auto simulated = answer({"simulate", path, "--machine", machine}, model.path());
    CHECK(value_of(simulated.at("job").at("hours")) == doctest::Approx(hours).epsilon(0.05));
    const auto open = answer({"predict",
                              "--network",
                              "alexnet",
                              "--precision",
                              "fp16",
                              "--data",
                              "recordio",
                              "--items",
                              "2000000",
                              "--bytes",
                              "40GB",
                              "--machine",
                              machine},
                             model.path());
    CHECK(open.at("burst").at("cold_items_per_s").to_number<double>() >
          1.8 * open.at("cold_items_per_s").to_number<double>());
    CHECK_FALSE(open.as_object().contains("job"));
  }
}

// Of 2 000 000 items a hundred thousandth are 20: less than half a minibatch, none is played.
TEST_CASE("one answer: later epochs without a minibatch have no rate") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\nnetwork = \"alexnet\"\nprecision = \"fp16\"\n"
                         "batch_per_gpu = 128\nepochs = 1.00001\n"
                         "[data]\nitems = 2000000\nformat = \"recordio\"\nbytes = \"40GB\"\n";
  const std::vector<std::string> asked{
      "simulate", path, "--machine", "gpu=T4,vcpus=4,memory=16GiB,cpu=g4dn.xlarge,disk=gp2:200GiB"};
  const auto simulated = answer(asked, model.path()).at("job");
  CHECK(simulated.at("first_epoch_items_per_s").to_number<double>() > 0);
  CHECK(simulated.at("later_items_per_s").is_null());
  auto told = asked;
  told.insert(told.end(), {"--model", model.path()});
  const auto text = run(told).out;
  CHECK(text.find("in the first epoch\n") != std::string::npos);
  CHECK(text.find("in the later ones") == std::string::npos);
}

// AWS gives a g5.xlarge 87.5 MB/s to its disks for ever, whatever gp3 could.
TEST_CASE("one answer: a machine named by its instance lets no more through than advise counts") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const std::string job = folder.path() + "/alexnet.toml";  // whose A10G asks for more
  std::stringstream text;
  text << std::ifstream(examples + "demo/job.toml").rdbuf();
  std::ofstream(job) << std::regex_replace(text.str(), std::regex("resnet50"), "alexnet");
  const auto advice =
      answer({"advise", job, "--infra", "aws", "--allow", "^g5.xlarge$"}, model.path());
  const auto& option = advice.at("options").at(0);
  CHECK(option.at("disk").as_string().starts_with("gp3 "));
  const std::string machine = "gpu=A10G,vcpus=4,memory=16GiB,cpu=g5.xlarge,disk=gp3:151GiB";
  const auto predicted = answer({"predict", job, "--machine", machine}, model.path());
  CHECK(predicted.at("bottleneck").as_string() == "disk");
  CHECK(boost::json::serialize(predicted.at("notes")).find("all that g5.xlarge lets through") !=
        std::string::npos);
  CHECK(value_of(predicted.at("job").at("hours")) ==
        doctest::Approx(value_of(option.at("hours"))).epsilon(0.01));
  const auto supposed = answer(
      {"what-if", job, "g5.xlarge", "disk=gp3:500GiB", "--infra", "aws/us-east-1"}, model.path());
  CHECK(value_of(supposed.at("then").at("hours")) ==
        doctest::Approx(value_of(option.at("hours"))).epsilon(0.01));
}

TEST_CASE("one answer: a first question is answered by the shipped model, which is said") {
  for (const std::vector<std::string>& asked :
       {std::vector<std::string>{"advise", job, "--infra", "aws"},
        {"explain", job, "--infra", "aws"},
        {"what-if", job, "g6e.xlarge", "vcpus=8", "--infra", "aws"}}) {
    const auto first = test::run_without_model(asked);
    CAPTURE(asked.front());
    CHECK(first.code == cli::exit_ok);
    CHECK(first.err.find("nothing was fitted on this machine yet: the shipped model (") !=
          std::string::npos);
    CHECK(first.err.find("rightsize campaign examples/demo/campaign.toml && rightsize fit") !=
          std::string::npos);
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

TEST_CASE("one answer: the vCPUs that size names keep the GPU as busy in predict") {
  const test::ModelFile model;
  const auto sized = answer({"size", job, "--gpu", "A100:8"}, model.path());
  const auto vcpus =
      std::to_string(static_cast<int>(value_of(sized.at("needs").at("vcpus").at("least"))));
  const auto predicted =
      answer({"predict", job, "--machine", "gpu=A100:8,vcpus=" + vcpus}, model.path());
  const double busy = value_of(predicted.at("throughput")) / value_of(sized.at("throughput"));
  CHECK(busy >= 0.94);
  CHECK(busy < 0.99);
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

// Cached pictures on few vCPUs: they limit, and an eighth of their work is what a GPU can take.
TEST_CASE("one answer: where a job's pictures are preprocessed counts in every command") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  const std::string machine = "gpu=A10G,vcpus=4,memory=16GiB,cpu=g5.xlarge,disk=gp3:500GiB";
  double on_cpu = 0;
  for (const std::string choice : {"cpu", "gpu", "either"}) {
    CAPTURE(choice);
    std::ofstream(path) << "[job]\nnetwork = \"alexnet\"\nprecision = \"fp16\"\n"
                           "batch_per_gpu = 128\nepochs = 90\n"
                           "[data]\nitems = 20000\nformat = \"recordio\"\nbytes = \"4GB\"\n"
                           "preprocess_on = \""
                        << choice << "\"\n";
    const auto option =
        answer({"advise", path, "--infra", "aws", "--allow", "^g5.xlarge$"}, model.path())
            .at("chosen");
    const double rate = value_of(option.at("throughput"));
    const auto of = [&](const char* command) {
      return value_of(answer({command, path, "--machine", machine}, model.path()).at("throughput"));
    };
    CHECK(of("predict") == doctest::Approx(rate).epsilon(0.02));
    CHECK(of("simulate") == doctest::Approx(rate).epsilon(0.1));  // the loader's queue is played
    on_cpu = choice == "cpu" ? rate : on_cpu;
    CHECK((rate > 1.1 * on_cpu) == (choice != "cpu"));
    const auto sized = answer({"size", path, "--gpu", "A10G"}, model.path());
    const bool noted =
        boost::json::serialize(sized.at("notes")).find("resized") != std::string::npos;
    CHECK(noted == (choice != "cpu"));
  }
  const auto flagged =
      answer({"predict", path, "--machine", machine, "--preprocess-on", "cpu"}, model.path());
  CHECK(value_of(flagged.at("throughput")) == doctest::Approx(on_cpu).epsilon(0.02));
}

TEST_CASE("one answer: a format that no run read is carried from its nearest by advise too") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path)
      << "[job]\nnetwork = \"resnet50\"\nprecision = \"fp16\"\nbatch_per_gpu = 128\n"
         "[data]\nitems = 1281167\nformat = \"tfrecord\"\nbytes = \"140GB\"\n";
  const auto option =
      answer({"advise", path, "--infra", "aws", "--allow", "^g5.xlarge$"}, model.path())
          .at("chosen");
  const auto predicted = answer(
      {"predict", path, "--machine", "gpu=A10G,vcpus=4,memory=16GiB,cpu=g5.xlarge,disk=gp3:500GiB"},
      model.path());
  CHECK(value_of(predicted.at("throughput")) ==
        doctest::Approx(value_of(option.at("throughput"))).epsilon(0.02));
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
  CHECK(rate({}) == doctest::Approx(rate({"--sequence", "2048"})));
  CHECK(rate({}) > 2 * rate({"--sequence", "8192"}));
  const auto advice = answer({"advise", path, "--infra", "aws"}, model.path());
  CHECK(advice.at("query").at("sequence").as_int64() == 2048);
  std::ofstream(path) << "[job]\nnetwork = \"llama-1b\"\nsequence = 0\n[data]\nitems = 1\n";
  const auto refused = run({"advise", path});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("tokens per item, from 1") != std::string::npos);
}
