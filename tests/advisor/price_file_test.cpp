// Price files as they come: not in the folder that names their cloud, with slips, of another year.
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

const std::string skypilot =
    "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,"
    "AvailabilityZone,Price,SpotPrice\n"
    "g6e.2xlarge,8,64,L40S,1,,us-east-1,,1.861,\n";

const std::string columns =
    "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,AcceleratorMemoryGiB,"
    "Region,Price,Currency,AsOf\n";

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("price file: a downloaded vms.csv is warned of, until its cloud is said") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto loose = folder / "vms.csv";
  std::ofstream(loose) << skypilot;
  const auto taken = std::filesystem::path(loose).parent_path().filename().string();
  const auto doubt = "Provider: not said: taken to be \"" + taken + "\"";

  const auto imported = run({"prices", "import", loose, "-o", "csv"});
  CHECK(imported.code == cli::exit_ok);
  CHECK(holds(imported.err, loose + ":2: " + doubt));
  CHECK(holds(imported.err, "aws/vms.csv"));
  CHECK(holds(imported.err, "--provider aws"));
  CHECK_FALSE(
      holds(run({"prices", "import", loose, "--provider", "aws", "-o", "csv"}).err, "not said"));
  const auto advised = [&](const std::string& table) {
    return run({"advise", job, "--model", model.path(), "--prices", table});
  };
  CHECK(holds(advised(loose).out, doubt));

  std::filesystem::create_directory(folder / "aws");
  const auto placed = folder / "aws/vms.csv";
  std::ofstream(placed) << skypilot;
  const auto known = advised(placed);
  CHECK(known.code == cli::exit_ok);
  CHECK_FALSE(holds(known.out, "not said"));
}

TEST_CASE("price file: of a machine that is sold twice it is told which price is taken") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto table = folder / "twice.csv";
  const std::string row = "acme,g.one,8,64,V100,1,16,here,";
  std::ofstream(table) << columns << row << "3.00,USD,2026-11-02\n"
                       << row << "2.50,USD,2026-11-02\n";
  const auto advised = run({"advise", job, "--model", model.path(), "--prices", table});
  CHECK(holds(advised.out, "twice.csv:2: on-demand: 3.00 USD, but line 3 sells the same at 2.50"));
  const auto book = folder / "twice.toml";
  const std::string offer =
      "[[offer]]\nprovider = \"aws\"\ninstance = \"p4d.24xlarge\"\nregion = \"us-east-1\"\nprice "
      "= ";
  std::ofstream(book) << "as_of = \"2026-11-02\"\n"
                      << offer << "\"3.00\"\n"
                      << offer << "\"2.50\"\n";
  const auto by_book = run({"advise", job, "--model", model.path(), "--prices", book});
  CHECK(by_book.code == cli::exit_usage);
  CHECK(holds(by_book.err, "twice.toml:7: p4d.24xlarge in us-east-1 is agreed already on line 2"));
}

TEST_CASE("price file: that a machine is sold twice hides no doubt of its price") {
  const TemporaryFolder folder;
  const auto table = folder / "absurd.csv";
  const std::string row = "aws,p3.2xlarge,8,61,V100,1,16,us-east-1,";
  std::ofstream(table) << columns << row << "306.00,USD,2026-11-02\n"
                       << row << "3.06,USD,2026-11-02\n";
  const auto checked = run({"prices", "check", table, "-o", "csv"}).out;
  CHECK(holds(checked, "line 3 sells the same at 3.06"));
  CHECK(holds(checked, "306.00 is more than ten times the list price"));
}

TEST_CASE("price file: prices of one's own come in place of ours, under whatever book's name") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto table = folder / "mine.toml";
  std::ofstream(table)
      << "book = \"current\"\nas_of = \"2026-11-02\"\n[[offer]]\nprovider = \"aws\"\n"
         "instance = \"p4d.24xlarge\"\nregion = \"us-east-1\"\nprice = \"99.00\"\n";
  const auto advised = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{
        "advise", job, "--model", model.path(), "--prices", table, "--allow", "^p4d", "-o", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).out;
  };
  CHECK(holds(advised({}), "\"unit_price\":\"99.00\""));
  CHECK_FALSE(holds(advised({}), "us-west-2"));  // ours are not looked at
  CHECK(holds(advised({"--book", "current"}), "us-west-2"));
  CHECK(holds(advised({"--book", "current", "--infra", "aws/us-east-1"}),
              "\"unit_price\":\"99.00\""));
}

