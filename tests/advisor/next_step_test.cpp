// Where nothing is an option the answer names what would be: and what it names is one.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/calibration.h"
#include "advisor/service_world.h"
#include "advisor/token_world.h"
#include "advisor/way_followed.h"
#include "advisor/way_out/engine_instead.h"

using namespace rightsize;
using test::advise;
using test::changed_llm;
using test::examples;
using test::found;
using test::job_of;
using test::large_llm;
using test::run;
using test::with;

namespace {

std::string job_in(const TemporaryFolder& folder, const std::string& text) {
  std::ofstream(folder / "job.toml") << text;
  return folder / "job.toml";
}

}  // namespace

TEST_CASE("next step: numbers that no machine has are told with the nearest that some have") {
  const test::ModelFile model;
  const auto job = examples + "demo/job.toml";
  const auto gpus = advise(job, {"--gpus", "5", "--infra", "aws"}, model.path());
  CHECK(gpus.code == cli::exit_nothing_satisfies);
  CHECK(gpus.warnings.find("no machine here has 5 GPUs: the nearest have 4 and 8") !=
        std::string::npos);
  for (const auto* number : {"4", "8"}) {
    CHECK(advise(job, {"--gpus", number, "--infra", "aws"}, model.path()).code == cli::exit_ok);
  }
  const std::vector<std::string> week{"--deadline", "1000h"};  // on CPUs, if on nothing else
  for (const auto* flag : {"--memory-min", "--vcpus-min"}) {
    CAPTURE(flag);
    const auto asked = advise(job, with(week, std::string(flag) + " 100000"), model.path());
    CHECK(asked.code == cli::exit_nothing_satisfies);
    CAPTURE(asked.warnings);
    const auto most = found(
        asked.warnings, "no machine here has 100000 or more [A-Za-z ]+: the nearest have ([0-9]+)");
    REQUIRE_FALSE(most.empty());
    const auto followed = advise(job, with(week, std::string(flag) + " " + most), model.path());
    CHECK(followed.warnings.find("no machine here") == std::string::npos);
    CHECK(followed.code == cli::exit_ok);
  }
}

TEST_CASE(
    "next step: what does not fit the GPUs' memory is told what fits, and that is an option") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = job_of(folder,
                          "network = \"llama-8b\"\nprecision = \"bf16\"\nbatch_per_gpu = 256\n"
                          "sequence = 2048\nrecompute = false\n");
  const std::vector<std::string> here{"--infra", "aws", "--allow", "^g5[.]"};
  const auto asked = advise(job, here, model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  CHECK(asked.warnings.find("on the largest of them, aws/g5.48xlarge: ") != std::string::npos);
  int tried = 0;
  for (const auto* way : {"(--batch [0-9]+) fits",
                          "(--adapter [a-z0-9:]+(?: --recompute true)?) [(]adapters alone are",
                          "(?:: |or )(--recompute true) fits",
                          "(--tensor-parallel [0-9]+(?: --recompute true)?) fits",
                          "(--nodes-max [0-9]+) fits"}) {
    const auto flags = found(asked.warnings, way);
    if (flags.empty()) {
      continue;
    }
    ++tried;
    CAPTURE(flags);
    CHECK(advise(job, with(here, flags), model.path()).code == cli::exit_ok);
  }
  CHECK(tried >= 1);
  if (const auto card = found(asked.warnings, "such as ([A-Za-z0-9-]+)"); !card.empty()) {
    CHECK(run({"predict", job, "--model", model.path(), "--machine", "gpu=" + card}).code ==
          cli::exit_ok);
  }
}

TEST_CASE("next step: one GPU too small is told how many of it do, and they are an answer") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = job_of(folder,
                          "network = \"llama-8b\"\nprecision = \"bf16\"\nbatch_per_gpu = 1\n"
                          "sequence = 2048\n");
  const auto asked =
      advise(job, {"--infra", "lambda", "--allow", "^gpu_1x_h100_sxm5$"}, model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  const auto gpus = found(asked.warnings, "gpu=H100:([0-9]+) fits, whose GPUs share");
  REQUIRE_FALSE(gpus.empty());
  CHECK(advise(job, {"--infra", "lambda", "--allow", "h100", "--gpus", gpus}, model.path()).code ==
        cli::exit_ok);
}

