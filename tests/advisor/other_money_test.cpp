// Machines, disks and suppositions in several currencies, by rates that are given for one of them.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "advisor/calibration.h"
#include "advisor/query/query.h"
#include "advisor/report/study_tables.h"
#include "advisor/study/study.h"
#include "advisor/suppose/what_if.h"
#include "support/approx.h"
#include "support/made_catalog.h"
#include "support/program.h"

using namespace rightsize;

namespace {

const std::string examples = RIGHTSIZE_SOURCE_DIR "/examples/";
const std::string job = examples + "demo/job.toml";

constexpr const char* columns =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price,"
    "MonthlyPrice,Currency,Arch,Book,AsOf,Source";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Study study_of(const Knowledge& knowledge, const Query& query) {
  const auto answer = search(query, knowledge.evidence());
  Estimator estimator(
      knowledge.model, gpu_rates_with(knowledge.model), knowledge.cpu_speeds, knowledge.catalog);
  auto found = study(answer, knowledge.evidence(), estimator, false);
  REQUIRE(found);
  return *std::move(found);
}

}  // namespace

TEST_CASE("other money: scaling prices machines of another currency by its rate") {
  const auto world =
      test::knowledge_of(columns,
                         "acme,v.one,16,64,V100,1,here,2.00,,USD,x86_64,current,2026-01-01,test\n"
                         "acme,v.euro,16,64,V100,1,here,1.90,,EUR,x86_64,current,2026-01-01,test\n"
                         "acme,v.yen,16,64,V100,1,here,1.00,,JPY,x86_64,current,2026-01-01,test\n");
  auto query = test::imagenet_job();
  query.currency = "EUR";
  query.rates["USD"] = {"USD", "EUR", 500'000'000, "test"};
  const auto step = study_of(world, query).scaling.front();
  CHECK(step.machine == "acme/v.one");  // 1.00 EUR; nobody says what a yen is
  CHECK(step.price_per_hour == test::approx(1));
  CHECK(step.currency == "EUR");
}

// A run of ten epochs is some hours of the month; twenty of them share it.
TEST_CASE("other money: scaling over machines by the month counts what a run bears of it") {
  const auto world = test::knowledge_of(
      columns, "acme,v.month,16,64,V100,1,here,,730,USD,x86_64,current,2026-01-01,test\n");
  auto query = test::imagenet_job();
  query.runs_per_month = 20;
  const auto answer = search(query, world.evidence());
  const auto studied = study_of(world, query);
  REQUIRE_FALSE(studied.scaling.empty());
  const auto& step = studied.scaling.front();
  CHECK(step.machine == "acme/v.month [month]");
  CHECK(step.price_per_month == test::approx(730));
  const double used_h = 1281167 * 10 / step.throughput.value / 3600;
  const double months = std::ceil(20 * used_h / 730);
  CHECK(step.hours_paid == test::approx(months * 730 / 20 / used_h).epsilon(1e-3));
  CHECK(holds(report::scaling_table(studied).csv(), "$730.00 a month"));
}

TEST_CASE("other money: a supposed disk is priced by the rate that was given") {
  const TemporaryFolder folder;
  const auto table = folder.write(
      "mini.csv",
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,AcceleratorMemoryGiB,Region,"
      "Price,Currency,Provider,AsOf\n"
      "h100-1,24,200,H100,1,80,eu-1,2.90,EUR,aws,2026-11-20\n");
  const auto asked = [&](std::vector<std::string> more) {
    std::vector<std::string> words{
        "what-if", job, "aws/eu-1/h100-1", "disk=gp3:500GiB", "--prices", table};
    words.insert(words.end(), more.begin(), more.end());
    return test::run_without_model(words);
  };
  const auto rated = asked({"--fx", "EUR=1.08"});
  CAPTURE(rated.err);
  CHECK(rated.code == cli::exit_ok);
  CHECK(holds(rated.out, "gp3 500 GiB"));
}

TEST_CASE("other money: a supposed price is read in either currency of a rate") {
  const auto world = test::knowledge_of(
      columns, "acme,v.one,16,64,V100,1,here,2.00,,USD,x86_64,current,2026-01-01,test\n");
  auto query = test::imagenet_job();
  query.currency = "EUR";
  query.rates["USD"] = {"USD", "EUR", 500'000'000, "test"};
  const auto result =
      what_if(query, world.evidence(), "v.one", parse_supposition({"price=0.5EUR"}));
  REQUIRE(result.supposed);
  CHECK(result.supposed->price_per_hour == Money::parse("1", "USD"));
}

