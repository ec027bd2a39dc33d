// What the user's own program did on a GPU, in job files, flags and answers.
#include "advisor/query/own_rate.h"

#include <cmath>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "advisor/machine/configuration.h"
#include "advisor/query/query.h"
#include "support/approx.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::Result;

namespace {

Result run(const std::vector<std::string>& arguments) {
  return test::run_without_model(arguments);
}

class Job {
 public:
  explicit Job(const std::string& more, const std::string& batches = "[64, 128]")
      : path_(folder_ / "job.toml") {
    std::ofstream(path_) << "[job]\nnetwork = \"resnet50\"\nprecision = \"fp16\"\n"
                            "batch_per_gpu = "
                         << batches
                         << "\nepochs = 3\n"
                            "[data]\nitems = 100000\nbytes = \"11GB\"\nformat = \"recordio\"\n"
                         << more;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string error() const {
    const auto result = run({"advise", path_, "--infra", "aws/us-east-1"});
    CHECK(result.code == cli::exit_usage);
    return result.err;
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
};

// The rate of one machine, and how wide its interval is.
struct Said {
  double value = 0;
  double width = 0;
  std::string source;
};

Said predicted(const std::string& job, const std::string& gpu, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{
      "predict", job, "--batch", "64", "--machine", "gpu=" + gpu, "-o", "json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto result = run(arguments);
  REQUIRE(result.code == cli::exit_ok);
  const auto rate = boost::json::parse(result.out).at("throughput").as_object();
  return {rate.at("value").as_double(),
          rate.at("high").as_double() / rate.at("low").as_double(),
          std::string(rate.at("source").as_string())};
}

}  // namespace

TEST_CASE("own rates: as a flag") {
  const auto rate = parse_own_rate("NVIDIA A10G:64=412.5");
  CHECK(rate.gpu == "A10G");
  CHECK(rate.batch == 64);
  CHECK(rate.items_per_s == 412.5);
  CHECK_FALSE(parse_own_rate("A10G=412").batch);
  for (const auto* wrong : {"",
                            "A10G",
                            "A10G=",
                            "A10G=x",
                            "A10G=-4",
                            "A10G:0=4",
                            "A10G:x=4",
                            "=4",
                            "A10G:64=nan",
                            "A10G:64=1e12",
                            "A10G=4 img/s"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(parse_own_rate(wrong)), doctest::Contains("--measured"), UsageError);
  }
}

TEST_CASE("own rates: in a job file, each with its line") {
  const Job job(
      "[[measured]]\ngpu = \"Tesla T4\"\nitems_per_s = 250\nbatch_per_gpu = 64\n"
      "[[measured]]\ngpu = \"A10G\"\nitems_per_s = 400.5\nbatch_per_gpu = 128\n"
      "precision = \"fp32\"\n");
  const auto rates = measured_rates(load_query(job.path()));
  REQUIRE(rates.size() == 2);
  CHECK(rates[0].gpu == "T4");
  CHECK(rates[0].network == "resnet50");
  CHECK(rates[0].precision == Precision::fp16);
  CHECK(rates[0].said_by == job.path() + ":10");
  CHECK(rates[1].precision == Precision::fp32);
  CHECK(rates[1].batch == 128);
  CHECK(rates[1].said_by == job.path() + ":14");
}

TEST_CASE("own rates: what is wrong in a job file is said with its place") {
  const std::string t4 = "[[measured]]\ngpu = \"T4\"\n";
  CHECK(Job(t4).error().find("measured.items_per_s is missing") != std::string::npos);
  CHECK(Job(t4 + "items_per_s = 0\n").error().find(":12:15: items_per_s = 0") != std::string::npos);
  CHECK(Job(t4 + "items_per_s = 5\nbatch = 3\n").error().find("\"batch\"") != std::string::npos);
  CHECK(Job("[measured]\ngpu = \"T4\"\n").error().find("[[measured]]") != std::string::npos);
  CHECK(Job("[[measured]]\ngpu = \"Voodoo2\"\nitems_per_s = 5\nbatch_per_gpu = 64\n")
            .error()
            .find("\"Voodoo2\" is no GPU we know") != std::string::npos);
  const auto impossible =
      run({"advise", Job(t4 + "items_per_s = 41000\nbatch_per_gpu = 64\n").path()});
  CHECK(impossible.code == cli::exit_usage);
  CHECK(impossible.err.find(":10: 41000/s of one T4: resnet50 takes at least ") !=
        std::string::npos);
  CHECK(Job(t4 + "items_per_s = 5\n").error().find("at which batch did one T4 do 5 a second") !=
        std::string::npos);
}

TEST_CASE("own rates: predict says them of their GPU, and what follows of another, narrower") {
  const Job silent("");
  const Job told("[[measured]]\ngpu = \"T4\"\nitems_per_s = 200\nbatch_per_gpu = 64\n");
  const auto t4 = predicted(told.path(), "T4");
  CHECK(t4.value == test::approx(200));
  CHECK(t4.source == "fitted");  // the data path behind it
  const auto before = predicted(silent.path(), "T4");
  const auto l4_before = predicted(silent.path(), "L4");
  const auto l4 = predicted(told.path(), "L4");
  CHECK(l4.source == "scaled");
  CHECK(l4.value / l4_before.value == test::approx(std::pow(200 / before.value, 0.7)).epsilon(0.1));
  CHECK(l4.width < l4_before.width);
  const auto by_flag = predicted(silent.path(), "L4", {"--measured", "T4:64=200"});
  CHECK(by_flag.value == test::approx(l4.value));
}

TEST_CASE("own rates: advise goes by them, says so, and its answer can be read back") {
  const Job told("[[measured]]\ngpu = \"T4\"\nitems_per_s = 200\nbatch_per_gpu = 64\n");
  const auto result = run(
      {"advise", told.path(), "--infra", "aws/us-east-1", "--allow", "g4dn.xlarge", "-o", "json"});
  REQUIRE(result.code == cli::exit_ok);
  const auto answer = boost::json::parse(result.out);
  const auto& rate = answer.at("query").at("measured").at(0);
  CHECK(rate.at("gpu").as_string() == "T4");
  CHECK(rate.at("batch_per_gpu").as_int64() == 64);
  CHECK(answer.at("chosen").at("throughput").at("value").to_number<double>() <= 215);
  bool said = false;
  for (const auto& line : answer.at("assumptions").as_array()) {
    said =
        said || line.as_string().find("200/s of one T4 at batch 64 in fp16") != std::string::npos;
  }
  CHECK(said);
  const auto explained =
      run({"explain", told.path(), "--infra", "aws/us-east-1", "--allow", "g6.xlarge"});
  CHECK(explained.out.find("measured on T4") != std::string::npos);
}

TEST_CASE("own rates: a file's are of its job, whatever flags ask for instead") {
  const Job silent("");
  const Job told("[[measured]]\ngpu = \"T4\"\nitems_per_s = 200\nbatch_per_gpu = 64\n");
  for (const auto& flags : {std::vector<std::string>{"--network", "vgg16"}, {"--phase", "infer"}}) {
    CAPTURE(flags.back());
    CHECK(predicted(told.path(), "T4", flags).value ==
          test::approx(predicted(silent.path(), "T4", flags).value));
    std::vector<std::string> words{"predict", told.path(), "--machine", "gpu=T4"};
    words.insert(words.end(), flags.begin(), flags.end());
    CHECK(run(words).out.find("it has no part in this answer, which is of") != std::string::npos);
  }
  const auto wide = predicted(told.path(), "T4", {"--precision", "fp32"});
  CHECK(wide.source == "scaled");
  CHECK(wide.value < predicted(silent.path(), "T4", {"--precision", "fp32"}).value);
}

TEST_CASE("own rates: the batch of a file is the one that its rate was seen at") {
  const Job told("[[measured]]\ngpu = \"T4\"\nitems_per_s = 200\n", "64");
  CHECK(predicted(told.path(), "T4").value == test::approx(200));
  const auto result = run({"predict", told.path(), "--batch", "256", "--machine", "gpu=T4"});
  CHECK(result.out.find("scaled by a roofline per layer from what was measured on T4") !=
        std::string::npos);
}

TEST_CASE("own rates: two of one GPU, batch and precision are refused") {
  const std::string t4 = "[[measured]]\ngpu = \"T4\"\nbatch_per_gpu = 64\nitems_per_s = ";
  const auto error = Job(t4 + "200\n" + t4 + "100\n").error();
  CHECK(error.find("job.toml:14: 100 a second of one T4 at batch 64 in fp16, and 200 by") !=
        std::string::npos);
}

TEST_CASE("own rates: in a plan each job goes by its own") {
  const std::string t4 = "[[measured]]\ngpu = \"T4\"\nbatch_per_gpu = 64\nitems_per_s = ";
  const Job silent("", "64");
  const Job slow(t4 + "100\n", "64");
  const Job fast(t4 + "200\n", "64");
  const std::vector<std::string> where{
      "--infra", "aws/us-east-1", "--allow", "^g4dn.xlarge$", "-o", "json"};
  const auto asked = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "advise");
    words.insert(words.end(), where.begin(), where.end());
    return run(words);
  };
  const auto rate = [](const boost::json::value& answer) {
    return answer.at("chosen").at("throughput").at("value").to_number<double>();
  };
  const auto plan =
      boost::json::parse(asked({silent.path(), slow.path(), fast.path()}).out).at("answers");
  CHECK(rate(plan.at(0)) == test::approx(rate(boost::json::parse(asked({silent.path()}).out))));
  CHECK(rate(plan.at(1)) == test::approx(100).epsilon(0.01));
  CHECK(rate(plan.at(2)) == test::approx(200).epsilon(0.01));
  const auto refused = asked({slow.path(), fast.path(), "--measured", "T4:64=150"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(refused.err.find("of which of the jobs?") != std::string::npos);
}

TEST_CASE("own rates: what takes none of them says so") {
  const Job told("[[measured]]\ngpu = \"T4\"\nitems_per_s = 5000\nbatch_per_gpu = 64\n");
  TemporaryFolder folder;
  const auto rows = folder / "rows.csv";
  std::ofstream(rows) << "network,gpu,batch\nresnet50,T4,64\n";
  for (const auto& flags : {std::vector<std::string>{"--job", told.path()},
                            {"--measured", "T4:64=5000"},
                            {"--optimizer", "sgd"},
                            {"--batch", "8"},
                            {"--machine", "gpu=T4"}}) {
    const auto result = run({"predict", "--batch-file", rows, flags[0], flags[1]});
    CHECK(result.code == cli::exit_usage);
    CHECK(result.err.find(flags[0] + " is of one question") != std::string::npos);
  }
}

TEST_CASE("own rates: every command that is given a job warns of those it cannot use") {
  const Job told("[[measured]]\ngpu = \"T4\"\nitems_per_s = 200\nbatch_per_gpu = 64\n", "64");
  for (const auto* command : {"advise", "explain", "export"}) {
    CAPTURE(command);
    const auto result = run({command,
                             told.path(),
                             "--stack",
                             "era",
                             "--infra",
                             "aws/us-east-1",
                             "--allow",
                             "^g4dn.xlarge$"});
    CHECK(result.err.find("200/s of one T4 at batch 64 in fp16, as ") != std::string::npos);
    CHECK(result.err.find("it has no part in this answer") != std::string::npos);
  }
}

TEST_CASE("own rates: what is far from all that is known is taken, and doubted") {
  const auto asked = [](const std::string& items_per_s) {
    const Job told(
        "[[measured]]\ngpu = \"T4\"\nitems_per_s = " + items_per_s + "\nbatch_per_gpu = 64\n",
        "64");
    return run({"advise", told.path(), "--infra", "aws/us-east-1", "--allow", "^g4dn.xlarge$"}).err;
  };
  constexpr const char* doubt = "is it items a second, and not steps";
  CHECK(asked("3").find(doubt) != std::string::npos);  // steps
  CHECK(asked("200").find(doubt) == std::string::npos);
}

TEST_CASE("own rates: of work without steps of a GPU they are refused") {
  const auto result = run({"predict",
                           "--network",
                           "gpt2",
                           "--phase",
                           "decode",
                           "--precision",
                           "bf16",
                           "--batch",
                           "8",
                           "--sequence",
                           "512",
                           "--machine",
                           "gpu=A100",
                           "--measured",
                           "A100=900"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("phase decode has no steps") != std::string::npos);
}