TEST_CASE("next step: hosts with too little memory are told how much would do, and it does") {
  const test::ModelFile model;
  const auto job = examples + "demo/job.toml";
  const auto asked = advise(job, {"--memory-max", "4"}, model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  const auto named = found(asked.warnings, "with (--memory-max [0-9.]+) [a-z]+/");
  REQUIRE_FALSE(named.empty());
  CHECK(advise(job, with({}, named), model.path()).code == cli::exit_ok);
  const auto both =
      advise(job, {"--infra", "lambda", "--gpus", "1", "--memory-max", "24"}, model.path());
  CHECK(both.warnings.find("no machine here within the other limits has 1 GPU: ") !=
        std::string::npos);
}

TEST_CASE("next step: what fits is named with the limits it takes, and is an answer then") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = job_of(folder,
                          "network = \"llama-8b\"\nprecision = \"bf16\"\nbatch_per_gpu = 256\n"
                          "sequence = 2048\nrecompute = false\n");
  const std::vector<std::string> here{"--infra", "aws", "--allow", "^g5[.]"};
  const auto asked = advise(job, with(here, "--deadline 1s"), model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  const std::regex way(
      "(--[a-z-]+ [a-z0-9:]+(?: --recompute true)?) (?:[(][a-z ]+[)] )?fits[^;.]*?, with "
      "(--deadline [0-9.]+[smh])");
  int tried = 0;
  for (std::sregex_iterator at(asked.warnings.begin(), asked.warnings.end(), way), end; at != end;
       ++at) {
    ++tried;
    const auto flags = (*at)[1].str() + " " + (*at)[2].str();
    CAPTURE(flags);
    CHECK(advise(job, with(here, flags), model.path()).code == cli::exit_ok);
  }
  CHECK(tried >= 1);
  CHECK(asked.warnings.find("is then to be asked") == std::string::npos);
}

TEST_CASE(
    "next step: a limit that is named takes no more than a few times the machines of a wide one") {
  const test::ModelFile model;
  const auto asked = advise(examples + "service/job.toml",
                            {"--infra", "aws/us-east-1", "--slo", "p99=0.2ms", "--qps", "20000"},
                            model.path());
  CAPTURE(asked.warnings);
  const auto named = found(asked.warnings, "--slo (p99=[0-9.]+m?s) is within its reach, by [0-9]");
  const auto machine = found(asked.warnings, "the soonest, aws/([a-z0-9.]+), does");
  const auto count = found(asked.warnings, "is within its reach, by ([0-9]+) of it");
  REQUIRE_FALSE(named.empty());
  const auto machines = [&](const std::string& slo) {
    const auto result = run(with({"advise",
                                  examples + "service/job.toml",
                                  "--infra",
                                  "aws/us-east-1",
                                  "--allow",
                                  "^" + machine + "$",
                                  "--slo",
                                  slo},
                                 "--qps 20000 -o json --model " + model.path()));
    REQUIRE(result.code == cli::exit_ok);
    return boost::json::parse(result.out).at("chosen").at("nodes").as_int64();
  };
  CHECK(machines(named) <= std::stoll(count));
  // Three times its best; a CPU that nothing was measured on is known to a factor of two.
  CHECK(machines(named) <= 3 * machines("p99=51ms"));
}

TEST_CASE("next step: a network of pictures is not told to train adapters or to share its layers") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job =
      job_of(folder, "network = \"resnet152\"\nprecision = \"fp32\"\nbatch_per_gpu = 16384\n");
  const auto asked = advise(job, {"--infra", "aws", "--gpus-min", "1"}, model.path());
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CAPTURE(asked.warnings);
  const auto batch = found(asked.warnings, "(--batch [0-9]+) fits");
  REQUIRE_FALSE(batch.empty());
  CHECK(advise(job, with({"--infra", "aws", "--gpus-min", "1"}, batch), model.path()).code ==
        cli::exit_ok);
  for (const auto* no : {"adapter", "tensor", "nodes-max", "recompute"}) {
    CHECK(asked.warnings.find(no) == std::string::npos);
  }
}

