// GPUs without bf16: what an answer, an export and a described machine say of what stands in for
// it.
#include "advisor/lacking_precision.h"

#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/export/exporter.h"
#include "made_option.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const std::string of_t4 =
    "the T4 has no bf16: it computes in fp16, whose range is narrower: the program has to scale "
    "its loss";

// A job in bf16 for machines with T4 and A10G.
std::string job_of(const TemporaryFolder& folder, const std::string& more) {
  return folder.write("job.toml",
                      "[job]\nnetwork = \"bert-base\"\nphase = \"train\"\nprecision = \"bf16\"\n"
                      "batch_per_gpu = [32]\n" +
                          more +
                          "[data]\nitems = 244140\nformat = \"tokens\"\nbytes = \"400MB\"\n"
                          "[constraints]\nallow = \"^(g4dn|g5)[.]xlarge\"\ninfra = [\"aws/*\"]\n");
}

}  // namespace

TEST_CASE("precision: what a GPU lacks is said with what training needs instead") {
  Query query;
  query.precision = Precision::bf16;
  auto option = test::made_option("g4dn.xlarge", "T4", 4, 16);
  CHECK(lacking_precision(query, option) == of_t4);
  query.phase = Phase::infer;
  CHECK(lacking_precision(query, option) == "the T4 has no bf16: it computes in fp16");
  option.precision = Precision::bf16;
  CHECK(lacking_precision(query, option).empty());
  query.precision = Precision::fp16;  // what jobs have that say nothing
  option.precision = Precision::fp32;
  CHECK(lacking_precision(query, option).empty());
}

TEST_CASE("precision: what is put forward beside the choice is said to lack it, all at once") {
  Recommendation answer;
  answer.query.precision = Precision::bf16;
  auto chosen = test::made_option("g5.xlarge", "A10G", 4, 16);
  chosen.precision = Precision::bf16;
  chosen.hours.value = 10;
  auto tie = test::made_option("g4dn.xlarge", "T4", 4, 16);
  tie.hours.value = 10;
  auto sooner = test::made_option("p3.16xlarge", "V100", 64, 488);
  sooner.hours.value = 2;
  answer.chosen = chosen;
  answer.options = {chosen, tie, sooner};
  warn_of_lacking_precision(answer);
  CHECK(answer.warnings == std::vector<std::string>{"the V100 has no bf16: it computes in fp16, "
                                                    "whose range is narrower: the program has to "
                                                    "scale its loss"});
  answer.warnings.clear();
  answer.ties = {1};
  warn_of_lacking_precision(answer);
  REQUIRE(answer.warnings.size() == 1);
  CHECK(contains(answer.warnings[0], "the T4 and the V100 have no bf16: they compute in fp16"));
}

TEST_CASE("precision: a plan says it of each job's machine") {
  const TemporaryFolder folder;
  const auto job = job_of(folder, "");
  const auto plan = test::run_without_model({"advise", job, job, "--allow", "^g4dn.xlarge$"});
  CHECK(plan.code == cli::exit_ok);
  CHECK(contains(plan.out, "the T4 has no bf16"));
}

TEST_CASE("precision: answer and export say which machines compute in fp16 for bf16") {
  const TemporaryFolder folder;
  const auto job = job_of(folder, "");
  const auto answer = test::run_without_model({"advise", job, "--allow", "^g4dn.xlarge$"});
  CHECK(answer.code == cli::exit_ok);
  const auto both = test::run_without_model(
      {"advise", job, "--allow", "^g(4dn|5).xlarge$", "--objective", "time", "-o", "json"});
  const auto document = boost::json::parse(both.out);
  REQUIRE(document.at("chosen").at("instance") == "g5.xlarge");
  CHECK_FALSE(contains(boost::json::serialize(document.at("warnings")), "has no bf16"));
  const auto script =
      test::run_without_model({"export", job, "--to", "slurm", "--option", "g4dn.xlarge"});
  CHECK(script.code == cli::exit_ok);
  CHECK(contains(script.out, "# Note: " + of_t4));
  CHECK(contains(script.out, "export PRECISION=fp16\n"));
  const auto other =
      test::run_without_model({"export", job, "--to", "slurm", "--option", "g5.xlarge"});
  CHECK_FALSE(contains(other.out, "# Note"));
}

TEST_CASE("precision: fp16 stands in for no bf16 that is all there is of the weights") {
  const TemporaryFolder folder;
  const auto answer = test::run_without_model(
      {"advise", job_of(folder, "master_weights = \"none\"\n"), "-o", "json"});
  CHECK(answer.code == cli::exit_ok);
  const auto document = boost::json::parse(answer.out).as_object();
  for (const auto& option : document.at("options").as_array()) {
    CHECK(option.at("gpu").as_string() == "A10G");
  }
  CHECK(contains(boost::json::serialize(document.at("rejected")),
                 "T4 has no bf16, and without master weights fp16 is no stand-in for it"));
}
