// A language model that writes tokens on a machine that is only described: predict and simulate.
#include <fstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/token_world.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::run;

TEST_CASE("token machine: simulate plays the load that a flag names") {
  const test::ModelFile model;
  const auto played = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"simulate",
                                   test::small_llm,
                                   "--machine",
                                   "gpu=H100",
                                   "--model",
                                   model.path(),
                                   "--simulated-items",
                                   "500",
                                   "-o",
                                   "json"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const auto asked = boost::json::parse(played({"--qps", "0.5"}).out);
  CHECK(asked.at("query").at("sequences_per_s") == 0.5);
  CHECK(played({"--replicas", "3"}).err.find("--replicas: the job writes tokens") !=
        std::string::npos);
  CHECK(played({"--qps", "-1"}).code == cli::exit_usage);
}

TEST_CASE("token machine: attention by sequences is one with that by heads on a GPU alone") {
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "name = \"mixture\"\n[job]\nnetwork = \"mixtral-8x7b\"\nphase = \"decode\"\n"
         "precision = \"bf16\"\n[service]\nqps = 1\nprompt_tokens = 512\noutput_tokens = 128\n"
         "first_token = \"5s\"\ntoken = \"100ms\"\nattention = \"by_sequences\"\n";
  const auto one = test::run_without_model(
      {"predict", folder / "job.toml", "--machine", "gpu=H200:1,vcpus=16,memory=200GiB"});
  CAPTURE(one.out);
  CHECK(one.code == cli::exit_ok);
  CHECK(one.out.find("inf s") == std::string::npos);
}

TEST_CASE(
    "token machine: GPUs that write tokens together hold weights and caches, and no gradients") {
  const auto said = test::run_without_model({"predict",
                                             "--network",
                                             "llama-70b",
                                             "--phase",
                                             "decode",
                                             "--precision",
                                             "bf16",
                                             "--sequence",
                                             "1024",
                                             "--batch",
                                             "16",
                                             "--machine",
                                             "gpu=H100:4"});
  CHECK(said.out.find("2 GPUs share a copy of the network") != std::string::npos);
  CHECK(said.out.find("Each of the 32 sequences of 2 copies is written at ~") != std::string::npos);
  CHECK(said.out.find(" of weights, ") != std::string::npos);
  CHECK(said.out.find("optimizer") == std::string::npos);
  CHECK(said.out.find("micro-batches") == std::string::npos);
}

TEST_CASE("token machine: as many sequences as memory holds may be asked for") {
  const auto large = test::run_without_model({"predict",
                                              "--network",
                                              "gpt2",
                                              "--phase",
                                              "decode",
                                              "--precision",
                                              "bf16",
                                              "--sequence",
                                              "64",
                                              "--batch",
                                              "4096",
                                              "--machine",
                                              "gpu=H100"});
  CHECK(large.code == cli::exit_ok);
  const auto slots = test::run_without_model({"predict",
                                              "--network",
                                              "gpt2",
                                              "--phase",
                                              "decode",
                                              "--precision",
                                              "bf16",
                                              "--sequence",
                                              "64",
                                              "--batch",
                                              "512",
                                              "--machine",
                                              "gpu=H100",
                                              "--framework",
                                              "llama.cpp"});
  CHECK(slots.code != cli::exit_ok);
  CHECK((slots.out + slots.err).find("llama.cpp takes 256 sequences at once") != std::string::npos);
}
