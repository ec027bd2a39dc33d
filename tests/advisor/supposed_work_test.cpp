// What somebody supposes of what is computed: precision, lengths, and parts of a network's name.
#include "advisor/suppose/supposed_work.h"

#include <string>
#include <vector>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"

using namespace rightsize;

namespace {

Query asked(const std::string& network, Phase phase = Phase::infer) {
  Query query;
  query.network = network;
  query.phase = phase;
  return query;
}

Query supposed(const Query& query, const std::vector<std::string>& words) {
  return supposed_work(parse_supposition(words), query);
}

void refuses(const Query& query, const char* word, const char* why) {
  CAPTURE(word);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(supposed(query, {word})), doctest::Contains(why), UsageError);
}

}  // namespace

TEST_CASE("supposed work: parts of a network's name are put in place, or behind it") {
  const auto whisper = asked("whisper-small:tokens=64:beams=5");
  CHECK(supposed(whisper, {"beams=1"}).network == "whisper-small:tokens=64:beams=1");
  CHECK(supposed(whisper, {"weights=int8"}).network ==
        "whisper-small:tokens=64:beams=5:weights=int8");
  CHECK(supposed(asked("sdxl"), {"steps=20", "size=512x768"}).network ==
        "sdxl:steps=20:size=512x768");
  CHECK(supposed(asked("yolov8m", Phase::train), {"size=1280"}).network == "yolov8m:size=1280");
  CHECK(supposed(whisper, {"vcpus=+4"}).network == whisper.network);
  refuses(whisper, "beams=many", "expected 1 to 64");
  refuses(whisper, "steps=20", "whisper-small");
  refuses(asked("resnet50"), "tokens=5", "expected :size=PIXELS");
  refuses(asked("ptb-small"), "tokens=5", "the name of ptb-small has no such part");
}

TEST_CASE("supposed work: numbers of a name's parts change by what is said, or what is usual") {
  const auto whisper = asked("whisper-small:tokens=64");
  CHECK(supposed(whisper, {"tokens=x2"}).network == "whisper-small:tokens=128");
  CHECK(supposed(whisper, {"tokens=-50%"}).network == "whisper-small:tokens=32");
  CHECK(supposed(whisper, {"beams=+4"}).network == "whisper-small:tokens=64:beams=5");
  CHECK(supposed(asked("sdxl"), {"steps=-20"}).network == "sdxl:steps=30");
  CHECK(supposed(asked("sdxl"), {"steps=x1.1"}).network == "sdxl:steps=55");
  CHECK(supposed(asked("yolov8m"), {"size=x2"}).network == "yolov8m:size=1280");
  refuses(whisper, "tokens=x1.01", "64.64 is no whole number");
  refuses(whisper, "tokens=-64", "0 is no whole number");
  refuses(asked("sdxl"), "guidance=x2", "guidance");
  auto writes = asked("llama-8b", Phase::decode);
  writes.tokens.emplace();
  refuses(writes, "tokens=x2", "output-tokens=");
}

TEST_CASE("supposed work: sequences, and the tokens on the disk with them") {
  auto query = asked("bert-base", Phase::train);
  query.sequence = 128;
  query.format = DataFormat::tokens;
  query.dataset_bytes = 1000;
  CHECK(supposed(query, {"sequence=x2"}).sequence == 256);
  CHECK(supposed(query, {"sequence=x2"}).dataset_bytes == 2000);
  CHECK(supposed(asked("bert-base"), {"sequence=-256"}).sequence == 256);  // of its own 512
  refuses(query, "sequence=100.5", "no whole number of tokens");
  refuses(query, "sequence=513", "bert-base");
  refuses(asked("resnet50"), "sequence=128", "reads no tokens");
}

TEST_CASE("supposed work: a precision, where the job can have it") {
  CHECK(supposed(asked("resnet50"), {"precision=fp32"}).precision == Precision::fp32);
  refuses(asked("resnet50"), "precision=int3", "expected fp32, tf32, fp16, bf16 or fp8");
  auto pure = asked("llama-1b", Phase::train);
  pure.precision = Precision::bf16;
  pure.tuning.state.masters = false;
  refuses(pure, "precision=fp32", "master_weights");
}

