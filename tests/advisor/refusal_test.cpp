// Bad input is exit code 2, and a sentence that says what is so and what to do.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string examples = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/";
const std::string job = examples + "demo/job.toml";
const std::string service = examples + "service/job.toml";

void refused(const std::vector<std::string>& arguments, const std::string& part) {
  const auto result = run(arguments);
  CAPTURE(arguments.front());
  CAPTURE(result.err);
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find(part) != std::string::npos);
  CHECK(result.out.empty());
}

}  // namespace

TEST_CASE("refusal: a file of another kind is bad input, whatever reads it") {
  const TemporaryFolder folder;
  const auto wrong = folder / "wrong.json";
  std::ofstream(wrong) << "{\"schema\": \"something/else\"}\n";
  const auto garbage = folder / "garbage.json";
  std::ofstream(garbage) << "not JSON\n";
  refused({"advise", job, "--model", wrong}, wrong);
  refused({"advise", job, "--model", garbage}, "not a model");
  refused({"fit", garbage}, garbage);
  const ModelFile model;
  refused({"validate", wrong, "--model", model.path()}, wrong);
  refused({"report", wrong}, wrong);
  refused({"report", garbage}, "not JSON");
}

TEST_CASE("refusal: a network, record or data set that its file is none of is bad input") {
  const TemporaryFolder folder;
  const auto config = folder / "config.json";
  std::ofstream(config) << "{\"hidden_size\": \"wide\"}\n";
  const std::vector<std::string> machine{"--data", "synthetic", "--machine", "gpu=A100"};
  const auto predict = [&](const std::string& network, const std::string& part) {
    std::vector<std::string> arguments{"predict", "--network", network};
    arguments.insert(arguments.end(), machine.begin(), machine.end());
    refused(arguments, part);
  };
  predict(config, config + ": \"num_hidden_layers\" is missing");
  predict(folder / "none.json", "cannot be read; check the path");
  std::ofstream(folder / "cut.onnx") << "not ONNX\n";
  predict(folder / "cut.onnx", "cut.onnx");
  refused({"networks", "--onnx", folder / "cut.onnx"}, "is not an ONNX file");
  refused({"predict", "--network", "resnet50", "--sequence", "7", "--machine", "gpu=A100"},
          "it reads images, leave sequence out");
  const auto garbage = folder / "garbage.jsonl";
  std::ofstream(garbage) << "{\"no\": \"record\"}\n";
  const auto db = folder / "records.db";
  refused({"records", "import", garbage, "--db", db}, garbage);
  std::ofstream(folder / "empty.jsonl");
  refused({"records", "import", folder / "empty.jsonl", "--db", db}, "there is no record in it");
  std::ofstream(folder / "train.rec") << "no records here";
  refused({"dataset", "inspect", folder / "train.rec"}, "train.rec");
}

TEST_CASE("refusal: what a network has not to share is told by its line, before any machine") {
  const TemporaryFolder folder;
  const auto job = folder / "job.toml";
  const auto asks = [&](const std::string& network, const std::string& key) {
    std::ofstream(job) << "[job]\nnetwork = \"" << network << "\"\n"
                       << key << " = 4\n[data]\nformat = \"synthetic\"\nitems = 1000\n";
    return job;
  };
  refused({"advise", asks("resnet50", "tensor_parallel")},
          "job.toml:3:19: job.tensor_parallel: expected 1, or leave it out; resnet50 is no "
          "transformer");
  refused({"advise", asks("vgg16", "context_parallel")},
          "job.context_parallel: expected 1, or leave it out; vgg16 is no transformer");
  refused({"advise", asks("gpt2", "expert_parallel")},
          "job.expert_parallel: expected 1, or leave it out; gpt2 is no mixture of experts");
}

TEST_CASE(
    "refusal: a folder with data sets is told which, one of pictures that classes are folders") {
  const TemporaryFolder folder;
  const auto set = folder / "d1";
  CHECK(run({"dataset", "make", set, "--items", "4", "--classes", "2"}).code == cli::exit_ok);
  refused({"dataset", "inspect", set},
          fmt::format("{0} is a folder with data sets: inspect {0}/jpeg or {0}/train.lmdb or "
                      "{0}/train.rec",
                      set));
  for (const auto* made : {"jpeg", "train.lmdb", "train.rec"}) {
    CHECK(run({"dataset", "inspect", set + "/" + made}).code == cli::exit_ok);
  }
  std::ofstream(folder / "one.jpg") << "a picture";
  std::filesystem::remove_all(set);
  refused({"dataset", "inspect", folder / "."}, "which are the classes, but 1 of its own");
}

