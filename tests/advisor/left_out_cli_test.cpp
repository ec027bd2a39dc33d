// What answers leave out, or take from what was written in haste, and say so.
#include <sstream>

#include <doctest/doctest.h>

#include "support/program.h"
#include "support/temporary_folder.h"
#include "token_world.h"

using namespace rightsize;

namespace {

test::Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string recommender(int qps) {
  return "[job]\nnetwork = \"dlrm\"\nphase = \"infer\"\n[service]\nqps = " + std::to_string(qps) +
         "\np99 = \"10ms\"\n[constraints]\ninfra = [\"aws/us-east-1\"]\n"
         "allow = \"^m8i[.]xlarge$\"\n";
}

}  // namespace

TEST_CASE("left out: what a host does to receive many requests") {
  const TemporaryFolder folder;
  const auto many = run({"advise", folder.write("many.toml", recommender(50000))});
  CHECK(
      holds(many.out,
            "50000 requests/s are 80 us of a vCPU each on these 4: what the host does to receive"));
  CHECK_FALSE(holds(run({"advise", folder.write("few.toml", recommender(500))}).out,
                    "what the host does to receive"));
  CHECK(holds(many.out, "types of aws without a GPU, a sample of what it sells"));
}

TEST_CASE("left out: replicas over several machines, and machines of more GPUs than are sold") {
  const TemporaryFolder folder;
  const auto job = folder.write("job.toml",
                                "[job]\nnetwork = \"deepseek-v3\"\nphase = \"decode\"\n"
                                "[service]\nqps = 1\nprompt_tokens = 2000\noutput_tokens = 100\n"
                                "first_token = \"5s\"\ntoken = \"100ms\"\n"
                                "[constraints]\ninfra = [\"aws/us-east-1\"]\n");
  std::istringstream lines(run({"advise", job}).out);  // wherever they are broken
  std::string words;
  for (std::string word; lines >> word;) {
    words += word + " ";
  }
  CHECK(
      holds(words,
            "a sequence do not fit the memory of its GPUs, and replicas over several machines are "
            "not modelled"));
  const auto one = run({"predict", job, "--machine", "gpu=H100:8"});
  CHECK_FALSE(holds(one.out, "gpu=H100:16"));
}

TEST_CASE("left out: a small fleet is tried with fewer machines first") {
  const auto answer = run({"advise", test::small_llm, "--infra", "aws"}).out;
  CHECK(holds(answer, "try 1 x g6e.xlarge first, in time with "));
  CHECK(holds(answer, "and add a machine where that shows it is not"));
}

TEST_CASE("left out: on-demand prices that one provider alone asks") {
  const auto answer =
      run({"advise", test::small_llm, "--gpu", "RTX-PRO-6000", "--infra", "packet-ai"}).out;
  CHECK(holds(answer, "0.66 USD an hour for one RTX-PRO-6000 is 40% of the"));
}

TEST_CASE("predict: pictures of a hundred bytes are asked about, as in advise") {
  const auto predicted = [](const char* bytes) {
    return run({"predict",
                "--data",
                "jpeg",
                "--items",
                "1000000",
                "--bytes",
                bytes,
                "--machine",
                "aws/g5.xlarge"})
        .out;
  };
  CHECK(holds(predicted("100MB"),
              "the data has 100 bytes an item, of 1.51e+05 as pixels: is "
              "--bytes the size of all 1000000 items?"));
  CHECK_FALSE(holds(predicted("100GB"), "is --bytes the size"));
}

TEST_CASE("disk: object storage is said as a rate") {
  for (const std::string disk : {"s3", "gs://bucket", "webdataset"}) {
    const auto result = run({"predict", "--machine", "gpu=A100,disk=" + disk});
    CAPTURE(disk);
    CHECK(result.code == cli::exit_usage);
    CHECK(holds(result.err, "streamed from object storage is said as the rate"));
  }
}

TEST_CASE("preprocessing: a format that was not measured names the one that was") {
  const auto result = run({"predict",
                           "--phase",
                           "preprocess",
                           "--data",
                           "jpeg",
                           "--machine",
                           "vcpus=8,memory=32GiB,disk=250MB/s",
                           "--preprocess-output",
                           "recordio"});
  CHECK(result.code == cli::exit_failed);
  CHECK(holds(result.err, "then rightsize fit; lmdb is known without"));
}

TEST_CASE("utilisation: of a plan of services alone it is refused as of one") {
  const auto plan = run({"advise", test::small_llm, test::large_llm, "--utilisation", "50%"});
  CHECK(plan.code == cli::exit_usage);
  CHECK(holds(plan.err, "--utilisation 50%: it is of jobs, which share a reservation"));
}