TEST_CASE("what-if: fewer beams and another precision are everybody's, and no GPU's whim") {
  const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";
  const auto result =
      test::run_without_model({"what-if", job, "g6e.xlarge", "precision=fp32", "--infra", "aws"});
  CAPTURE(result.out + result.err);
  CHECK(result.code != cli::exit_usage);
  CHECK(result.out.find("precision=fp32") != std::string::npos);
  CHECK(result.out.find("that GPU computes in") == std::string::npos);
}

TEST_CASE("supposed work: more items bring their bytes, and a service works through none") {
  auto job = asked("resnet50", Phase::train);
  job.items = 1000;
  job.dataset_bytes = 110'000'000;
  job.epochs = 90;
  const auto twice = supposed(job, {"items=x2", "epochs=30"});
  CHECK(twice.items == 2000);
  CHECK(twice.dataset_bytes == 220'000'000);
  CHECK(twice.epochs == 30);
  CHECK(supposed(job, {"items=+500"}).items == 1500);
  CHECK(supposed(job, {"epochs=-50%"}).epochs == 45);
  refuses(job, "items=-1000", "items: 0 is no number from 1");
  refuses(job, "items=1000000000000000000", "");
  refuses(job, "epochs=-90", "epochs: 90 now");
  refuses(job, "epochs=0.0001", "not one item is worked through");
  refuses(job, "bytes=x2", "bytes under [data] in a copy of the job file");
  auto service = asked("resnet50");
  service.service.emplace();
  refuses(service, "items=x2", "a service works through none");
  refuses(service, "epochs=2", "a service works through none");
}

TEST_CASE("supposed work: who prepares pictures, where a loader could leave it to a GPU") {
  auto pictures = asked("resnet50", Phase::train);
  pictures.format = DataFormat::jpeg;
  CHECK(supposed(pictures, {"preprocess-on=gpu"}).preprocess_on == PreprocessChoice::gpu);
  CHECK(supposed(pictures, {"preprocess-on=either"}).preprocess_on == PreprocessChoice::either);
  refuses(pictures, "preprocess-on=tpu", "expected cpu, gpu or either");
  auto tokens = asked("bert-base", Phase::train);
  tokens.format = DataFormat::synthetic;
  refuses(tokens, "preprocess-on=gpu", "reads no pictures");
}

TEST_CASE("supposed work: pictures that the GPU prepares cost less of a machine with few vCPUs") {
  const auto said = test::run_without_model({"what-if",
                                             RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml",
                                             "aws/g5.xlarge",
                                             "preprocess-on=gpu",
                                             "--infra",
                                             "aws/us-east-1",
                                             "-o",
                                             "json"});
  CAPTURE(said.err);
  const auto answer = boost::json::parse(said.out);
  CHECK(answer.at("then").at("hours").at("value").to_number<double>() <
        answer.at("now").at("hours").at("value").to_number<double>());
  // Everybody's GPUs prepare then.
  const auto advised = test::run_without_model({"advise",
                                                RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml",
                                                "--preprocess-on",
                                                "gpu",
                                                "--infra",
                                                "aws/us-east-1",
                                                "-o",
                                                "json"});
  const auto chosen = boost::json::parse(advised.out).at("chosen").as_object();
  CHECK(std::string(answer.at("chosen_then").as_string())
            .find(std::string(chosen.at("instance").as_string())) != std::string::npos);
}

TEST_CASE("supposed work: of a machine without a GPU the vCPUs are said to prepare pictures") {
  const auto said = test::run_without_model({"what-if",
                                             RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml",
                                             "aws/c7a.8xlarge",
                                             "preprocess-on=gpu",
                                             "--infra",
                                             "aws/us-east-1"});
  CAPTURE(said.err);
  CHECK((said.out + said.err).find("preprocess-on: it has no GPU") != std::string::npos);
}
