// What an answer says of itself: what its marks, columns and limits mean, and no more than is so.
#include <algorithm>
#include <fstream>

#include <doctest/doctest.h>

#include "advisor/query/objective_words.h"
#include "advisor/way_followed.h"
#include "pricing/import/csv.h"

using namespace rightsize;
using test::examples;
using test::found;
using test::run;

namespace {

const std::string service = examples + "service/job.toml";
const std::string job = examples + "demo/job.toml";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The words with single spaces, as they are before lines are broken.
std::string unwrapped(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

std::string answered(std::vector<std::string> arguments, int code = cli::exit_ok) {
  const test::ModelFile model;
  arguments.insert(arguments.end(), {"--model", model.path()});
  const auto result = run(arguments);
  CAPTURE(result.err);
  CAPTURE(result.out);
  CHECK(result.code == code);
  return unwrapped(result.out + result.err);
}

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("answer words: what a service's time is, and what its chances are of, is said") {
  for (const auto* form : {"table", "md"}) {
    CAPTURE(form);
    const auto by_time =
        answered({"advise", service, "--infra", "aws", "--objective", "time", "-o", form});
    CHECK(holds(by_time, "time in the objective is the p99, how soon 99 of 100 requests"));
    CHECK(holds(by_time, "if resized: chance to be the best once each fleet"));
    const auto by_cost = answered({"advise", service, "--infra", "aws", "-o", form});
    CHECK_FALSE(holds(by_cost, "time in the objective"));
    CHECK(holds(by_cost, "if resized: chance to be the cheapest once each fleet"));
  }
  const auto written = answered({"advise",
                                 examples + "llm/serve.toml",
                                 "--infra",
                                 "aws",
                                 "--objective",
                                 "cost*0.5+time*0.5"});
  CHECK(holds(written, "time in the objective is how soon 99 of 100 sequences have their last"));
  CHECK_FALSE(holds(answered({"advise", job, "--infra", "aws", "--objective", "time"}),
                    "time in the objective"));
}

TEST_CASE("answer words: a tie is one sentence, in a comparison too") {
  CHECK(tie_words({}, "b") == "cannot be told apart from b on cost");
  CHECK(tie_words({0.5, 0.5}, "b") ==
        "cannot be told apart from b on the objective, cost*0.5+time*0.5");
}

TEST_CASE("answer words: compare is refused the same instance twice, however it is written") {
  CHECK(holds(
      answered({"compare", job, "g6e.xlarge", "aws/g6e.xlarge", "--infra", "aws"}, cli::exit_usage),
      "aws/g6e.xlarge is named twice: compare needs two instances"));
}

TEST_CASE("answer words: --max-results is of every form, and what it leaves out is told") {
  const test::ModelFile model;
  const std::vector<std::string> asked{
      "advise", job, "--deadline", "400h", "--model", model.path(), "--max-results"};
  for (const auto* form : {"csv", "names", "json", "md", "table"}) {
    CAPTURE(form);
    const auto two = run(test::with(asked, std::string("2 -o ") + form));
    const auto all = run(test::with(asked, std::string("0 -o ") + form));
    REQUIRE(two.code == cli::exit_ok);
    const auto left = found(two.out + two.err, "NOTE: ([0-9]+) more, --max-results 0 shows them");
    REQUIRE_FALSE(left.empty());
    CHECK(std::stoul(left) > 50);  // more than the search keeps unasked
    CHECK_FALSE(holds(all.out + all.err, "NOTE: "));
    if (form == std::string("names")) {
      CHECK(lines_of(two.out) == 2);
      CHECK(lines_of(all.out) == 2 + std::stoul(left));
    } else if (form == std::string("csv")) {
      CHECK(lines_of(two.out) == 3);
    } else if (form == std::string("json")) {
      CHECK(boost::json::parse(two.out).at("options").as_array().size() == 2);
      CHECK(boost::json::parse(all.out).at("options").as_array().size() == 2 + std::stoul(left));
    }
  }
}

TEST_CASE("answer words: an instance that is not for the job is an answer, no mistake") {
  for (const auto& command : {std::vector<std::string>{"explain", job, "g5g.xlarge"},
                              {"compare", job, "g6e.xlarge", "g5g.xlarge"},
                              {"what-if", job, "g5g.xlarge", "vcpus=+2"}}) {
    CHECK(holds(answered(command, cli::exit_nothing_satisfies),
                "g5g.xlarge cannot be judged for this job: another CPU architecture"));
  }
  CHECK(holds(answered({"explain", job, "g5g.xlarg"}, cli::exit_usage), "did you mean"));
}

TEST_CASE("answer words: a rejection names every limit that is missed") {
  const auto both = answered({"advise", job, "--infra", "aws", "--budget", "1", "--deadline", "1m"},
                             cli::exit_nothing_satisfies);
  CHECK(holds(both, "misses the deadline and the budget even at the optimistic bound"));
  CHECK_FALSE(holds(both, " misses the deadline even at the optimistic bound"));
  const auto one =
      answered({"advise", job, "--infra", "aws", "--budget", "1"}, cli::exit_nothing_satisfies);
  CHECK(holds(one, "misses the budget even at the optimistic bound"));
}

TEST_CASE("answer words: several jobs of which none is an option are told what would be enough") {
  for (const auto* form : {"table", "md"}) {
    CAPTURE(form);
    const auto plan = answered({"advise",
                                examples + "fleet/googlenet.toml",
                                examples + "fleet/vgg16.toml",
                                "--budget",
                                "1",
                                "-o",
                                form},
                               cli::exit_nothing_satisfies);
    CHECK(holds(plan, "GoogLeNet on ImageNet: No offer satisfies the constraints; closest: "));
    CHECK(holds(plan, "VGG-16 on ImageNet: No offer satisfies the constraints; closest: "));
    CHECK(test::all_found(plan, "one does with --budget ([0-9.]+)").size() == 2);
  }
}

TEST_CASE("answer words: a plan for programs has the columns of one job, and names its machines") {
  const auto plan = [](const std::string& form) {
    const test::ModelFile model;
    return run({"advise",
                examples + "fleet/googlenet.toml",
                examples + "fleet/vgg16.toml",
                "--model",
                model.path(),
                "-o",
                form})
        .out;
  };
  const auto csv = parse_csv(plan("csv"), "plan.csv");
  REQUIRE(csv.rows.size() == 2);
  REQUIRE(csv.column("cost_low") >= 0);
  for (const auto& row : csv.rows) {
    const auto cell = [&](const char* column) {
      return std::stod(row.fields[static_cast<std::size_t>(csv.column(column))]);
    };
    CHECK(cell("cost_low") < cell("cost"));
    CHECK(cell("nodes") >= 1);
  }
  CHECK(test::all_found(plan("names"), "([a-z0-9-]+/[a-z0-9.-]+)\n").size() == 2);
}

TEST_CASE("answer words: a plan of services says how many machines each takes") {
  const auto plan = answered({"advise", service, service, "--infra", "aws", "--qps", "9000"});
  CHECK(holds(plan, "2 services: ~$"));
  CHECK(holds(plan, " a month."));
  CHECK(holds(plan, "machines"));
  CHECK_FALSE(holds(plan, "machine-hours"));
  CHECK(test::all_found(plan, "(g[0-9a-z]+\\.[a-z0-9]+ +aws/[a-z0-9-]+ +[A-Z0-9]+ +[0-9]+ +~)")
            .size() == 2);
}

TEST_CASE("answer words: language models and other services go into one plan, jobs do not") {
  const std::string tokens = examples + "llm/serve.toml";
  const test::ModelFile model;
  const auto plan =
      run({"advise", tokens, service, "--infra", "aws", "--model", model.path(), "-o", "csv"});
  const auto csv = parse_csv(plan.out, "plan.csv");
  REQUIRE(csv.rows.size() == 2);
  const auto cell = [&](std::size_t row, const char* column) {
    REQUIRE(csv.column(column) >= 0);
    return csv.rows[row].fields[static_cast<std::size_t>(csv.column(column))];
  };
  CHECK(std::stod(cell(0, "cost_per_1m_output_tokens")) > 0);
  CHECK(cell(0, "cost_per_1k_requests").empty());
  CHECK(std::stod(cell(1, "cost_per_1k_requests")) > 0);
  CHECK(cell(1, "cost_per_1m_output_tokens").empty());
  CHECK(std::stoi(cell(1, "machines")) >= 1);
  const auto alone = answered({"advise", tokens, "--infra", "aws", "-o", "csv"});
  CHECK(holds(alone, cell(0, "instance")));
  const auto both = answered({"advise", tokens, examples + "llm/serve-70b.toml", "--infra", "aws"});
  CHECK(holds(both, "One kind of machine for all, rented in one way: aws/"));
  const auto mixed = run({"advise", tokens, examples + "demo/job.toml"});
  CHECK(mixed.code == cli::exit_usage);
  CHECK(holds(mixed.err, "a job that does not say how often it is run"));
}

TEST_CASE("answer words: a plan of services has for programs what one service has") {
  const test::ModelFile model;
  const auto csv = parse_csv(run({"advise",
                                  service,
                                  service,
                                  "--infra",
                                  "aws",
                                  "--qps",
                                  "9000",
                                  "-o",
                                  "csv",
                                  "--model",
                                  model.path()})
                                 .out,
                             "plan.csv");
  REQUIRE(csv.rows.size() == 2);
  REQUIRE(csv.column("p99_s") >= 0);
  for (const auto& row : csv.rows) {
    CHECK(std::stoi(row.fields[static_cast<std::size_t>(csv.column("machines"))]) >= 2);
  }
}

TEST_CASE("answer words: sharing parameters is for this batch, and another may do without") {
  const test::ModelFile model;
  const auto train = examples + "llm/train.toml";
  const auto asked = test::advise(train, {"--infra", "lambda"}, model.path());
  CAPTURE(asked.warnings);
  // Running blocks again does as well at this batch: sharing is faster, not the one way.
  CHECK(found(asked.warnings, "at batch ([0-9]+) it is fastest to share") == "4");
  CHECK(holds(asked.warnings, "with --recompute true one B200 holds all of them, more slowly"));
  CHECK_FALSE(holds(asked.warnings, "has to share"));
  const auto again =
      run({"predict", train, "--machine", "gpu=B200", "--batch", "4", "--recompute", "true"});
  CHECK(again.code == cli::exit_ok);
  CHECK_FALSE(holds(again.out, "sharded"));
  // Forbidden that, a smaller batch is left.
  const auto kept =
      test::advise(train, {"--infra", "lambda", "--recompute", "false"}, model.path());
  CAPTURE(kept.warnings);
  CHECK(found(kept.warnings, "at batch ([0-9]+) the training program has to share") == "4");
  CHECK(holds(kept.warnings, "GiB a GPU then; with --batch 1 one B200 holds all of them"));
  const auto alone = run({"predict", train, "--machine", "gpu=B200", "--batch", "1"});
  CHECK(alone.code == cli::exit_ok);
  CHECK_FALSE(holds(alone.out, "sharded"));
}

TEST_CASE("answer words: sharing parameters that no batch spares is said so") {
  const test::ModelFile model;
  const auto train = examples + "llm/train.toml";
  const auto asked = test::advise(train, {"--infra", "lambda", "--allow", "h100"}, model.path());
  CAPTURE(asked.warnings);
  CHECK(holds(asked.warnings, "the training program has to share"));
  CHECK(holds(asked.warnings, "then; no batch is small enough for one H100 to hold all of them"));
  const auto alone =
      run({"predict", train, "--machine", "gpu=H100", "--batch", "1", "--recompute", "true"});
  CHECK(alone.code == cli::exit_nothing_satisfies);
}

TEST_CASE("answer words: simulate tells the same way out as predict") {
  const auto train = examples + "llm/train.toml";
  const auto predicted = run({"predict", train, "--machine", "gpu=A100"});
  const auto played = run({"simulate", train, "--machine", "gpu=A100"});
  const auto way = found(predicted.out, "(Next: [^\n]+)");
  REQUIRE_FALSE(way.empty());
  CHECK(played.code == cli::exit_nothing_satisfies);
  CHECK(holds(played.out, way));
  const auto document =
      boost::json::parse(run({"simulate", train, "--machine", "gpu=A100", "-o", "json"}).out);
  CHECK_FALSE(document.at("ways_out").as_array().empty());
}

TEST_CASE("answer words: explain says by what the batch was taken, and a load's own limit") {
  CHECK(holds(answered({"explain", job, "--infra", "aws", "--objective", "time"}),
              "the best of those that fit by objective = \"time\""));
  const auto idle = answered({"explain",
                              examples + "llm/serve.toml",
                              "g6e.xlarge",
                              "--infra",
                              "aws",
                              "--ttft",
                              "5s",
                              "--tpot",
                              "200ms"});
  CHECK(holds(idle, "of all that it can write, which is its limit"));
  CHECK_FALSE(holds(idle, "limited by all that it can write"));
}

TEST_CASE("answer words: a program whose name holds a framework's is not that framework") {
  const auto answered_by = [](const std::string& name) {
    return answered({"advise", service, "--infra", "aws", "--framework", name}, cli::exit_usage);
  };
  CHECK(
      holds(answered_by("TensorRT-LLM"), "TensorRT-LLM writes tokens, which is phase \"decode\""));
  CHECK(holds(answered_by("TensorFlow Lite"), "--framework TensorFlow Lite: expected "));
  CHECK(holds(answered_by("ExecuTorch"), "--framework ExecuTorch: expected "));
  answered({"advise", service, "--infra", "aws", "--framework", "TensorRT 8"});
  const auto llm = examples + "llm/serve.toml";
  CHECK(
      holds(answered({"advise", llm, "--infra", "aws", "--framework", "TensorRT"}, cli::exit_usage),
            "expected what writes tokens"));
  const auto short_name = run({"predict", llm, "--machine", "gpu=L40S", "--framework", "MLC"});
  CHECK(holds(short_name.out, "few figures of MLC LLM are here of many sequences"));
  const TemporaryFolder folder;
  std::ofstream(folder / "rows.csv")
      << "network,phase,gpu,gpus,batch,framework\nllama-8b,decode,L40S,1,8,TensorRT-LLM\n"
         "llama-8b,decode,L40S,1,8,PyTorch\nresnet50,infer,L40S,1,8,TensorRT-LLM\n";
  const auto rows = run({"predict", "--batch-file", folder / "rows.csv"});
  CHECK(holds(rows.out + rows.err, ":3:6: framework = \"\"PyTorch\"\": expected"));
  CHECK(holds(rows.out + rows.err, ":4:6: framework = \"\"TensorRT-LLM\"\": expected"));
  CHECK(holds(rows.out, "with phase decode one of TensorRT-LLM, vLLM"));
  CHECK_FALSE(holds(rows.out + rows.err, ":2:6"));
}

TEST_CASE("answer words: one machine that is hardly asked is no fleet that stands idle") {
  const auto rarely = answered({"advise", service, "--infra", "aws", "--qps", "0.1"});
  CHECK(holds(rarely, "Rent 1 x "));
  CHECK_FALSE(holds(rarely, "idle"));
}

TEST_CASE("answer words: a machine of an architecture that advise leaves out is told in predict") {
  const auto asked = [](const std::string& machine) {
    return run({"predict", job, "--machine", machine}).out;
  };
  CHECK(holds(asked("aws/g5g.xlarge"), "g5g.xlarge has an arm64 CPU"));
  CHECK_FALSE(holds(asked("aws/g5.xlarge"), "arm64"));
}

TEST_CASE("answer words: a number with a unit is told what is expected, in which unit") {
  CHECK(holds(answered({"advise", job, "--memory-min", "64 apples"}, cli::exit_usage),
              "error: --memory-min 64 apples: expected GiB, or a size with its unit, such as 64, "
              "64GiB or 64GB"));
  CHECK(holds(answered({"advise", job, "--batch", "many"}, cli::exit_usage),
              "error: --batch many: expected a whole number; items per GPU"));
}

TEST_CASE("answer words: a flag's mistake is told as it was given, and a confidence as it is") {
  CHECK(holds(answered({"advise", examples + "llm/serve.toml", "--ttft", "1"}, cli::exit_usage),
              "error: --ttft = 1: expected a time such as 5ms"));
  CHECK(holds(answered({"advise", job, "--infra", "aws", "--confidence", "0.999"}),
              "meets the deadline with less than 99.9 % confidence"));
}

TEST_CASE("answer words: services sorted by time are so by how long their callers wait") {
  for (const auto& [path, column] :
       {std::pair{service, "p99_s"}, {examples + "llm/serve.toml", "token_p99_s"}}) {
    const test::ModelFile model;
    const auto csv = run({"advise",
                          path,
                          "--infra",
                          "aws/us-east-1",
                          "--sort",
                          "time",
                          "-o",
                          "csv",
                          "--gpus-max",
                          "1",
                          "--model",
                          model.path()});
    REQUIRE(csv.code == cli::exit_ok);
    const auto table = parse_csv(csv.out, "csv");
    const auto at = table.column(column);
    REQUIRE(at >= 0);
    const auto waited = [&](const CsvTable::Row& row) {
      return std::stod(row.fields[static_cast<std::size_t>(at)]);
    };
    REQUIRE(table.rows.size() > 3);
    CHECK(waited(table.rows.front()) < waited(table.rows.back()));
  }
}

TEST_CASE("answer words: of a fleet whose number hangs on its speed the numbers are told") {
  const auto asked = [](const std::string& token) {
    return answered({"advise",
                     examples + "llm/serve-70b.toml",
                     "--infra",
                     "aws",
                     "--gpu",
                     "H100:1",
                     "--qps",
                     "20",
                     "--tpot",
                     token});
  };
  const auto near = asked("49.5ms");  // at the slow end one alone takes 49.3
  CAPTURE(near);
  CHECK(holds(near, "hangs on how fast one proves to be: 6 at the expected speed, 29 for 90 % "));
  CHECK(holds(near, "and with a chance of "));
  CHECK(holds(near, " % no number is in time, as one with nothing else to do is near the limit"));
  CHECK_FALSE(holds(asked("90ms"), "hangs on how fast one proves to be"));
}
