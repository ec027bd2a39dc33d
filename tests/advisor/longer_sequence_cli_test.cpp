// Training beyond the length a network was trained for, as users ask for it: answered with one
// note, while whoever serves or writes is refused.
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "predicted_step.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Words;

namespace {

const std::string eight = "gpu=H100:8,link=nvlink";

int times(const std::string& text, const std::string& part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

// Wrapped lines are one.
std::string unwrapped(std::string text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!out.empty() && out.back() != ' ')) {
      out += blank ? ' ' : c;
    }
  }
  return out;
}

std::string job_in(const TemporaryFolder& folder, const std::string& lines) {
  const auto path = folder / "job.toml";
  std::ofstream(path) << "[job]\n"
                      << lines
                      << "precision = \"bf16\"\nepochs = 1\n[data]\nitems = 100000\n"
                         "format = \"synthetic\"\n";
  return path;
}

const std::string longer =
    "network = \"llama-2-7b\"\nsequence = 8192\nbatch_per_gpu = 1\nadapter = \"lora:16\"\n";

}  // namespace

TEST_CASE("longer sequence: predict answers a training once, and no step without one") {
  const auto train = test::predict_step("llama-2-7b", eight, {"--precision", "bf16"}, "8192");
  CHECK(train.code == cli::exit_ok);
  CHECK_MESSAGE(times(unwrapped(train.out), "longer than the 4096") == 1, train.out);
  for (const char* const phase : {"infer", "decode"}) {
    const auto result =
        test::predict_step("llama-2-7b", eight, {"--precision", "bf16", "--phase", phase}, "8192");
    CHECK_MESSAGE(times(result.out + result.err, "it was trained for 4096") == 1, result.out);
  }
  const auto table = test::predict_step("gpt2-medium", eight, {"--precision", "bf16"}, "2048");
  CHECK_MESSAGE(times(table.out + table.err, "it was trained for 1024") == 1, table.err);
}

TEST_CASE("longer sequence: advise, explain, compare and what-if say it once") {
  const TemporaryFolder folder;
  const auto job = job_in(folder, longer);
  const auto once = [](Words words, const std::string& part) {
    words.insert(words.end(), {"--infra", "aws"});
    const auto result = test::run_without_model(words);
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(times(unwrapped(result.out), part) == 1);
  };
  once({"advise", job}, "longer than the 4096");
  once({"explain", job}, "positions: 4096, as it was trained -> 8192");
  once({"compare", job, "g6e.xlarge", "p5.4xlarge"}, "longer than the 4096");
  once({"what-if", job, "p5.4xlarge", "sequence=16384"}, "longer than the 4096");
}

TEST_CASE("longer sequence: what answers requests or writes goes on refusing") {
  const TemporaryFolder folder;
  const auto refused = [](const Words& words, const std::string& why) {
    const auto result = test::run_without_model(words);
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(why) != std::string::npos);
  };
  const std::string why = "it was trained for 4096";
  refused(
      {"advise", job_in(folder, "network = \"llama-2-7b\"\nsequence = 8192\nphase = \"infer\"\n")},
      why);
  refused(
      {"advise", job_in(folder, "network = \"llama-2-7b\"\nsequence = 8192\nphase = \"decode\"\n")},
      why);
  refused({"what-if",
           job_in(folder, "network = \"llama-2-7b\"\nsequence = 4096\nphase = \"infer\"\n"),
           "p5.4xlarge",
           "sequence=8192",
           "--infra",
           "aws"},
          why);
  std::ofstream(folder / "service.toml")
      << "[job]\nnetwork = \"llama-2-7b\"\nphase = \"decode\"\nprecision = \"bf16\"\n"
         "[service]\nqps = 1\ntoken = \"50ms\"\nprompt_tokens = 4000\noutput_tokens = 200\n";
  refused({"advise", folder / "service.toml"}, why);
}
