// Words that are not this command's: each is answered with those that are, and where to say them.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";

test::Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What stderr says of it.
std::string refused(const std::vector<std::string>& arguments) {
  const auto result = run(arguments);
  CHECK(result.code == cli::exit_usage);
  return result.err;
}

}  // namespace

TEST_CASE("right words: what a machine's disk and vCPUs are called in --machine") {
  CHECK(holds(refused({"size", job, "--gpu", "L40S", "--disk-read", "30MB/s"}),
              "unknown option --disk-read; a machine's own parts are said to predict: rightsize "
              "predict --machine gpu=V100:1,vcpus=8,memory=61GiB and so on, with disk=250MB/s"));
  const std::vector<std::string> predict{"predict", job, "--machine"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), predict.begin(), predict.end());
    return refused(more);
  };
  CHECK(holds(with({"aws/g6e.xlarge", "--disk-read", "30MB/s"}),
              "put it into --machine, after a comma, as disk=250MB/s"));
  CHECK(holds(with({"aws/g6e.xlarge,disk-read=30MB/s"}),
              "unknown key \"disk-read\"; it is said as disk=250MB/s; the keys are"));
  CHECK(holds(with({"gpu=L40S:1,cpus=8,memory=61GiB"}), "\"cpus\"; it is said as vcpus=8"));
  CHECK(holds(with({"gpu=L40S:1,memry=61GiB"}), "did you mean \"memory\"?"));
}

TEST_CASE("right words: what-if is asked about another job by flags and the job file") {
  const auto asked = [](const char* word) {
    return refused({"what-if", job, "g6e.xlarge", word, "--infra", "aws"});
  };
  CHECK(
      holds(asked("nodes=2"), "say it by nodes_max under [constraints] in a copy of the job file"));
  CHECK(holds(asked("bytes=2"), "say it by bytes under [data]"));
  CHECK(holds(asked("deadline=2d"), "say it by the flag --deadline"));
  CHECK(holds(asked("budget=20"), "say it by the flag --budget"));
  CHECK(holds(asked("vcpu=2"), "did you mean vcpus=?"));
}

TEST_CASE("right words: markets by comma, as GPUs are") {
  const auto both =
      run({"advise", job, "--infra", "aws", "--market", "spot,on-demand", "-o", "csv"});
  CHECK(both.code == cli::exit_ok);
  CHECK(both.out == run({"advise",
                         job,
                         "--infra",
                         "aws",
                         "--market",
                         "spot",
                         "--market",
                         "on-demand",
                         "-o",
                         "csv"})
                        .out);
  CHECK(holds(refused({"advise", job, "--market", "spot,dear"}), "--market dear: expected"));
}

TEST_CASE("right words: a pattern that is none is shown in its file") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "job.toml",
      "[job]\nnetwork = \"resnet50\"\nepochs = 1\n[data]\nitems = 1000\nbytes = \"1GB\"\n"
      "[constraints]\ndeny = [\"[\"]\n");
  CHECK(holds(refused({"advise", file}),
              "job.toml:8:8: constraints.deny: \"[\" is not a regular expression"));
}

TEST_CASE("right words: a GPU that is like none is told where they are listed") {
  CHECK(holds(refused({"gpus", "foo"}), "no GPU \"foo\" in the table; rightsize gpus -o names"));
  CHECK(holds(refused({"gpus", "H10"}), "did you mean"));
}

TEST_CASE("prices show: programs have every row, people the first") {
  const auto rows = [](const std::vector<std::string>& more) {
    std::vector<std::string> all{"prices", "show", "--infra", "aws"};
    all.insert(all.end(), more.begin(), more.end());
    const auto result = run(all);
    return std::pair(std::count(result.out.begin(), result.out.end(), '\n'),
                     holds(result.err, "--max-results 0 shows them"));
  };
  const auto whole = rows({"-o", "csv"});
  CHECK(whole.first > 100);
  CHECK_FALSE(whole.second);
  CHECK(rows({"-o", "csv", "--max-results", "5"}) == std::pair<std::ptrdiff_t, bool>(6, true));
  CHECK(rows({}).second);
}

TEST_CASE("disks: a machine that takes Hyperdisk alone is offered it, and no other by name") {
  CHECK(holds(refused({"predict", job, "--machine", "gcp/g4-standard-48,disk=pd-balanced:500GiB"}),
              "g4-standard-48 attaches no pd-balanced; it takes hyperdisk-balanced, or say"));
  const auto answer = run({"advise", job, "--infra", "gcp", "--gpu", "RTX-PRO-6000", "-o", "csv"});
  CHECK(answer.code == cli::exit_ok);
  CHECK(holds(answer.out, "hyperdisk-balanced"));
  CHECK_FALSE(holds(answer.out, "pd-"));
}

TEST_CASE("disks: 20 TB are answered on AWS, and 100 TB are told what to do") {
  const TemporaryFolder folder;
  const auto of_bytes = [&](const std::string& bytes) {
    return folder.write(bytes + ".toml",
                        "[job]\nnetwork = \"resnet50\"\nphase = \"infer\"\nprecision = \"fp16\"\n"
                        "[data]\nitems = 100000000\nformat = \"jpeg\"\nbytes = \"" +
                            bytes + "\"\n");
  };
  const auto fits = run({"advise", of_bytes("20TB"), "--infra", "aws", "-o", "csv"});
  CHECK(fits.code == cli::exit_ok);
  CHECK(holds(fits.out, "gp3 1"));
  const auto none = run({"advise", of_bytes("100TB"), "--infra", "aws"});
  CHECK(none.code == cli::exit_nothing_satisfies);
  CHECK(holds(none.out + none.err, "volumes end at 64 TiB"));
}

TEST_CASE("what-if: of a fleet that is too small the queue grows, which no time says") {
  const TemporaryFolder folder;
  const auto chat =
      folder.write("chat.toml",
                   "[job]\nnetwork = \"llama-8b\"\nphase = \"decode\"\nprecision = "
                   "\"bf16\"\n[service]\nqps = 20\n"
                   "prompt_tokens = 1500\noutput_tokens = 300\nfirst_token = \"1s\"\n");
  const auto result = run({"what-if", chat, "g6e.xlarge", "machines=1", "--infra", "aws"});
  CHECK(holds(result.out, "the queue of requests grows without end"));
  CHECK_FALSE(holds(result.out, "never to the first token"));
}