TEST_CASE("price file: what is exported is what was asked for") {
  const auto all = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"prices", "export"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments).out;
  };
  const auto some = all({"--infra", "aws/us-east-1", "--gpu", "L40S"});
  CHECK(holds(some, "\naws,g6e.xlarge,"));
  CHECK_FALSE(holds(some, "gcp"));
  CHECK_FALSE(holds(some, "us-west-2"));
  CHECK_FALSE(holds(all({"--provider", "lambda"}), "\naws,"));
  CHECK(holds(all({"--provider", "lambda"}), "\nlambda,"));
}

TEST_CASE("price file: a machine of one's own is looked at wherever else is") {
  const ModelFile model;
  const auto advised = run({"advise",
                            job,
                            "--model",
                            model.path(),
                            "--infra",
                            "gcp",
                            "--on-prem",
                            "gpu=A100:8,price=10000USD,years=4,power=6.5kW,kwh=0.15,vcpus=128,"
                            "memory=1024GiB,disk=7680GiB"});
  CHECK(holds(advised.out, "on-prem"));
}

TEST_CASE("price file: a machine by the month is supposed at another price of a month") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto table = folder / "contract.toml";
  std::ofstream(table)
      << "as_of = \"2026-11-02\"\n[[offer]]\nprovider = \"aws\"\ninstance = "
         "\"p4d.24xlarge\"\nregion = \"us-east-1\"\nprice = \"9000\"\nper = \"month\"\n";
  const auto supposed = run({"what-if",
                             job,
                             "p4d.24xlarge",
                             "price=-10%",
                             "--prices",
                             table,
                             "--model",
                             model.path(),
                             "-o",
                             "json"});
  CHECK(holds(supposed.out, "price= is of a month"));
  CHECK(holds(supposed.out, "\"unit_price\":\"8100.00\""));
  CHECK(holds(supposed.out, "\"price_per_month\":\"8100.00\""));
  const auto of_it = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--prices", table, "--model", model.path()});
    return run(words).out;
  };
  CHECK(holds(of_it({"what-if", job, "p4d.24xlarge", "price=-10%"}), "$9000/month"));
  CHECK(holds(of_it({"explain", job, "p4d.24xlarge"}),
              "price (now 9000 USD per month): nothing between 450 USD per month and 180,000 USD"));
  CHECK(holds(run({"prices", "show", "--gpu", "a100", "--max-results", "1"}).out, "A100"));
}

TEST_CASE("price file: a doubted price of a month is told as the table tells it") {
  const TemporaryFolder folder;
  const auto table = folder / "cheap.toml";
  std::ofstream(table)
      << "as_of = \"2026-11-02\"\n[[offer]]\nprovider = \"aws\"\ninstance = "
         "\"p4d.24xlarge\"\nregion = \"us-east-1\"\nprice = \"730\"\nper = \"month\"\n";
  const auto checked = run({"prices", "check", table, "-o", "csv"});
  CHECK(holds(checked.out, "730.00 a month, 1.00 is less than a tenth of the list price"));
}

TEST_CASE("price file: a name that would move the cursor is left out, once a row") {
  const TemporaryFolder folder;
  const auto table = folder / "names.csv";
  std::ofstream(table) << columns << "acme,big\x1b[31m.8x,8,61,V100,1,16,here,3.00,USD,2026-11-02\n"
                       << "acme,fine.8x,8,61,V100,1,16,here,3.00,USD,2026-11-02\n";
  for (const auto* name : {"c\xc2\x9b"
                           "31m.1x",
                           "e\xe2\x80\xae.1x",
                           "f\xe2\x81\xa7.1x"}) {
    std::ofstream(table, std::ios::app)
        << "acme," << name << ",8,61,V100,1,16,here,3.00,USD,2026-11-02\n";
  }
  std::ofstream(table, std::ios::app) << "acme,größe.1x,8,61,V100,1,16,here,3.00,USD,2026-11-02\n";
  const auto checked = run({"prices", "check", table, "-o", "csv"});
  for (const auto* line : {"2", "4", "5", "6"}) {
    CAPTURE(line);
    CHECK(holds(
        checked.out,
        fmt::format(",{},InstanceType,a control character in it: the row is left out", line)));
  }
  CHECK_FALSE(holds(checked.out, ",7,InstanceType"));
  CHECK_FALSE(holds(run({"prices", "import", table, "-o", "csv"}).out, "\x1b"));
}