TEST_CASE("refusal: a price book in a currency that nobody gives a rate for") {
  const ModelFile model;
  const TemporaryFolder folder;
  const auto book = folder / "book.toml";
  const auto write = [&](const std::string& currency) {
    std::ofstream(book) << "[[offer]]\nprovider = \"aws\"\ninstance = \"p5.4xlarge\"\n"
                           "region = \"us-east-1\"\nprice = \"5.95\"\ncurrency = \"" +
                               currency + "\"\n";
  };
  write("XYZ");
  refused({"advise", job, "--prices", book, "--model", model.path()},
          book + ":1: a price in XYZ, and " + job + " counts in USD");
  refused({"advise", job, "--prices", book, "--model", model.path()},
          "[money.rates] with XYZ = \"0.92\"");
  // The bill adds disks, which are priced in USD.
  const auto rated = folder / "rated.toml";
  std::ofstream(rated) << std::ifstream(job).rdbuf() << "\n[money.rates]\nXYZ = \"0.5\"\n";
  const auto told = run({"advise", rated, "--prices", book, "--model", model.path(), "-o", "json"});
  CHECK(told.code == cli::exit_ok);
  CHECK(told.out.find("5.95 XYZ at 0.5 USD") != std::string::npos);
  CHECK(told.out.find("\"price_per_hour\":\"2.975\"") != std::string::npos);
  const auto in_euro = folder / "euro.toml";
  std::string text{std::istreambuf_iterator<char>(std::ifstream(job).rdbuf()), {}};
  text.replace(text.find("\"USD\""), 5, "\"EUR\"");
  std::ofstream(in_euro) << text;
  write("EUR");
  refused({"advise", in_euro, "--prices", book, "--model", model.path()},
          book + ":1: aws's disks are in USD, and " + in_euro + " counts in EUR");
  std::ofstream(in_euro, std::ios::app) << "\n[money.rates]\nUSD = \"0.8\"\n";
  const auto euro = run({"advise", in_euro, "--prices", book, "--model", model.path()});
  CHECK(euro.code == cli::exit_ok);
  CHECK(euro.out.find(" EUR") != std::string::npos);
  write("euro");
  refused({"advise", job, "--prices", book, "--model", model.path()},
          book + ":6: currency = \"euro\": expected an ISO 4217 code");
}

TEST_CASE("refusal: a folder is called a folder, and what is not there is not there") {
  const TemporaryFolder folder;
  const auto path = folder / "";
  refused({"advise", path}, "is a folder");
  refused({"fit", path}, "is a folder");
  refused({"advise", job, "--model", path}, "is a folder");
  refused({"predict", "--batch-file", path}, "is a folder");
  refused({"advise", folder / "none.toml"}, "there is no such file");
  refused({"fit", folder / "none.jsonl"}, "there is no such file");
}

TEST_CASE("refusal: numbers out of range name the flag and the range") {
  const ModelFile model;
  refused({"advise", service, "--qps", "0", "--model", model.path()},
          "--qps 0: expected requests per second, from 0.000001 to 10 million");
  refused({"validate", examples + "measurements/demo.jsonl", "--folds", "1"}, "--folds 1");
  refused({"validate", examples + "measurements/demo.jsonl", "--folds", "100000"},
          "--folds 100000");
}

TEST_CASE(
    "refusal: validate where nothing was fitted says what to type, or judges what comes along") {
  const auto none = test::run_without_model({"validate"});
  CHECK(none.code == cli::exit_usage);
  CHECK(none.err.find("rightsize validate --published") != std::string::npos);
  CHECK(none.err.find("rightsize campaign FILE.toml && rightsize fit") != std::string::npos);
  const auto own = test::run_without_model({"validate", examples + "measurements/demo.jsonl"});
  CHECK(own.code == cli::exit_ok);
  CHECK(own.err.find("this judges the model that comes with the program") != std::string::npos);
  CHECK(own.out.find("runs the fit has not seen") != std::string::npos);
  const auto others =
      test::run_without_model({"validate", examples + "measurements/founding.jsonl"});
  CHECK(others.code == cli::exit_usage);
  CHECK(others.err.find("--carried judges that one by them") != std::string::npos);
  CHECK(test::run_without_model({"validate", examples + "measurements/founding.jsonl", "--carried"})
            .code == cli::exit_ok);
}

