// Language models that see, as users ask for them.
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/query/words.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;
using test::run_without_model;
using Words = std::vector<std::string>;

namespace {

const std::string example = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/pictures.toml";

test::Result predict(const std::string& network, const Words& more) {
  Words words{"predict",
              "--network",
              network,
              "--phase",
              "decode",
              "--precision",
              "bf16",
              "--output-tokens",
              "128",
              "--machine",
              "gpu=H100"};
  words.insert(words.end(), more.begin(), more.end());
  return run_without_model(words);
}

json::value predicted(const std::string& network, Words more) {
  more.insert(more.end(), {"-o", "json"});
  const auto answer = predict(network, more);
  CAPTURE(answer.out);
  CAPTURE(answer.err);
  REQUIRE(answer.code == cli::exit_ok);
  return json::parse(answer.out);
}

double rate(const json::value& answer) {
  return answer.at("throughput").at("value").as_double();
}

}  // namespace

TEST_CASE("vision language: names of the hub, with and without pictures") {
  CHECK(network_meant("Qwen/Qwen2.5-VL-7B-Instruct") == "qwen2.5-vl-7b");
  CHECK(network_meant("Qwen/Qwen2.5-VL-7B-Instruct:images=2") == "qwen2.5-vl-7b:images=2");
  CHECK(network_meant("Qwen/Qwen3-VL-235B-A22B-Instruct") == "qwen3-vl-235b-a22b");
  CHECK(network_meant("llava-hf/llava-1.5-7b-hf") == "llava-1.5-7b");
  CHECK(network_meant("liuhaotian/llava-v1.5-13b") == "llava-1.5-13b");
  CHECK(network_meant("mistralai/Pixtral-12B-2409") == "pixtral-12b");
  CHECK(network_meant("Qwen/Qwen2.5-7B-Instruct") == "qwen2.5-7b");
}

TEST_CASE("vision language: pictures lengthen prompts, and seeing them takes time") {
  const Words text{"--prompt-tokens", "1571"};
  const Words seen{"--prompt-tokens", "200", "--images", "1", "--image-size", "1024x1024"};
  const auto reads = predicted("Qwen/Qwen2.5-VL-7B-Instruct", text);
  const auto sees = predicted("Qwen/Qwen2.5-VL-7B-Instruct", seen);
  CHECK(rate(sees) < 0.95 * rate(reads));  // of as many tokens, 37 x 37 + 2 of them a picture's
  CHECK(rate(sees) > 0.5 * rate(reads));
  CHECK(rate(predicted("qwen2.5-vl-7b:images=1:size=1024", {"--prompt-tokens", "200"})) ==
        rate(sees));
  CHECK(rate(predicted("qwen2.5-vl-7b", {"--prompt-tokens", "200", "--images", "4"})) <
        rate(sees) / 2);
  const auto words = predict("qwen2.5-vl-7b", seen).out;
  CHECK(words.find("1 picture of 1024x1024 becomes 1371 tokens") != std::string::npos);
  CHECK(words.find("% seeing pictures") != std::string::npos);
  // Gemma 3's text model stands for both.
  CHECK(predict("google/gemma-3-4b-it", seen).out.find("gemma-3-4b-vision") != std::string::npos);
}

TEST_CASE("vision language: what cannot be is refused by the words that said it") {
  const auto refused = [](const test::Result& answer, const char* words) {
    CHECK(answer.code != cli::exit_ok);
    CAPTURE(answer.err);
    CHECK((answer.out + answer.err).find(words) != std::string::npos);
  };
  refused(predict("llama-8b", {"--prompt-tokens", "200", "--images", "1"}), "sees no pictures");
  refused(predict("qwen2-vl-7b", {"--prompt-tokens", "200", "--image-size", "wide"}),
          "--image-size");
  refused(run_without_model({"predict",
                             "--network",
                             "qwen2-vl-7b",
                             "--phase",
                             "decode",
                             "--images",
                             "1",
                             "--machine",
                             "gpu=H100"}),
          "pictures are of prompts");
  refused(predict("llava-1.5-7b", {"--prompt-tokens", "4000", "--images", "1"}), "4096");
  const TemporaryFolder folder;
  std::ofstream(folder / "job.toml")
      << "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\n[service]\nqps = 1\n"
         "prompt_tokens = 100\noutput_tokens = 10\nimages = 1\nfirst_token = \"1s\"\n";
  refused(run_without_model({"advise", folder / "job.toml"}),
          "images = 1: expected pictures that the network sees");
}

TEST_CASE("vision language: the job of the README is answered and explained") {
  const auto answer =
      run_without_model({"advise", example, "--infra", "aws/us-east-1", "-o", "json"});
  CAPTURE(answer.err);
  REQUIRE(answer.code == cli::exit_ok);
  const auto document = json::parse(answer.out);
  CHECK(document.at("options").as_array().size() > 0);
  CHECK(document.at("query").at("tokens").at("prompt_tokens") == 200 + 46 * 26 + 2);
  const auto why = run_without_model({"explain", example, "--infra", "aws/us-east-1"});
  CAPTURE(why.out);
  CHECK(why.out.find("pictures seen") != std::string::npos);
  const auto exported =
      run_without_model({"export", example, "--infra", "aws/us-east-1", "--to", "kubernetes"});
  CAPTURE(exported.out);
  CHECK(exported.out.find("prompt_tokens = 200, 1198 tokens of its pictures and output_tokens") !=
        std::string::npos);
  const auto supposed = [](const Words& words) {
    Words all{"what-if", example, "g6e.xlarge", "--infra", "aws/us-east-1", "-o", "json"};
    all.insert(all.begin() + 3, words.begin(), words.end());
    const auto told = run_without_model(all);
    CAPTURE(told.err);
    CHECK(told.code == cli::exit_ok);
    return told.out;
  };
  CHECK(supposed({"images=2"}) != supposed({"prompt-tokens=300"}));
  CHECK(supposed({"size=640x480"}) != supposed({"images=2"}));
}
