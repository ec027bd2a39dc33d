// A language model's weights that nobody says are as its checkpoint is published, wherever texts
// are written; who says otherwise is heard.
#include "advisor/tokens/weights_taken.h"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Words;
namespace json = boost::json;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr const char* of_gpt =
    "gpt-oss-120b is taken as it is published, on GPUs its weights in "
    "MXFP4 (of a mixture, its experts)";

std::string service(const std::string& network, const std::string& lines) {
  return "[job]\nnetwork = \"" + network +
         "\"\nphase = \"decode\"\nprecision = \"bf16\"\nframework = \"vLLM\"\n" + lines +
         "[service]\nqps = 1\nprompt_tokens = 500\noutput_tokens = 200\nfirst_token = \"5s\"\n"
         "token = \"100ms\"\n";
}

struct Desk {
  TemporaryFolder folder;

  [[nodiscard]] test::Result ask(const std::string& job, const Words& more) const {
    Words words{more.front(), folder.write("job.toml", job)};
    words.insert(words.end(), more.begin() + 1, more.end());
    return test::run_without_model(words);
  }
  [[nodiscard]] json::object advised(const std::string& job) const {
    const auto result = ask(job, {"advise", "-o", "json"});
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return json::parse(result.out).as_object();
  }
};

double gib_of(const json::object& answer) {
  return answer.at("chosen").at("tokens").at("weight_bytes").to_number<double>() / 0x1p30;
}

}  // namespace

TEST_CASE("weights taken: what is said, else as published, where the program reads it") {
  using enum WeightFormat;
  CHECK(weights_taken({}, mxfp4, "") == mxfp4);
  CHECK(weights_taken({}, mxfp4, "vLLM") == mxfp4);
  CHECK(weights_taken({}, mxfp4, "TGI") == own);  // which is not known to
  CHECK(weights_taken(own, mxfp4, "") == own);
  CHECK(weights_taken(int4, own, "") == int4);
  CHECK(weights_taken({}, published_format("llama-8b"), "") == own);
  NetworkStep step;
  step.network = "gpt-oss-20b";
  step.phase = Phase::decode;
  CHECK(narrowed_words(step) == ", weights in mxfp4");
  step.framework = "TGI";
  CHECK(narrowed_words(step).empty());
  CHECK(holds(published_words(step), "which TGI is not known to read"));
  step.phase = Phase::train;
  CHECK(published_words(step).empty());
}

// openai/gpt-oss-120b is 60.8 GiB (its model card).
TEST_CASE("weights taken: a service is of the checkpoint as it is, unless 16 bits are asked for") {
  const Desk desk;
  const auto published = desk.advised(service("gpt-oss-120b", ""));
  const auto wide = desk.advised(service("gpt-oss-120b", "weights = \"16 bits\"\n"));
  CHECK(gib_of(published) == test::approx(60.8).epsilon(0.03));
  CHECK(gib_of(wide) > 3.5 * gib_of(published));
  const auto& asked = published.at("query").at("tokens");
  CHECK(asked.at("weights") == "mxfp4");
  CHECK(asked.at("weights_said") == false);
  CHECK(wide.at("query").at("tokens").at("weights_said") == true);
  CHECK(holds(json::serialize(published.at("assumptions")), of_gpt));
  CHECK_FALSE(holds(json::serialize(wide.at("assumptions")), of_gpt));
  for (const auto* words : {"bf16", "fp16", "own"}) {
    CHECK(gib_of(desk.advised(
              service("gpt-oss-120b", std::string("weights = \"") + words + "\"\n"))) ==
          test::approx(gib_of(wide)));
  }
}