TEST_CASE("refusal: validate reads the records it is given, or says that it does not") {
  const ModelFile model;
  const auto grid = examples + "measurements/grid.jsonl";
  refused({"validate", grid, "--published"}, "does not read " + grid + "; leave out " + grid);
  refused({"validate", "--published", "--model", model.path()}, "leave out --model");
  refused({"validate", grid, "--model", model.path()}, "--folds 10");
  refused({"validate", grid, "--model", model.path()}, "--carried");
  refused({"validate", grid, "--leave-out", "colour"}, "expected cpus, memory or disk-read");
  refused({"validate", grid, "--leave-out", "cpus", "--folds", "4"}, "ask different things");
}

TEST_CASE("refusal: what was not measured on a CPU gets the command that knows it by law") {
  const auto result = test::run_without_model({"predict", "--network", "mnist-cnn", "--cpus", "2"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("--machine vcpus=2") != std::string::npos);
  const auto told = test::run_without_model(
      {"predict", "--network", "mnist-cnn", "--data", "mnist", "--machine", "vcpus=2"});
  CHECK(told.code == cli::exit_ok);
}

TEST_CASE("refusal: a data set of no items is none") {
  for (const std::vector<std::string>& machine :
       {std::vector<std::string>{"--machine", "gpu=T4,vcpus=4,disk=80MB/s"}, {"--cpus", "4"}}) {
    std::vector<std::string> arguments{"predict", "--data", "jpeg", "--items", "0"};
    arguments.insert(arguments.end(), machine.begin(), machine.end());
    const auto result = test::run_without_model(arguments);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find("--items 0") != std::string::npos);
  }
}

TEST_CASE("refusal: words for a GPU without a GPU are refused, not passed over") {
  refused({"predict", "--gpu-rate", "1400", "--framework", "PyTorch"},
          "--framework says how a GPU works, and --gpu-rate how fast one is");
  refused({"simulate", "--gpu-rate", "1400", "--stack", "era"}, "--stack says how a GPU works");
}

TEST_CASE("refusal: a region that is not sold gets its provider's likest ones") {
  const ModelFile model;
  const auto result = run({"advise", job, "--infra", "aws/us-east-9", "--model", model.path()});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("aws has us-east-1, ") != std::string::npos);
  CHECK(result.err.find("gcp") == std::string::npos);
  const auto provider = run({"advise", job, "--infra", "awz", "--model", model.path()});
  CHECK(provider.err.find("providers: ") != std::string::npos);
}

TEST_CASE("refusal: a name that cannot be looked at is bad input, with the name and what to do") {
  const TemporaryFolder folder;
  const auto loop = folder / "loop";
  std::filesystem::create_symlink(loop, loop);
  for (const auto& words :
       std::vector<std::vector<std::string>>{{"advise", loop},
                                             {"advise", job, "--model", loop},
                                             {"advise", job, "--prices", loop},
                                             {"fit", loop},
                                             {"fit", "--db", loop},
                                             {"report", loop},
                                             {"predict", "--batch-file", loop}}) {
    refused(words, loop);
    CHECK(run(words).err.find("filesystem error") == std::string::npos);
  }
  refused({"advise", job, "--model", folder / std::string(300, 'a')}, "so long a name");
}

TEST_CASE("refusal: what is said twice, or contradicts itself, is not left to an order") {
  const ModelFile model;
  const auto llm = examples + "llm/serve.toml";
  const auto of = [&](const std::string& file, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"advise", file});
    flags.insert(flags.end(), {"--model", model.path()});
    return flags;
  };
  refused(of(job, {"--gpus", "8", "--gpus-min", "4"}), "--gpus 8: it says both");
  refused(of(job, {"--gpus", "4", "--gpus-min", "8"}), "--gpus 4: it says both");
  refused(of(job, {"--vcpus-min", "8", "--vcpus-max", "4"}), "at least 8 and at most 4");
  refused(of(llm, {"--ttft", "1s", "--slo", "ttft=2s"}), "both say ttft");
  refused(of(llm, {"--tpot", "50ms", "--slo", "tpot=90ms,ttft=1s"}), "both say tpot");
  refused(of(llm, {"--slo", "ttft=1s,tpot=9ms,ttft=2s"}), "ttft is said twice");
  refused(of(service, {"--slo", "ttft=1s"}), "tokens are written by a job with phase = \"decode\"");
  refused(of(job, {"--slo", "tpot=50ms"}), "tokens are written by a job with phase = \"decode\"");
  CHECK(run(of(llm, {"--ttft", "5s", "--slo", "tpot=90ms", "--infra", "aws/us-east-1"})).code ==
        cli::exit_ok);
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\n[data]\nitems = 1\nformat = \"synthetic\"\n"
                         "[constraints]\ngpus_min = 8\ngpus_max = 4\n";
  refused({"advise", path}, ":7:12: gpus_max = 4: expected no less than gpus_min = 8");
}

