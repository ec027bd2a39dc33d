// One service, one answer: its minibatch, its machines and its latency are the same in every
// command, and a minibatch takes as long whatever the largest may be.
#include <cmath>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/report/option_text.h"
#include "advisor/report/service_text.h"
#include "advisor/search.h"
#include "advisor/service_world.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

namespace {

const std::string service = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/service/job.toml";

boost::json::value answer(std::vector<std::string> arguments, const std::string& model) {
  arguments.insert(arguments.end(), {"--model", model, "-o", "json"});
  const auto result = run(arguments);
  CAPTURE(result.err);
  CAPTURE(arguments.front());
  REQUIRE(result.code == cli::exit_ok);
  return boost::json::parse(result.out);
}

double number(const boost::json::value& value) {
  return value.to_number<double>();
}

// Seconds of a minibatch of `requests`, as a document's list has it.
double seconds_of(const boost::json::value& minibatches, int requests) {
  for (const auto& point : minibatches.as_array()) {
    if (point.at("requests").as_int64() == requests) {
      return number(point.at("seconds"));
    }
  }
  FAIL("no minibatch of " << requests);
  return 0;
}

}  // namespace

TEST_CASE("one service: advise, predict, size and simulate agree on minibatch, machines and p99") {
  const test::ModelFile model;
  for (const auto& [instance, gpu] :
       {std::pair{"g4dn.xlarge", "T4"}, {"g5.xlarge", "A10G"}, {"g5.12xlarge", "A10G:4"}}) {
    CAPTURE(instance);
    const auto advised = answer({"advise",
                                 service,
                                 "--infra",
                                 "aws/us-east-1",
                                 "--allow",
                                 std::string("^") + instance + "$"},
                                model.path());
    const auto& option = advised.at("chosen");
    const auto& fleet = option.at("service");
    const auto machine = std::string("aws/") + instance;
    const auto predicted = answer({"predict", service, "--machine", machine}, model.path());
    const auto sized = answer({"size", service, "--gpu", gpu}, model.path());
    const auto played = answer({"simulate", service, "--machine", machine}, model.path());
    const auto limit = option.at("batch_per_gpu").as_int64();
    CHECK(predicted.at("batch_per_gpu").as_int64() == limit);
    CHECK(played.at("max_batch").as_int64() == limit);
    for (const auto& document : {predicted, sized}) {
      const auto& said = document.at("service");
      CHECK(said.at("max_batch").as_int64() == limit);
      CHECK(said.at("machines") == fleet.at("machines"));
      CHECK(said.at("machines_low") == fleet.at("machines_low"));
      CHECK(said.at("machines_high") == fleet.at("machines_high"));
      CHECK(number(said.at("in_time_with_confidence")) ==
            test::approx(number(fleet.at("requests_per_s_each"))).epsilon(0.005));
      CHECK(number(said.at("fleet").at("latency_p99_s")) ==
            test::approx(number(fleet.at("latency_p99_s"))).epsilon(0.005));
    }
    CHECK(played.at("replicas").as_int64() ==
          fleet.at("machines").as_int64() * fleet.at("server").at("replicas").as_int64());
    CHECK(number(played.at("closed_form_p99_s")) ==
          test::approx(number(fleet.at("latency_p99_s"))).epsilon(0.005));
  }
}

TEST_CASE("one service: what one answers in time has an interval, and its p99 is the target") {
  const test::ModelFile model;
  const auto said =
      answer({"predict", service, "--machine", "aws/g4dn.xlarge"}, model.path()).at("service");
  const auto& each = said.at("in_time");
  CHECK(number(each.at("low")) < number(said.at("in_time_with_confidence")));
  CHECK(number(said.at("in_time_with_confidence")) < number(each.at("value")));
  CHECK(number(each.at("value")) < number(each.at("high")));
  // Asked for what it answers with the wanted confidence, it is sooner at the expected times.
  CHECK(number(said.at("full").at("latency_p99_s")) < 0.05);
  CHECK(number(said.at("full").at("utilisation")) < 1);
  const auto text = run({"predict", service, "--machine", "aws/g4dn.xlarge"}).out;
  CHECK(text.find("requests/s (") != std::string::npos);
  CHECK(text.find("with 90% confidence") != std::string::npos);
  CHECK(text.find("the most in time, a machine alone, with 90%") != std::string::npos);
  CHECK(text.find("within a p99 of 50.0 ms") != std::string::npos);
}