TEST_CASE("weights taken: every other command has the same") {
  const Desk desk;
  const auto job = service("gpt-oss-120b", "");
  const std::string machine = "gpu=H100:8,vcpus=96,memory=1TiB";
  for (const Words& asked : {Words{"predict", "--machine", machine, "-o", "json"},
                             Words{"size", "--gpu", "H100:8", "-o", "json"}}) {
    const auto told = desk.ask(job, asked);
    CAPTURE(asked.front());
    CAPTURE(told.err);
    CHECK(holds(told.out, "mxfp4"));
    auto wide = asked;
    wide.insert(wide.end(), {"--weights", "bf16"});
    CHECK_FALSE(holds(desk.ask(job, wide).out, "mxfp4"));
  }
  const auto predicted = [&](const Words& more) {
    Words words{"--phase", "decode", "--precision", "bf16"};
    words.insert(words.end(), more.begin(), more.end());
    return test::predict_step("gpt-oss-20b", "gpu=H100", words).out;
  };
  CHECK(holds(predicted({}), "weights in mxfp4"));
  CHECK(holds(predicted({}), "gpt-oss-20b is taken as it is published"));
  CHECK_FALSE(holds(predicted({"--weights", "16 bits"}), "mxfp4"));
  CHECK(holds(predicted({"--weights", "fp8"}), "weights in fp8"));
  CHECK(holds(predicted({"--weights", "published"}), "weights in mxfp4"));
  const auto texts = test::run_without_model({"predict",
                                              "--network",
                                              "gpt-oss-20b",
                                              "--phase",
                                              "decode",
                                              "--prompt-tokens",
                                              "500",
                                              "--output-tokens",
                                              "100",
                                              "--machine",
                                              "gpu=H100"});
  CHECK(holds(texts.out, "weights in mxfp4"));
  const auto played = test::run_without_model({"simulate",
                                               "--serve",
                                               "--phase",
                                               "decode",
                                               "--network",
                                               "gpt-oss-20b",
                                               "--machine",
                                               "gpu=H100",
                                               "--qps",
                                               "1"});
  CHECK(holds(played.out, "weights in mxfp4"));
}

TEST_CASE("weights taken: a row of a batch file, and a training, which is in 16 bits as before") {
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv") << "network,phase,precision,sequence,batch,gpu,weights\n"
                                        "gpt-oss-20b,decode,bf16,2048,8,H100,\n"
                                        "gpt-oss-20b,decode,bf16,2048,8,H100,none\n"
                                        "gpt-oss-20b,decode,bf16,2048,8,H100,bf16\n";
  const auto rows =
      test::run_without_model({"predict", "--batch-file", folder / "rows.csv", "-o", "jsonl"}).out;
  CAPTURE(rows);
  std::istringstream lines(rows);
  std::vector<double> rates;
  for (std::string line; std::getline(lines, line);) {
    rates.push_back(json::parse(line).at("throughput").to_number<double>());
  }
  REQUIRE(rates.size() == 3);
  CHECK(rates[0] == rates[1]);
  CHECK(rates[0] > 1.2 * rates[2]);
  const auto trained = test::predict_step("gpt-oss-20b", "gpu=H100:8", {"--precision", "bf16"});
  CHECK_FALSE(holds(trained.out, "as it is published"));
}

TEST_CASE("weights taken: a config.json says itself how its weights lie") {
  const TemporaryFolder folder;
  const std::string shape =
      R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
    "vocab_size": 128256, "max_position_embeddings": 8192)";
  const auto narrow = folder.write(
      "narrow.json", shape + R"(, "quantization_config": {"bits": 4, "quant_method": "awq"}})");
  const auto wide = folder.write("wide.json", shape + "}");
  const auto told = [](const std::string& network, const Words& more) {
    Words words{"--phase", "decode", "--precision", "bf16"};
    words.insert(words.end(), more.begin(), more.end());
    return test::predicted_step(network, "gpu=A100", words, "1024")
        .at("throughput")
        .at("value")
        .to_number<double>();
  };
  CHECK(told(narrow, {}) == test::approx(told("llama-8b", {"--weights", "int4"})));
  CHECK(told(wide, {}) == test::approx(told("llama-8b", {})));
  CHECK(told(narrow, {"--weights", "bf16"}) == test::approx(told(wide, {})));
}

TEST_CASE("weights taken: words that mean no width of the job are refused") {
  const Desk desk;
  for (const auto* word : {"fp32", "nf4", "wide"}) {
    const auto job = service("gpt-oss-20b", std::string("weights = \"") + word + "\"\n");
    const auto refused = desk.ask(job, {"advise"});
    CHECK(refused.code == cli::exit_usage);
    CHECK(holds(refused.err, "16 bits, fp8, int8, int4, nvfp4, mxfp4 or published"));
  }
}

TEST_CASE("weights taken: what-if and explain name the others beside the published") {
  const Desk desk;
  const auto job = service("gpt-oss-120b", "");
  const auto answer = desk.advised(job);
  const auto word = [&](const char* key) {
    return std::string(answer.at("chosen").at(key).as_string());
  };
  const auto instance = word("provider") + "/" + word("instance");
  const auto told = [&](const char* weights) {
    return desk.ask(job, Words{"what-if", instance, weights, "-o", "json"});
  };
  const auto same = told("weights=published");
  CAPTURE(same.err);
  CHECK(same.code == cli::exit_ok);
  CHECK(told("weights=bf16").out != same.out);
}
