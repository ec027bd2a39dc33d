// One question, one answer: vCPUs, disks and data paths hold a job up alike in every command.
#include <fstream>
#include <regex>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "one_answer.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::answer;
using test::examples;
using test::run;
using test::value_of;

namespace {

const std::string& job = test::demo_job;

}  // namespace

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
          test::approx(value_of(option.at("throughput"))).epsilon(0.005));
  }
}

TEST_CASE("one answer: GPUs of a machine without a vCPU for each are refused by every command") {
  const test::ModelFile model;
  const std::string said = "2 vCPUs for 4 GPUs, of which each one's process takes one";
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--model", model.path()});
    const auto result = test::run(arguments);
    CAPTURE(result.out);
    CHECK(result.code == cli::exit_nothing_satisfies);
    CHECK(result.out.find(said) != std::string::npos);
  };
  const std::string machine = "gpu=A100:4,vcpus=2,memory=60GiB";
  refused({"predict", "--network", "gpt2", "--data", "synthetic", "--machine", machine});
  refused({"predict",
           std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/serve.toml",
           "--machine",
           machine});
  refused({"advise",
           job,
           "--infra",
           "aws/no-such-region",
           "--on-prem",
           machine + ",price=10000USD,years=4,power=1kW,kwh=0.1,disk=500GiB"});
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
    CHECK(value_of(simulated.at("throughput")) == test::approx(rate).epsilon(0.05));
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
                        << "\n[data]\nitems = 2000000\nformat = \"recordio\"\nbytes = \"40GB\"\n"
                           "loader = \"rightsize\"\n";
    const auto predicted = answer({"predict", path, "--machine", machine}, model.path());
    const double hours = value_of(predicted.at("job").at("hours"));
    CHECK(predicted.at("job").at("on_disk_credits").as_bool());
    const auto supposed =
        answer({"what-if", path, "g4dn.xlarge", "disk=gp2:200GiB", "--infra", "aws/us-east-1"},
               model.path());
    CHECK(value_of(supposed.at("then").at("hours")) == test::approx(hours).epsilon(0.01));
    const auto simulated = answer({"simulate", path, "--machine", machine}, model.path());
    CHECK(value_of(simulated.at("job").at("hours")) == test::approx(hours).epsilon(0.07));
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
                              "--loader",
                              "rightsize",
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
  std::ofstream(job) << std::regex_replace(
      std::regex_replace(text.str(), std::regex("resnet50"), "alexnet"),
      std::regex("shuffle = true"),
      "loader = \"rightsize\"");
  const auto advice =
      answer({"advise", job, "--infra", "aws", "--allow", "^g5.xlarge$"}, model.path());
  const auto& option = advice.at("options").at(0);
  CHECK(option.at("disk").as_string().starts_with("gp3 "));
  const std::string machine = "gpu=A10G,vcpus=4,memory=16GiB,cpu=g5.xlarge,disk=gp3:151GiB";
  const auto predicted = answer({"predict", job, "--machine", machine}, model.path());
  CHECK(boost::json::serialize(predicted.at("notes")).find("all that g5.xlarge lets through") !=
        std::string::npos);
  CHECK(value_of(predicted.at("job").at("hours")) ==
        test::approx(value_of(option.at("hours"))).epsilon(0.01));
  const auto supposed = answer(
      {"what-if", job, "g5.xlarge", "disk=gp3:500GiB", "--infra", "aws/us-east-1"}, model.path());
  CHECK(value_of(supposed.at("then").at("hours")) ==
        test::approx(value_of(option.at("hours"))).epsilon(0.01));
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
    CHECK(of("predict") == test::approx(rate).epsilon(0.02));
    CHECK(of("simulate") == test::approx(rate).epsilon(0.1));  // the loader's queue is played
    on_cpu = choice == "cpu" ? rate : on_cpu;
    CHECK((rate > 1.1 * on_cpu) == (choice != "cpu"));
    const auto sized = answer({"size", path, "--gpu", "A10G"}, model.path());
    const bool noted =
        boost::json::serialize(sized.at("notes")).find("resized") != std::string::npos;
    CHECK(noted == (choice != "cpu"));
  }
  const auto flagged =
      answer({"predict", path, "--machine", machine, "--preprocess-on", "cpu"}, model.path());
  CHECK(value_of(flagged.at("throughput")) == test::approx(on_cpu).epsilon(0.02));
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
        test::approx(value_of(option.at("throughput"))).epsilon(0.02));
}

TEST_CASE(
    "one answer: small records that a loader seeks are a request each in predict and size too") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\nnetwork = \"alexnet\"\nphase = \"infer\"\nprecision = \"fp16\"\n"
                         "batch_per_gpu = 128\n"
                         "[data]\nloader = \"rightsize\"\nitems = 10000000\nformat = "
                         "\"tfrecord\"\nbytes = \"200GB\"\n";
  const auto option =
      answer({"advise", path, "--infra", "gcp", "--allow", "^g2-standard-24$"}, model.path())
          .at("chosen");
  const auto predicted =
      answer({"predict", path, "--machine", "gcp/us-central1/g2-standard-24"}, model.path());
  CHECK(value_of(predicted.at("job").at("hours")) ==
        test::approx(value_of(option.at("hours"))).epsilon(0.02));
}
