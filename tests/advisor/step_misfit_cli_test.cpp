// What does not go with the rest of a step is refused alike by flags, job files and tables.
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

namespace json = boost::json;

Result predict(const std::vector<std::string>& more) {
  std::vector<std::string> words{"predict",
                                 "--network",
                                 "llama-8b",
                                 "--precision",
                                 "bf16",
                                 "--batch",
                                 "4",
                                 "--data",
                                 "synthetic",
                                 "--machine",
                                 "gpu=H100:8"};
  words.insert(words.end(), more.begin(), more.end());
  return test::run_without_model(words);
}

// Of the rows of a table whose header is `columns`, whether each is ok.
std::string statuses(const std::string& columns, const std::vector<std::string>& rows) {
  const TemporaryFolder folder;
  std::ofstream file(folder / "rows.csv");
  file << columns << "\n";
  for (const auto& row : rows) {
    file << row << "\n";
  }
  file.close();
  const auto result =
      test::run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "json"});
  const auto answered = json::parse(result.out);
  std::string all;
  for (const auto& row : answered.as_array()) {
    all += std::string(row.at("status").as_string()) + " ";
  }
  return all;
}

Result advise(const TemporaryFolder& folder, const std::string& job, const std::string& service) {
  std::ofstream(folder / "job.toml")
      << "name = \"job\"\n[job]\nnetwork = \"llama-8b\"\nprecision = \"bf16\"\n"
      << job << service << "[constraints]\ninfra = [\"aws/*\"]\n";
  return test::run_without_model({"advise", folder / "job.toml", "-o", "json"});
}

}  // namespace

TEST_CASE("step misfit: stages are of training, and sharing a layer of that and of decoding") {
  const auto stages =
      predict({"--phase", "decode", "--tensor-parallel", "2", "--pipeline-parallel", "2"});
  CHECK(stages.code == cli::exit_usage);
  CHECK(stages.err.find("--pipeline-parallel: expected phase train") != std::string::npos);
  const auto shared = predict({"--phase", "infer", "--tensor-parallel", "4"});
  CHECK(shared.code == cli::exit_usage);
  CHECK(shared.err.find("--tensor-parallel: expected phase train, or decode") != std::string::npos);
  CHECK(predict({"--phase", "decode", "--tensor-parallel", "4"}).code == cli::exit_ok);
}

TEST_CASE("step misfit: rows of a table are refused where flags are") {
  CHECK(statuses("network,phase,precision,gpu,gpus,batch,sequence,tp,pp",
                 {"llama-8b,decode,bf16,H100,8,4,1024,2,",
                  "llama-8b,decode,bf16,H100,8,4,1024,2,2",
                  "llama-8b,infer,bf16,H100,8,4,1024,4,"}) == "ok unsupported unsupported ");
}

TEST_CASE("step misfit: what somebody measured beside a configuration is let pass") {
  CHECK(statuses("network,phase,precision,gpu,batch,p99,items,token",
                 {"resnet50,infer,fp16,T4,8,12,50000,3"}) == "ok ");
}

TEST_CASE("step misfit: a job that writes tokens shares layers as its flags would say") {
  const TemporaryFolder folder;
  const auto alone = advise(folder,
                            "phase = \"decode\"\nsequence = 1024\nbatch_per_gpu = 4\n"
                            "tensor_parallel = 4\n",
                            "[data]\nitems = 1000\nformat = \"synthetic\"\n");
  CAPTURE(alone.err);
  REQUIRE(alone.code == cli::exit_ok);
  CHECK(json::parse(alone.out).at("query").at("tensor_parallel") == 4);
  const std::string service =
      "[service]\nqps = 2\nprompt_tokens = 512\noutput_tokens = 128\nfirst_token = \"2s\"\n"
      "token = \"100ms\"\ngpus_per_replica = 4\n";
  const auto of_four = advise(folder, "phase = \"decode\"\n", service);
  CAPTURE(of_four.err);
  REQUIRE(of_four.code == cli::exit_ok);
  const auto per_replica = [](const Result& answer) {
    return json::parse(answer.out).at("query").at("tokens").at("gpus_per_replica");
  };
  CHECK(per_replica(of_four) == 4);
  const auto of_one = test::run_without_model(
      {"advise", folder / "job.toml", "--tensor-parallel", "1", "-o", "json"});
  REQUIRE(of_one.code == cli::exit_ok);
  CHECK(per_replica(of_one) == 1);
}