TEST_CASE("one service: a minibatch of eight takes as long whatever the largest may be") {
  const test::ModelFile model;
  std::vector<double> played;
  std::vector<double> advised;
  for (const auto* limit : {"8", "12", "32"}) {
    const auto simulated = answer(
        {"simulate", service, "--machine", "aws/g5.xlarge", "--max-batch", limit}, model.path());
    played.push_back(seconds_of(simulated.at("batch_time").at("minibatches"), 8));
    const TemporaryFolder folder;
    const auto job = folder / "job.toml";
    std::ofstream(job) << "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\nprecision = \"fp16\"\n"
                       << "batch_per_gpu = " << limit << "\n[service]\nqps = 500\np99 = \"80ms\"\n";
    const auto chosen =
        answer({"advise", job, "--infra", "aws/us-east-1", "--allow", "^g5.xlarge$"}, model.path())
            .at("chosen");
    advised.push_back(seconds_of(chosen.at("service").at("server").at("minibatches"), 8));
  }
  for (std::size_t i = 0; i < played.size(); ++i) {
    CHECK(played[i] == test::approx(played[0]));
    CHECK(advised[i] == test::approx(played[0]).epsilon(0.005));
  }
}

TEST_CASE("one service: a machine that is too slow is refused, with the time of one request") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = folder / "job.toml";
  std::ofstream(job) << "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\n"
                        "[service]\nqps = 500\np99 = \"1ms\"\n";
  const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
      {"predict", {"--machine", "gpu=T4,vcpus=4"}}, {"size", {"--gpu", "T4"}}};
  for (const auto& [command, machine] : commands) {
    CAPTURE(command);
    std::vector<std::string> asked{command, job};
    asked.insert(asked.end(), machine.begin(), machine.end());
    const auto said = run(asked);
    CHECK(said.code == cli::exit_nothing_satisfies);
    CHECK(said.out.find("Cannot: no number of them answers 99 % within 1 ms") == 0);
    asked.insert(asked.end(), {"-o", "json"});
    CHECK(boost::json::parse(run(asked).out).at("status").as_string() == "too_slow");
  }
}

TEST_CASE("one service: what does not go with requests is refused by name") {
  const auto refused = [](std::vector<std::string> asked, const char* reason) {
    const auto result = run(asked);
    CHECK(result.code == cli::exit_usage);
    CAPTURE(result.err);
    CHECK(result.err.find(reason) != std::string::npos);
  };
  refused({"predict", service, "--machine", "gpu=T4", "--phase", "train"}, "has [service]");
  for (const auto* command : {"predict", "simulate"}) {
    refused({command, service, "--machine", "gpu=T4", "--batch", "65537"},
            "--batch 65537: expected a whole number of items per GPU, from 1 to 65536");
    refused({command, service, "--machine", "gpu=T4", "--global-batch", "64"},
            "--global-batch: expected phase train, whose updates take so many; infer has --batch");
  }
  refused({"size", service, "--gpu", "T4", "--batch", "65537"}, "--batch 65537: expected");
  refused({"size", service, "--gpu", "T4", "--utilisation", "90"}, "--utilisation");
  refused({"simulate", service}, "which machine?");
}

TEST_CASE("one service: options that cannot be told apart are marked in its table") {
  const auto world = test::service_world();
  auto found = search(test::answering(), world.evidence());
  REQUIRE(found.options.size() > 2);
  found.ties = {1};
  const auto rows = report::service_table(found, 0).csv();
  CHECK(rows.find("\n*,") != std::string::npos);
  CHECK(rows.find("\n=,") != std::string::npos);
  CHECK(report::row_mark(found, 0) == "*");
  CHECK(report::row_mark(found, 1) == "=");
  CHECK(report::row_mark(found, 2).empty());
}