TEST_CASE("refusal: what a [service] cannot be names the file's line and the key") {
  const TemporaryFolder folder;
  const auto path = folder / "job.toml";
  const auto writing = [&](const char* network, const char* service) {
    std::ofstream(path) << "[job]\nphase = \"decode\"\nnetwork = \"" << network
                        << "\"\n[service]\nqps = 1\n"
                        << service;
  };
  constexpr auto* lengths = "prompt_tokens = 9\noutput_tokens = 9\n";
  writing("llama-9b", (std::string(lengths) + "token = \"50ms\"\n").c_str());
  refused({"advise", path}, path + ":3:11: network = \"llama-9b\": expected a language model");
  writing("resnet50", (std::string(lengths) + "token = \"50ms\"\n").c_str());
  refused({"advise", path}, path + ":3:11: network = \"resnet50\": expected a language model");
  writing("gpt2", (std::string(lengths) + "token = \"soon\"\n").c_str());
  refused({"advise", path}, path + ":8:9: token = \"soon\": expected a time");
  writing("gpt2", "prompt_tokens = 900\noutput_tokens = 900\ntoken = \"50ms\"\n");
  refused({"advise", path}, path + ":6:17: prompt_tokens = 900: expected with output_tokens");
  std::ofstream(path) << "[job]\nphase = \"infer\"\n[service]\nqps = 9\np99 = \"2 weeks\"\n";
  refused({"advise", path}, path + ":5:7: p99 = \"2 weeks\": expected a time");
  std::ofstream(path) << "[job]\nphase = \"infer\"\n[service]\nqps = 9\np99 = \"0ms\"\n";
  refused({"advise", path}, path + ":5:7: p99 = \"0ms\": expected a time above 0");
  std::ofstream(path) << "[job]\nphase = \"infer\"\n[service]\nqsp = 9\np99 = \"5ms\"\n";
  refused({"advise", path}, "unknown key \"qsp\", did you mean \"qps\"?");
}

TEST_CASE("refusal: a flag's batch is a job's, and not of work without one") {
  const ModelFile model;
  refused({"advise", job, "--batch", "0", "--model", model.path()},
          "--batch 0: expected a whole number of items");
  refused({"advise", examples + "llm/serve.toml", "--batch", "4", "--model", model.path()},
          "as many sequences are in flight as come and fit");
  const auto asked = run(
      {"advise", job, "--batch", "64", "--infra", "aws", "--model", model.path(), "-o", "json"});
  CHECK(asked.out.find("\"batch_per_gpu\":64") != std::string::npos);
  CHECK(asked.out.find("\"batch_per_gpu\":128") == std::string::npos);
}

TEST_CASE("refusal: a confidence is a number or a percentage, and memory has a unit or is in GiB") {
  const ModelFile model;
  const auto answer = [&](const std::string& flag, const std::string& value) {
    return run({"advise",
                job,
                "--model",
                model.path(),
                "--infra",
                "aws",
                "--loader",
                "rightsize",
                flag,
                value});
  };
  const auto options = [&](const std::string& flag, const std::string& value) {
    const auto result = answer(flag, value);
    CAPTURE(value);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_ok);
    return result.out.substr(0, result.out.find("\nNext:"));  // which repeats the flag as it was
  };
  CHECK(options("--confidence", "50%") == options("--confidence", "0.5"));
  const auto wrong = [&](const std::string& flag, const std::string& value, const char* says) {
    const auto result = answer(flag, value);
    CAPTURE(value);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(says) != std::string::npos);
  };
  for (const auto* value : {"100%", "0%", "90", "-5%", "%", "most"}) {
    wrong("--confidence", value, "between 0 and 1, or a percentage between 0% and 100%");
  }
  // 64 GB are 59.6 GiB: the machines of 61 and 64 GiB are out.
  CHECK(options("--memory-max", "64GiB") == options("--memory-max", "64"));
  CHECK(options("--memory-max", "64GB") == options("--memory-max", "59.6"));
  CHECK(options("--memory-max", "64GB") != options("--memory-max", "64"));
  CHECK(options("--memory-min", "32GiB") == options("--memory-min", "32"));
  for (const auto* value : {"-1", "nan", "64G", "64GBps", ""}) {
    wrong("--memory-max", value, "expected GiB, or a size with its unit");
  }
}
