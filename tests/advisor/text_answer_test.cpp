// A list of texts in every command: its flags, and what a million written tokens cost in the forms
// that are no prose.
#include <fstream>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "advisor/cli/command.h"
#include "advisor/shell/session.h"
#include "predicted_step.h"
#include "pricing/import/csv.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
namespace json = boost::json;

namespace {

const std::string batch_job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/llm/batch.toml";
constexpr const char* column = "cost_per_1m_output_tokens";

// The first row's cell.
double number(const CsvTable& csv, const char* name) {
  REQUIRE(csv.column(name) >= 0);
  REQUIRE_FALSE(csv.rows.empty());
  return std::stod(csv.rows[0].fields[static_cast<std::size_t>(csv.column(name))]);
}

constexpr const char* machine = "aws/us-east-1/g6e.xlarge";
const test::Words short_texts{"--prompt-tokens",
                              "200",
                              "--output-tokens",
                              "100",
                              "--weights",
                              "int4",
                              "--caches",
                              "fp8",
                              "--deadline",
                              "999h"};

test::Result asked(test::Words words, const test::Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return test::run_without_model(words);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The node of that name in a tree of causes; nullptr where there is none.
const json::object* node_of(const json::object& tree, std::string_view name) {
  if (tree.at("name").as_string() == std::string(name)) {
    return &tree;
  }
  for (const auto& part : tree.at("parts").as_array()) {
    if (const auto* found = node_of(part.as_object(), name)) {
      return found;
    }
  }
  return nullptr;
}

double value_of(const json::object& node) {
  return node.at("value").at("value").to_number<double>();
}

double input_of(const json::object& node, std::string_view name) {
  for (const auto& input : node.at("inputs").as_array()) {
    if (input.at("name").as_string() == std::string(name)) {
      return input.at("value").to_number<double>();
    }
  }
  FAIL(name);
  return 0;
}

}  // namespace

TEST_CASE("text answers: every command takes lengths and forms by flags, as predict does") {
  const auto told = [](const test::Words& words) {
    const auto result = asked(words, short_texts);
    CAPTURE(result.err);
    CHECK_MESSAGE(result.code == cli::exit_ok, words[0]);
    return result.out;
  };
  const auto advised =
      json::parse(told({"advise", batch_job, "--allow", "g6e.xlarge", "-o", "json"}));
  const auto& writing = advised.at("query").at("writing");
  CHECK(writing.at("prompt_tokens") == 200);
  CHECK(writing.at("output_tokens") == 100);
  CHECK(writing.at("weights") == "int4");
  const auto predicted =
      json::parse(asked({"predict", batch_job, "--machine", machine, "-o", "json"},
                        {"--prompt-tokens",
                         "200",
                         "--output-tokens",
                         "100",
                         "--weights",
                         "int4",
                         "--caches",
                         "fp8"})
                      .out);
  CHECK(advised.at("chosen").at("throughput").at("value").to_number<double>() ==
        test::approx(predicted.at("throughput").at("value").to_number<double>()).epsilon(1e-3));
  const auto explained = json::parse(told({"explain", batch_job, machine, "-o", "json"}));
  const auto* texts = node_of(explained.at("cost").as_object(), "gpu");
  REQUIRE(texts != nullptr);
  CHECK(input_of(*texts, "tokens written of each") == 100);
  told({"compare", batch_job, machine, "aws/us-east-1/g6e.2xlarge"});
  told({"what-if", batch_job, machine, "vcpus=8"});
  told({"report", batch_job, "--quick", "--allow", "g6e.xlarge", "--md", "-"});
  const auto exported = told({"export", batch_job, "--allow", "g6e.xlarge", "--to", "kubernetes"});
  CHECK_MESSAGE(holds(exported, "\"300\""), exported);
}

TEST_CASE(
    "text answers: flags of texts change nothing for other jobs, and are refused to services") {
  const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
  const auto train = asked({"advise", examples + "demo/job.toml", "--infra", "aws"},
                           {"--weights", "fp8", "--output-tokens", "9"});
  CHECK(holds(train.out, "--weights changes nothing here: it is of what writes tokens"));
  CHECK(holds(train.out, "--output-tokens changes nothing here: it is of a list of texts"));
  const auto service = asked({"advise", examples + "llm/serve.toml"}, {"--prompt-tokens", "9"});
  CHECK(service.code == cli::exit_usage);
  CHECK(holds(service.err, "--prompt-tokens: [service] of the job file says it"));
  const auto narrow = asked({"advise", examples + "llm/serve.toml"}, {"--weights", "fp8"});
  CHECK_MESSAGE(holds(narrow.out, "--weights fp8"), narrow.err);  // in what is to be asked next
  const TemporaryFolder folder;
  std::ofstream(folder / "gpt2.toml")
      << "[job]\nnetwork = \"gpt2\"\nphase = \"decode\"\n[data]\nitems = 1000\n"
         "prompt_tokens = 100\noutput_tokens = 100\n";
  const auto longer = asked({"advise", folder / "gpt2.toml"}, {"--prompt-tokens", "2000"});
  CHECK(longer.code == cli::exit_usage);
  CHECK_MESSAGE(holds(longer.err, "--prompt-tokens: "), longer.err);
}

TEST_CASE("text answers: explain goes down to the bytes and FLOPs of an iteration") {
  const auto told = asked({"explain", batch_job, machine, "-o", "json"}, {"--deadline", "999h"});
  CAPTURE(told.err);
  REQUIRE(told.code == cli::exit_ok);
  const auto document = json::parse(told.out);
  const auto& cost = document.at("cost").as_object();
  for (const auto* name : {"texts at once", "products", "caches", "overhead"}) {
    CHECK_MESSAGE(node_of(cost, name) != nullptr, name);
  }
  const auto* texts = node_of(cost, "gpu");
  const auto* period = node_of(cost, "period");
  const auto* prompts = node_of(cost, "prompts");
  const auto* iteration = node_of(cost, "iteration");
  const auto* weights = node_of(cost, "weights");
  REQUIRE((texts != nullptr && period != nullptr && prompts != nullptr && iteration != nullptr &&
           weights != nullptr));
  CHECK(texts->at("value").at("unit") == "texts/s");
  CHECK(node_of(cost, "throughput")->at("value").at("unit") == "texts/s");
  CHECK(input_of(*texts, "written") == test::approx(200 * value_of(*texts)));
  CHECK(
      value_of(*texts) ==
      test::approx(input_of(*texts, "texts in flight") / (200 * value_of(*period))).epsilon(0.01));
  CHECK(value_of(*period) == test::approx(value_of(*prompts) + value_of(*iteration)));
  CHECK(value_of(*prompts) ==
        test::approx(input_of(*prompts, "texts that join") * input_of(*prompts, "a prompt") /
                     input_of(*prompts, "rate")));
  CHECK(value_of(*weights) ==
        test::approx(input_of(*weights, "bytes") * 0x1p30 / input_of(*weights, "bandwidth")));
}

TEST_CASE("text answers: a host that takes longer than the GPU is told as what limits") {
  const TemporaryFolder folder;
  std::ofstream(folder / "gpt2.toml")
      << "[job]\nnetwork = \"gpt2\"\nphase = \"decode\"\nframework = \"vllm\"\n[data]\n"
         "items = 100_000_000\nprompt_tokens = 128\noutput_tokens = 128\n";
  const auto told =
      asked({"predict", folder / "gpt2.toml", "--machine", "gpu=B200", "-o", "json"}, {});
  CAPTURE(told.err);
  const auto document = json::parse(told.out);
  CHECK(128 * document.at("throughput").at("value").to_number<double>() ==
        test::approx(28'391).epsilon(0.01));
  CHECK(holds(told.out, "waiting for the host"));
}

TEST_CASE("text answers: programs whose batches end together are modelled text by text alone") {
  for (const auto* framework : {"transformers", "Hugging Face", "gpt-fast"}) {
    const auto predicted = [&](const char* batch) {
      return asked({"predict",
                    "--network",
                    "llama-8b",
                    "--phase",
                    "decode",
                    "--precision",
                    "bf16",
                    "--prompt-tokens",
                    "512",
                    "--output-tokens",
                    "128",
                    "--machine",
                    "gpu=A100-80GB",
                    "--framework",
                    framework},
                   batch == nullptr ? test::Words{} : test::Words{"--batch", batch});
    };
    for (const auto* several : {static_cast<const char*>(nullptr), "16"}) {
      const auto result = predicted(several);
      CHECK(result.code == cli::exit_nothing_satisfies);
      CHECK_MESSAGE(holds(result.out, "keeps a batch until its longest text is done"), result.out);
      CHECK(holds(result.out, "say batch 1, one text after another"));
    }
    CHECK(predicted("1").code == cli::exit_ok);
  }
}

TEST_CASE("text answers: an export says how GPUs share a mixture's attention, and by which flags") {
  const TemporaryFolder folder;
  std::ofstream(folder / "mixture.toml")
      << "[job]\nnetwork = \"deepseek-v3\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
         "weights = \"fp8\"\nframework = \"vllm\"\n[data]\nitems = 1_000_000\n"
         "prompt_tokens = 1000\noutput_tokens = 1000\n";
  const test::Words where{"--gpu", "H200:8", "--infra", "aws"};
  const auto advised = asked({"advise", folder / "mixture.toml", "-o", "json"}, where);
  CAPTURE(advised.err);
  REQUIRE(advised.code == cli::exit_ok);
  const auto document = json::parse(advised.out);
  REQUIRE(document.at("chosen").at("attention") == "by_sequences");
  const auto exported = asked({"export", folder / "mixture.toml", "--to", "kubernetes"}, where);
  CHECK(holds(exported.out, "ATTENTION"));
  CHECK(holds(exported.out, "--tensor-parallel-size 1 --data-parallel-size 8"));
  std::ofstream(folder / "answer.json") << advised.out;
  const auto saved = asked({"report", folder / "answer.json", "--md", "-"}, {});
  CHECK_MESSAGE(holds(saved.out, "each with sequences of its own"), saved.err);
  const auto dense = asked({"export", batch_job, "--infra", "aws", "--to", "kubernetes"}, {});
  CHECK_FALSE(holds(dense.out, "ATTENTION"));
}

TEST_CASE("text answers: the shell sets lengths and forms") {
  std::ostringstream out;
  std::ostringstream err;
  cli::Context context{out, err, {}, {}, false};
  shell::Session session{context};
  REQUIRE(session.run("set job " + batch_job) == cli::exit_ok);
  CHECK(session.run("set weights int4") == cli::exit_ok);
  CHECK(session.run("set output-tokens 100") == cli::exit_ok);
  CHECK(session.run("set weights wide") == cli::exit_usage);
  CHECK(session.completions("set weights n") == test::Words{"nvfp4"});
}

TEST_CASE("text answers: a CSV has what a million written tokens cost, as the JSON tells it") {
  const auto advised = [](const char* form) {
    const auto result =
        test::run_without_model({"advise", batch_job, "--infra", "aws", "-o", form});
    CAPTURE(result.err);
    REQUIRE(result.code == cli::exit_ok);
    return result.out;
  };
  const auto csv = parse_csv(advised("csv"), "options.csv");
  const auto document = json::parse(advised("json"));
  CHECK(number(csv, column) ==
        test::approx(document.at("chosen").at(column).to_number<double>()).epsilon(1e-4));
  CHECK(number(csv, column) == test::approx(number(csv, "cost") / 200).epsilon(1e-2));
}

TEST_CASE("text answers: two machines are compared by it") {
  const auto compared = [](const char* form) {
    return test::run_without_model({"compare",
                                    batch_job,
                                    "aws/us-east-1/g6e.xlarge",
                                    "aws/us-east-1/g6e.2xlarge",
                                    "--deadline",
                                    "999h",
                                    "-o",
                                    form})
        .out;
  };
  const auto csv = compared("csv");
  CHECK_MESSAGE(csv.find(column) != std::string::npos, csv);
  CHECK(compared("table").find("per million tokens") != std::string::npos);
}

// Twice as many tokens of each text take less than twice as long: each is the cheaper.
TEST_CASE("text answers: of other lengths the ratio is that of a token") {
  const auto result = test::run_without_model(
      {"what-if", batch_job, "g6e.xlarge", "output-tokens=400", "--deadline", "999h", "-o", "csv"});
  const auto csv = parse_csv(result.out, "pair.csv");
  for (const auto& row : csv.rows) {
    if (row.fields[0] == column) {
      CHECK(std::stod(row.fields[static_cast<std::size_t>(csv.column("ratio"))]) < 1);
      return;
    }
  }
  FAIL(result.out, result.err);
}

TEST_CASE("text: what is called the precision of a model that writes is its weights'") {
  const auto rate = [](const test::Words& more) {
    const auto said = asked({"predict",
                             "--network",
                             "llama-8b",
                             "--phase",
                             "decode",
                             "--batch",
                             "4",
                             "--sequence",
                             "512",
                             "--machine",
                             "gpu=H100",
                             "-o",
                             "json"},
                            more);
    CAPTURE(said.err);
    REQUIRE(said.code == cli::exit_ok);
    return json::parse(said.out).at("throughput").at("value").to_number<double>();
  };
  const double fp8 = rate({"--weights", "fp8"});
  CHECK(rate({"--precision", "fp8"}) == fp8);
  CHECK(rate({"--precision", "int4"}) == rate({"--weights", "int4"}));
  CHECK(rate({"--precision", "awq"}) == rate({"--weights", "int4"}));
  CHECK(rate({}) < 0.8 * fp8);
  const TemporaryFolder folder;
  const auto job = [&](const char* form) {
    std::ofstream(folder / "job.toml")
        << "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\nsequence = 512\n"
           "batch_per_gpu = 4\n"
        << form << "[data]\nitems = 1000000\n";
    const auto said =
        asked({"predict", folder / "job.toml", "--machine", "gpu=H100", "-o", "json"}, {});
    CAPTURE(said.err);
    REQUIRE(said.code == cli::exit_ok);
    return json::parse(said.out).at("throughput").at("value").to_number<double>();
  };
  CHECK(job("precision = \"fp8\"\n") == fp8);
  CHECK(job("weights = \"fp8\"\n") == fp8);
  std::ofstream(folder / "rows.csv") << "network,phase,precision,batch,sequence,gpu\n"
                                        "llama-8b,decode,fp8,4,512,H100\n"
                                        "llama-8b,decode,int3,4,512,H100\n";
  const auto rows = asked({"predict", "--batch-file", folder / "rows.csv", "-o", "csv"}, {});
  CAPTURE(rows.out);
  CHECK(holds(rows.out, fmt::format("{:.6g}", fp8)));
  CHECK(holds(rows.out, "precision = \"\"int3\"\""));
}