TEST_CASE("next step: a card that is named leaves room beside what is needed") {
  // 93.4 GB of weights: a card of 96 GB would be full before the first activation.
  const std::vector<std::string> asked{"predict",
                                       "--network",
                                       "mixtral-8x7b",
                                       "--phase",
                                       "infer",
                                       "--precision",
                                       "bf16",
                                       "--batch",
                                       "1",
                                       "--data",
                                       "synthetic"};
  const auto answer = run(with(asked, "--machine gpu=A100-80GB -o json"));
  CHECK(answer.code == cli::exit_nothing_satisfies);
  const auto ways = boost::json::serialize(boost::json::parse(answer.out).at("ways_out"));
  const auto card = found(ways, "such as ([A-Za-z0-9-]+)");
  CHECK(card == "H200");
  CHECK(run(with(asked, "--machine gpu=" + card)).code == cli::exit_ok);
  // A card of another maker is no card for the same program.
  const auto small = run({"predict",
                          "--network",
                          "resnet50",
                          "--precision",
                          "fp32",
                          "--batch",
                          "512",
                          "--data",
                          "synthetic",
                          "--machine",
                          "gpu=L40S"});
  CAPTURE(small.out);
  CHECK(small.code == cli::exit_nothing_satisfies);
  CHECK(small.out.find("such as MI") == std::string::npos);
}

TEST_CASE("next step: latencies that no machine reaches are told with those that one does") {
  const test::ModelFile model;
  for (const auto& [job, slo] : {std::pair{"service/job.toml", "p99=0.2ms"},
                                 std::pair{"llm/serve.toml", "ttft=2ms,tpot=1ms"},
                                 std::pair{"llm/serve.toml", "ttft=2345ms,tpot=1ms"}}) {
    CAPTURE(job);
    const std::vector<std::string> here{"--infra", "aws/us-east-1"};
    auto flags = here;
    flags.insert(flags.end(), {"--slo", slo});
    const auto asked = advise(examples + job, flags, model.path());
    CHECK(asked.code == cli::exit_nothing_satisfies);
    CAPTURE(asked.warnings);
    const auto named = found(asked.warnings, "--slo ([^ ]+) is within its reach");
    REQUIRE_FALSE(named.empty());
    CHECK(named.find("e+") == std::string::npos);
    CHECK((slo != std::string_view("ttft=2345ms,tpot=1ms") || named.starts_with("ttft=2.345s,")));
    flags.back() = named;
    CHECK(advise(examples + job, flags, model.path()).code == cli::exit_ok);
  }
}

