// The keys of a job file: where each belongs, and what is said of one that is nowhere.
#include "advisor/query/job_keys.h"

#include <map>
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "job_file.h"

using namespace rightsize;
using test::JobFile;
using test::least_data;

namespace {

// What a list of values begins with, as TOML: "64 or [64, 128]; ..." -> 64.
std::string first_value(const std::string& values) {
  const std::map<char, char> closing{{'"', '"'}, {'[', ']'}, {'{', '}'}};
  const auto bracket = closing.find(values.front());
  return bracket == closing.end() ? values.substr(0, values.find_first_of(" ;"))
                                  : values.substr(0, values.find(bracket->second, 1) + 1);
}

}  // namespace

TEST_CASE("query: a key of a service misspelt or by another's name is named, not what is missing") {
  const auto error = [](const std::string& lines) {
    return JobFile("[job]\nphase = \"decode\"\nnetwork = \"gpt2\"\n[service]\nqps = 1\n" + lines)
        .error();
  };
  CHECK(error("promt_tokens = 9\noutput_tokens = 9\ntoken = \"50ms\"\n") ==
        ":6:1: unknown key \"promt_tokens\", did you mean \"prompt_tokens\"?");
  const std::string lengths = "prompt_tokens = 9\noutput_tokens = 9\n";
  CHECK(error(lengths + "ttft = \"1s\"\n") ==
        ":8:1: unknown key \"ttft\", did you mean \"first_token\"?");
  for (const std::string name : {"tpot", "itl"}) {
    CHECK(error(lengths + name + " = \"50ms\"\n") ==
          ":8:1: unknown key \"" + name + "\", did you mean \"token\"?");
  }
  CHECK(error(lengths + "requests_per_second = 5\n") ==
        ":8:1: unknown key \"requests_per_second\", did you mean \"qps\"?");
  CHECK(error(lengths + "latency = \"1s\"\n")
            .find("unknown key \"latency\", did you mean \"p99\", with phase = \"infer\" in [job] "
                  "or \"token\", with phase = \"decode\" in [job]?") != std::string::npos);
  CHECK(JobFile("[job]\nphase = \"infer\"\nnetwork = \"gpt2\"\n[service]\nqps = 1\np99_ms = 9\n")
            .error() == ":6:1: unknown key \"p99_ms\", did you mean \"p99\"?");
  CHECK(JobFile(least_data + "[[measured]]\ngpu = \"T4\"\nrate = 5\n")
            .error()
            .find("unknown key \"rate\", did you mean \"items_per_s\"?") != std::string::npos);
  CHECK(JobFile("[job]\nphase = \"infer\"\nmodel = \"gpt2\"\n").error() ==
        ":3:1: unknown key \"model\", did you mean \"network\"?");
  CHECK(error(lengths + "p99 = \"1s\"\n") ==
        ":8:1: unknown key \"p99\", which goes with phase = \"infer\" in [job]");
  CHECK(JobFile(least_data + "[constraints]\nttft = \"1s\"\n").error() ==
        ":5:1: unknown key \"ttft\", did you mean \"first_token\" under [service]?");
  CHECK(JobFile(least_data + "[[measured]]\ngpus = \"T4\"\n").error() ==
        ":5:1: unknown key \"gpus\", did you mean \"gpu\"?");
}

TEST_CASE("query: a key that says less or more than ours is told which are") {
  const auto error = [](const std::string& line) {
    return JobFile(least_data + "[constraints]\n" + line + "\n").error();
  };
  CHECK(error("memory_max = 64") ==
        ":5:1: unknown key \"memory_max\", did you mean \"memory_gib_max\"?");
  CHECK(error("memory = 64") ==
        ":5:1: unknown key \"memory\", did you mean \"memory_gib_max\" or \"memory_gib_min\"?");
  CHECK(error("deadline_hours = 4") ==
        ":5:1: unknown key \"deadline_hours\", did you mean \"deadline\"?");
  const auto listed = error("colour = 1");
  CHECK(listed.starts_with(":5:1: unknown key \"colour\"; the keys here are allow, "));
  CHECK(listed.ends_with(", vcpus_max, vcpus_min"));
}

TEST_CASE("query: a key in the wrong table is told where it belongs") {
  CHECK(JobFile("[job]\npreprocess_on = \"gpu\"\n" + least_data).error() ==
        ":2:1: unknown key \"preprocess_on\", which belongs under [data]");
  CHECK(JobFile("deadline = \"3h\"\n" + least_data).error() ==
        ":1:1: unknown key \"deadline\", which belongs under [constraints]");
  CHECK(JobFile(least_data + "name = \"x\"\n").error() ==
        ":4:1: unknown key \"name\", which belongs at the top, before any table");
  CHECK(JobFile(least_data + "network = \"resnet50\"\n").error() ==
        ":4:1: unknown key \"network\", which belongs under [job] or under [constraints]");
  CHECK(JobFile("[job]\nweights = \"fp8\"\n" + least_data).error() ==
        ":2:1: unknown key \"weights\", which goes with phase = \"decode\" in [job], or "
        "\"infer\" of a model that makes pictures or writes what it is asked for, as Whisper does");
  CHECK(JobFile(least_data + "weights = \"fp8\"\n").error() ==
        ":4:1: unknown key \"weights\", which belongs under [job], with phase = \"decode\" in "
        "[job], or "
        "\"infer\" of a model that makes pictures or writes what it is asked for, as Whisper does");
}

TEST_CASE("query: every key of the list is read where the list says") {
  for (const auto& known : job_keys()) {
    const bool of_spot = known.table == "spot";
    const std::string key(known.key);
    CAPTURE(key);
    const auto elsewhere =
        JobFile(fmt::format("[{}]\n{} = 1\n{}", of_spot ? "money" : "spot", key, least_data))
            .error();
    CHECK(elsewhere.find(known.table.empty() ? "at the top" : fmt::format("[{}]", known.table)) !=
          std::string::npos);
    if (!known.with.empty()) {
      continue;  // needs more than itself
    }
    const auto table = known.table.empty() ? "" : fmt::format("[{}]\n", known.table);
    const auto here =
        JobFile(fmt::format("{}{} = []\n{}", table, key, known.table == "data" ? "" : least_data))
            .error();
    CHECK(here.find("unknown key") == std::string::npos);
  }
}

TEST_CASE("query: every key of the list says what it means, with a value that is one") {
  for (const auto& known : job_keys()) {
    CAPTURE(known.key);
    CHECK(!known.meaning.empty());
    REQUIRE(!known.value.empty());
    if (!known.with.empty() || known.table == "measured") {
      continue;  // needs more than itself
    }
    const auto line = fmt::format("{} = {}\n", known.key, first_value(std::string(known.value)));
    const auto table = known.table.empty() ? "" : fmt::format("[{}]\n", known.table);
    const auto said = JobFile(table + line + (known.table == "data" ? "" : least_data)).error();
    CHECK(said.find(fmt::format("{} = ", known.key)) == std::string::npos);
    CHECK(said.find("unknown key") == std::string::npos);
  }
}