TEST_CASE("price file: what prices check doubts of the chosen row is said with the answer") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto table = folder / "acme.csv";
  std::ofstream(table) << columns << "acme,mib.8x,8,1179648,A100,8,40,here,3.00,USD,2026-11-02\n";
  const auto advised = run({"advise", job, "--prices", table, "--model", model.path()});
  CHECK(holds(advised.out + advised.err, ":2: MemoryGiB: 1179648: is this MiB?"));
}

TEST_CASE("price file: rows that were left out are said with the answer") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto table = folder / "acme.csv";
  std::ofstream(table) << columns << "acme,one.8x,96,1152,A100,8,40,here,3.00,USD,2026-11-02\n"
                       << "acme,two.8x,96,1152,A100,8,40,here,-3.00,USD,2026-11-02\n"
                       << "acme,three.8x,96,1152,A100,8,40,here,-2.00,USD,2026-11-02\n";
  const auto advised = run({"advise", job, "--prices", table, "--model", model.path()});
  CHECK(holds(advised.out + advised.err, "2 rows are left out, the first in line 3"));
}

TEST_CASE("price file: a GPU without figures is doubted, with the one that is meant") {
  const TemporaryFolder folder;
  const auto table = folder / "gpus.csv";
  std::ofstream(table) << columns << "acme,g.one,8,64,V1000,1,16,here,3.00,USD,2026-11-02\n";
  const auto checked = run({"prices", "check", table, "-o", "csv"});
  CHECK(checked.code == cli::exit_check_failed);
  CHECK(holds(checked.out, "no figures for the GPU \"\"V1000\"\", did you mean V100?"));
}

TEST_CASE("price file: prices check lists malformed fields with the rest, import refuses them") {
  const TemporaryFolder folder;
  const auto path = folder / "aws.csv";
  std::ofstream(path) << "InstanceType,vCPUs,MemoryGiB,Region,Price,SpotPrice,AsOf\n"
                         "a,4,16,r,cheap,,2026-11-02\n"
                         "b,0,16,r,0.5,,2026-11-02\n"
                         "c,4,16,r,0.5,1.2.3,2026-11-02\n"
                         "d,4,16,r,0.5,99999999.000,2026-11-02\n"
                         "e,four,16,r,0.5,,2026-11-02\n"
                         "f,4,16,r\n";
  const auto result = run({"prices", "check", path, "-o", "csv", "--max-results", "0"});
  CHECK(result.code == cli::exit_check_failed);
  CAPTURE(result.out);
  CHECK(holds(result.out, path + ",2,Price,\"\"\"cheap\"\" is not a price"));
  CHECK(holds(result.out, path + ",3,vCPUs,0: taken as not stated"));
  CHECK(holds(result.out, path + ",4,SpotPrice,\"\"\"1.2.3\"\" is not a price"));
  CHECK(holds(result.out, path + ",5,SpotPrice,99999999.000 is not a price anybody pays"));
  CHECK(holds(result.out, path + ",6,vCPUs,\"\"\"four\"\": expected a number"));
  CHECK(holds(result.out, path + ",7,row,\"4 fields, the header has 7\""));
  const auto refused = run({"prices", "import", path, "-o", "csv"});
  CHECK(refused.code == cli::exit_usage);
  CHECK(holds(refused.err, path + ":2: Price: \"cheap\" is not a price"));
}

TEST_CASE("price file: GCE's prices of 2017 are advised, the K80 with the host it is priced with") {
  const ModelFile model;
  const auto result = run({"advise",
                           job,
                           "--model",
                           model.path(),
                           "--book",
                           "era-2017",
                           "--infra",
                           "gcp",
                           "--deadline",
                           "5000h",
                           "--confidence",
                           "0.5"});
  CAPTURE(result.out);
  CHECK(result.code == cli::exit_ok);
  CHECK(holds(result.out, "K80 instance (K80, gcp/not stated)"));
  CHECK_FALSE(holds(result.out, "not published:"));
}