TEST_CASE("next step: where only an engine answers in time it is named, and does") {
  const test::ModelFile model;
  std::vector<std::string> flags{"--infra", "aws/us-east-1", "--slo", "p99=3.5ms"};
  const auto asked = advise(examples + "service/job.toml", flags, model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
  const auto named = found(asked.warnings, "--framework ([A-Za-z]+), by which");
  REQUIRE(named == "TensorRT");
  flags.insert(flags.end(), {"--framework", named});
  CHECK(advise(examples + "service/job.toml", flags, model.path()).code == cli::exit_ok);
}

TEST_CASE("next step: where CPUs win because GPUs are judged by frameworks, an engine is named") {
  const auto model = shipped_model();
  const auto catalog = shipped_catalog();
  const auto gpu_rates = shipped_gpu_rates();
  const auto cpu_speeds = shipped_cpu_speeds();
  const Evidence evidence{model, catalog, gpu_rates, cpu_speeds};
  auto query = load_query(examples + "service/job.toml");
  query.service->p99_s = 0.02;
  const auto answer = search(query, evidence);
  REQUIRE(answer.chosen);
  REQUIRE(answer.chosen->gpu.empty());
  const auto said = engine_instead(evidence, answer);
  REQUIRE(said.find("--framework TensorRT") != std::string::npos);
  CHECK(std::find(answer.warnings.begin(), answer.warnings.end(), said) != answer.warnings.end());
  query.framework = "TensorRT";
  const auto followed = search(query, evidence);
  REQUIRE(followed.chosen);
  CHECK(
      said.find(fmt::format("{} x {} would", followed.chosen->nodes, followed.chosen->instance)) !=
      std::string::npos);
  CHECK(followed.chosen->cost.value < 0.5 * answer.chosen->cost.value);
  CHECK(engine_instead(evidence, followed).empty());
}

TEST_CASE("next step: an engine trains nowhere, on no CPU either") {
  const test::ModelFile model;
  const auto asked =
      advise(examples + "demo/job.toml",
             {"--infra", "aws/us-east-1", "--framework", "TensorRT", "--deadline", "2000h"},
             model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
}

TEST_CASE("next step: weights that fit no machine are told the form in which they do") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const std::vector<std::string> here{"--infra", "aws/us-east-1", "--allow", "^g6e[.]xlarge$"};
  const auto asked = advise(large_llm, here, model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
  const auto weights = found(asked.warnings, "with (weights = \"[a-z0-9]+\") under");
  REQUIRE_FALSE(weights.empty());
  const auto job = job_in(folder, changed_llm("weights = \"fp8\"", weights, large_llm));
  const auto followed = advise(job, here, model.path());
  CAPTURE(followed.warnings);
  CHECK(followed.warnings.find("fit no machine here") == std::string::npos);
  const bool late = asked.warnings.find("though none is in time then") != std::string::npos;
  CHECK((followed.code == cli::exit_ok) == !late);
}

TEST_CASE("next step: software of CUDA's on AMD's GPUs alone is told that, not to narrow weights") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job = job_in(folder, changed_llm("# software =", "software =", large_llm));
  const auto asked = advise(job, {"--infra", "oci", "--allow", "[.]MI3"}, model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CHECK(asked.warnings.find("TensorRT-LLM does not run on AMD's GPUs: name another software") !=
        std::string::npos);
  CHECK(asked.warnings.find("4 bits") == std::string::npos);
}

TEST_CASE("next step: weights that no GPU here reads are told those that one does") {
  const test::ModelFile model;
  const TemporaryFolder folder;
  const auto job =
      job_in(folder, changed_llm("# weights = \"int4\"      #", "weights = \"nvfp4\"   #"));
  const auto asked =
      advise(job, {"--infra", "aws/us-east-1", "--allow", "^g4dn[.]12x"}, model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CHECK(asked.warnings.find("reads nvfp4 weights on Turing GPUs") != std::string::npos);
  CHECK(asked.warnings.find("are read and fit") != std::string::npos);
  CHECK(asked.warnings.find("fit no machine here") == std::string::npos);
}

TEST_CASE("next step: a language model without any GPU is told that, not to narrow its weights") {
  const test::ModelFile model;
  const auto asked = advise(
      examples + "llm/serve.toml", {"--infra", "aws/us-east-1", "--allow", "^c5[.]"}, model.path());
  CAPTURE(asked.warnings);
  CHECK(asked.code == cli::exit_nothing_satisfies);
  CHECK(asked.warnings.find("none of these machines has a GPU") != std::string::npos);
}

TEST_CASE("next step: nothing to explain, suppose or verify is an answer, as of advise") {
  const test::ModelFile model;
  const auto job = examples + "demo/job.toml";
  for (const auto* command : {"advise", "explain", "what-if", "export"}) {
    CAPTURE(command);
    std::vector<std::string> asked{command, job, "--model", model.path(), "--allow", "no such"};
    if (command == std::string_view("what-if")) {
      asked.emplace_back("vcpus=+4");
    }
    CHECK(run(asked).code == cli::exit_nothing_satisfies);
  }
}

TEST_CASE("next step: a pattern that fits no name is told what it is of") {
  const test::ModelFile model;
  const std::string job = RIGHTSIZE_SOURCE_DIR "/examples/demo/job.toml";
  for (const auto* allow : {"aws/g6e.xlarge", "G6E.xlarge"}) {
    const auto answered = test::run({"advise", job, "--model", model.path(), "--allow", allow});
    CHECK(answered.out.find(fmt::format("--allow {} fits no machine here", allow)) !=
          std::string::npos);
  }
}

TEST_CASE("next step: where requests wait long for minibatches to fill, less of it is tried") {
  const auto world = test::service_world();
  auto query = test::answering();
  const auto warned = [&](double max_delay_s, double requests_per_s) {
    query.service->max_delay_s = max_delay_s;
    query.service->requests_per_s = requests_per_s;
    const auto answer = search(query, world.evidence());
    return fmt::format("{}", fmt::join(answer.warnings, "\n"));
  };
  const std::string offered = "with max_delay = 9ms ";
  const auto with_long = warned(0.045, 1500);
  REQUIRE(with_long.find(offered) != std::string::npos);
  const auto begin = with_long.find(offered) + offered.size();
  const auto fleet = with_long.substr(begin, with_long.find(" would do", begin) - begin);
  query.service->max_delay_s = 0.009;
  const auto followed = search(query, world.evidence());
  REQUIRE(followed.chosen.has_value());
  CHECK(fleet ==
        fmt::format("{} x {} (acme/here)", followed.chosen->nodes, followed.chosen->instance));
  CHECK(with_long.find("max_delay = 45ms leaves 5ms of p99 = 50ms: with") != std::string::npos);
  CHECK(warned(0.005, 1500).find("max_delay") == std::string::npos);
}