TEST_CASE("other money: a rate of the job file is of a currency, or refused with the nearest") {
  const TemporaryFolder folder;
  const auto with = [&](const char* rate) {
    return folder.write("rates.toml",
                        std::string("[job]\nnetwork = \"resnet50\"\nepochs = 90\n[data]\nitems = "
                                    "1281167\nbytes = \"140GB\"\n[money]\ncurrency = "
                                    "\"USD\"\n[money.rates]\n") +
                            rate + " = \"1.08\"\n");
  };
  CHECK(load_query(with("EUR")).rates.contains("EUR"));
  CHECK_THROWS_WITH_AS(load_query(with("eur")), doctest::Contains("did you mean EUR?"), UsageError);
  CHECK_THROWS_WITH_AS(load_query(with("euro")), doctest::Contains("rates.toml:10"), UsageError);
}

TEST_CASE("other money: a cut machine is priced anew with its GPUs, and that is not denied") {
  const TemporaryFolder folder;
  const auto table = folder.write(
      "custom.csv",
      "Provider,Family,Region,MinGiBPerVcpu,MaxGiBPerVcpu,MaxVcpus,VcpuPrice,GiBPrice,Gpu,"
      "GpuMemoryGiB,GpuVcpus,GpuPrice,Currency,AsOf\n"
      "neo,flex,eu-1,1,8,96,0.02,0.003,L40S,48,1:32 2:64 4:96,0.80,EUR,2026-11-20\n");
  const auto cut = test::run_without_model({"what-if",
                                            job,
                                            "neo/flex-8-32768+1xL40S",
                                            "gpu=L40S:2",
                                            "--custom-prices",
                                            table,
                                            "--fx",
                                            "EUR=1.08"});
  CAPTURE(cut.err);
  CHECK(cut.code == cli::exit_ok);
  CHECK(holds(cut.out, "1.856"));
  CHECK_FALSE(holds(cut.out, "at the price it has"));
  const auto more = test::run_without_model({"what-if", job, "g5.xlarge", "gpu=A10G:4"});
  CHECK(holds(more.out + more.err, "though it was that of 1 A10G"));
  CHECK_FALSE(holds(more.out, "its own GPU"));
  CHECK_FALSE(holds(more.out, "another GPU's"));
  const auto sized =
      test::run_without_model({"size", job, "--gpu", "L40S", "--custom-prices", table});
  CAPTURE(sized.err);
  CHECK(holds(sized.out, "not billed"));
  const auto taken = test::run_without_model({"advise", job, "--prices", table});
  CHECK(holds(taken.err, "give it by --custom-prices"));
  const auto whole = folder.write("whole.csv", std::string(columns) + "\n");
  const auto other = test::run_without_model({"advise", job, "--custom-prices", whole});
  CHECK(holds(other.err, "a table of whole machines is given by --prices"));
}

TEST_CASE("other money: what a reserved service signs for is every hour of every machine") {
  const auto service = test::run_without_model(
      {"advise", examples + "service/job.toml", "--infra", "gcp", "--market", "reserved-1y"});
  CAPTURE(service.out);
  CHECK(holds(service.out, "reserved-1y: what is signed for is 8760 hours of each of the"));
  CHECK_FALSE(holds(service.out, "this job's share"));
}

TEST_CASE("other money: a budget is among what would change the answer, of tokens too") {
  const auto explained = test::run_without_model(
      {"explain", examples + "llm/serve.toml", "--infra", "aws", "--budget", "3000", "-o", "json"});
  CAPTURE(explained.err);
  CHECK(holds(explained.out, "\"budget\""));
}

TEST_CASE("other money: storage is said to be billed as the machines are") {
  const TemporaryFolder folder;
  const auto book = folder.write(
      "month.toml",
      "book = \"b\"\n[[offer]]\nprovider = \"aws\"\ninstance = \"g6e.2xlarge\"\nregion = "
      "\"us-east-1\"\nprice = \"900\"\nper = \"month\"\n");
  const auto shown = test::run_without_model(
      {"advise", job, "--prices", book, "--data-at", "aws/us-east-1", "-o", "json"});
  CAPTURE(shown.err);
  CHECK(holds(shown.out, "billed for as long as the machines are, by whole months,"));
}

TEST_CASE("other money: a market without prices is said, where others were weighed") {
  const auto shown = test::run_without_model({"advise",
                                              job,
                                              "--infra",
                                              "aws",
                                              "--market",
                                              "on-demand,reserved-1y",
                                              "--runs-per-month",
                                              "4"});
  CAPTURE(shown.out);
  CHECK(holds(shown.out, "reserved-1y was not weighed of aws: no price table has such prices"));
}