TEST_CASE("one service: no command reads a data set for requests, and all say so") {
  const TemporaryFolder folder;
  const auto job = folder / "job.toml";
  const auto work =
      "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\n[data]\nitems = 1000\n"
      "format = \"jpeg\"\nbytes = \"1 GB\"\n";
  std::ofstream(job) << work << "[service]\nqps = 500\np99 = \"50ms\"\n";
  std::ofstream(folder / "batch.toml") << work;
  const test::ModelFile model;
  const std::vector<std::vector<std::string>> commands{
      {"advise", job, "--model", model.path()},
      {"predict", job, "--machine", "gpu=T4,vcpus=4"},
      {"size", job, "--gpu", "T4"},
      {"advise", folder / "batch.toml", "--qps", "500", "--slo", "p99=50ms"}};
  for (const auto& command : commands) {
    const auto result = run(command);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("leave [data] out") != std::string::npos);
  }
}

TEST_CASE("one service: the objective decides the limit of the minibatch in every command") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  for (const auto* objective : {"cost", "time", "cost*0.5+time*0.5"}) {
    CAPTURE(objective);
    const auto job = folder / "job.toml";
    std::ofstream(job) << "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\nprecision = \"fp16\"\n"
                          "batch_per_gpu = [1, 4, 8, 16, 32]\n[service]\nqps = 1500\n"
                          "p99 = \"50ms\"\nmax_delay = \"5ms\"\nburst = 2\n"
                          "[constraints]\nobjective = \""
                       << objective << "\"\n";
    const auto advised = answer({"advise", job, "--infra", "aws/us-east-1"}, model.path());
    const auto& option = advised.at("options").at(0);
    const auto name = std::string(option.at("instance").as_string());
    const auto predicted = answer({"predict", job, "--machine", "aws/" + name}, model.path());
    CAPTURE(name);
    CHECK(predicted.at("service").at("max_batch") == option.at("batch_per_gpu"));
    CHECK(predicted.at("service").at("machines") == option.at("service").at("machines"));
  }
}

TEST_CASE("one answer: explain's latencies are the closed form that simulate shows") {
  const test::ModelFile model;
  const auto told =
      answer({"explain", service, "g4dn.xlarge", "--infra", "aws/us-east-1"}, model.path());
  const auto& fleet = told.at("option").at("service");
  const auto machines = std::to_string(fleet.at("machines").as_int64());
  const auto batch = std::to_string(fleet.at("server").at("largest_minibatch").as_int64());
  const auto played = answer({"simulate",
                              service,
                              "--serve",
                              "--machine",
                              "gpu=T4,vcpus=4,memory=16GiB,cpu=g4dn.xlarge",
                              "--replicas",
                              machines,
                              "--max-batch",
                              batch},
                             model.path());
  CHECK(played.at("arrivals").as_string() == "bursty:2");  // the job's own load
  CHECK(played.at("offered_requests_per_s").to_number<double>() ==
        test::approx(1500).epsilon(0.05));
  CHECK(played.at("closed_form_p99_s").to_number<double>() ==
        test::approx(fleet.at("latency_p99_s").to_number<double>()).epsilon(0.005));
  const double ratio =
      number(played.at("p99").at("value")) / fleet.at("latency_p99_s").to_number<double>();
  CHECK(std::abs(std::log(ratio)) < std::log(1.2));  // the law's own claim, with bursts
}

TEST_CASE("one answer: advise has machines just above the floor that explain names") {
  const test::ModelFile model;
  const std::vector<std::string> only{"--infra", "aws/us-east-1", "--allow", "^g4dn.xlarge$"};
  const auto with = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), only.begin(), only.end());
    arguments.insert(arguments.end(), {"--model", model.path(), "-o", "json"});
    return run(arguments);
  };
  const auto told = boost::json::parse(with({"explain", service}).out);
  const double floor = told.at("service").at("least_p99_s").to_number<double>();
  const auto slo = [&](double share) {
    return "p99=" + std::to_string(floor * share * 1e3) + "ms";
  };
  // The floor goes by how sure the fleet's own minibatch is; small ones are less sure.
  CHECK(with({"advise", service, "--slo", slo(1.5)}).code == cli::exit_ok);
  CHECK(with({"advise", service, "--slo", slo(0.9)}).code == cli::exit_nothing_satisfies);
}
