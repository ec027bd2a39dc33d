// Price tables as their user meets them: prices import, export and check, and advise with his own.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "advisor/cli/command.h"
#include "support/made_model.h"
#include "support/program.h"
#include "support/temporary_folder.h"

using namespace rightsize;
using test::ModelFile;
using test::Result;
using test::run;

namespace {

const std::string job = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/demo/job.toml";

}  // namespace

TEST_CASE("cli: prices check finds the traps of real catalogues") {
  const TemporaryFolder folder;
  const auto path = folder / "mine.csv";
  std::ofstream(path) << "InstanceType,vCPUs,MemoryGiB,Region,Price,SpotPrice\n"
                         "a,4,16,r,0.5,99999999.000\n";
  const auto result = run({"prices", "check", path});
  CHECK(result.code == cli::exit_check_failed);
  CHECK(result.out.find("99999999.000 is not a price anybody pays") != std::string::npos);
  CHECK(result.out.find("no date") != std::string::npos);
  CHECK(run({"prices", "check"}).code == cli::exit_ok);
}

TEST_CASE("cli: prices import keeps what is asked for in every form") {
  const TemporaryFolder folder;
  const auto path = folder / "mine.csv";
  std::ofstream(path) << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
                         "Region,Price,SpotPrice,AsOf\n"
                         "acme,a,4,16,T4,1,eu,0.5,0.2,2026-11-02\n"
                         "acme,b,4,16,A100,1,us,2.5,,2026-11-02\n";
  const auto lines = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"prices", "import", path, "-o", "csv"});
    const auto result = run(more);
    CHECK(result.code == cli::exit_ok);
    return std::count(result.out.begin(), result.out.end(), '\n') - 1;
  };
  CHECK(lines({}) == 2);
  CHECK(lines({"--gpu", "A100"}) == 1);
  CHECK(lines({"--infra", "acme/eu"}) == 1);
  CHECK(lines({"--market", "spot"}) == 1);
  CHECK(run({"prices", "import", path, "-o", "csv", "--gpu", "A100"}).out.find(",a,") ==
        std::string::npos);
  const auto none = run({"prices", "import", path, "-o", "csv", "--market", "reserved-1y"});
  CHECK(none.code == cli::exit_failed);
  CHECK(none.err.find("no offer came of it") != std::string::npos);
}

TEST_CASE("cli: a machine by the month is told from one by the hour") {
  const TemporaryFolder folder;
  const auto path = folder / "mine.csv";
  std::ofstream(path) << "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,MonthlyPrice,AsOf\n"
                         "acme,a,4,16,eu,1.00,365.00,2026-11-02\n";
  const auto shown = run({"prices", "import", path}).out;
  CHECK(shown.find(" 1.00 USD") != std::string::npos);
  CHECK(shown.find(" 365.00 a month, 0.50 USD") != std::string::npos);
}

TEST_CASE("cli: prices check says of a table without rows what advise refuses it for") {
  const TemporaryFolder folder;
  const auto path = folder / "header.csv";
  std::ofstream(path) << "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,"
                         "Price,SpotPrice\n";
  const auto checked = run({"prices", "check", path});
  CHECK(checked.code == cli::exit_check_failed);
  CHECK(checked.out.find("it lists no offer") != std::string::npos);
}

TEST_CASE("cli: prices check goes on past what cannot be, and counts rows without a price") {
  const TemporaryFolder folder;
  const auto path = folder / "mine.csv";
  std::ofstream(path) << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
                         "AcceleratorMemoryGiB,Region,Price,AsOf\n"
                         "acme,a,4,16,,,,r,99999999999999999999,2026-11-02\n"
                         "acme,b,0,16,,,,r,1,2026-11-02\n"
                         "acme,c,8,61,A100,1,4000,r,1,2026-11-02\n"
                         "acme,d,8,61,,,,r,,2026-11-02\n"
                         "acme,e,8,0,,,,r,1,2026-11-02\n";
  const auto result = run({"prices", "check", path});
  CHECK(result.code == cli::exit_check_failed);
  CHECK(result.out.find("99999999999999999999 is not a price anybody pays") != std::string::npos);
  CHECK(result.out.find("vCPUs                 0: taken as not stated") != std::string::npos);
  CHECK(result.out.find("MemoryGiB             0: taken as not stated") != std::string::npos);
  CHECK(result.out.find("4000 GiB for one A100, but the most in") != std::string::npos);
  CHECK(result.out.find("never recommended") == std::string::npos);  // each row is told once
  const std::string unpriced = "1 row without a price is left out, on line 5";
  CHECK(result.err.find(unpriced) != std::string::npos);
  const auto imported = run({"prices", "import", path, "-o", "csv"});
  CHECK(imported.err.find(unpriced) != std::string::npos);
  CHECK(imported.out.find("acme,b,,16,") != std::string::npos);  // unknown, not none
}

TEST_CASE("cli: prices import writes a table that advise takes, and says where it came from") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto table = folder / "mine.csv";
  const std::string book = std::string(RIGHTSIZE_SOURCE_DIR) + "/examples/prices/book.toml";
  const auto imported = run({"prices", "import", book, "-o", "csv", "--out-file", table});
  CHECK(imported.code == cli::exit_ok);
  CHECK(imported.err.find("book, ") != std::string::npos);
  const auto answer =
      run({"advise", job, "--model", model.path(), "--prices", table, "-o", "json"});
  CHECK(answer.code == cli::exit_ok);
  const auto document = boost::json::parse(answer.out).as_object();
  CHECK(document.at("query").at("book") == "acme-2026");
  for (const auto& option : document.at("options").as_array()) {
    CHECK(option.at("provider") == "aws");
  }
  // The file itself does as well, and a folder of files.
  const auto same = run({"advise", job, "--model", model.path(), "--prices", book, "-o", "names"});
  CHECK(
      same.out ==
      run({"advise", job, "--model", model.path(), "--prices", folder.path(), "-o", "names"}).out);
  CHECK(run({"prices", "import", job}).code == cli::exit_usage);
  CHECK(run({"prices", "import", book, "--discount", "200%"}).code == cli::exit_usage);
  for (const char* day : {"yesterday", "2026-02-31", "2026-2-3", "2026-11-02T00"}) {
    CAPTURE(day);
    CHECK(run({"prices", "import", book, "--as-of", day}).code == cli::exit_usage);
  }
  CHECK(run({"prices", "import"}).code == cli::exit_usage);
  CHECK(run({"advise", job, "--model", model.path(), "--prices", job}).code == cli::exit_usage);
}

TEST_CASE("cli: prices import that finds nothing leaves the file that is there") {
  const TemporaryFolder folder;
  const auto empty = folder / "empty.csv";
  const auto mine = folder / "mine.csv";
  std::ofstream(empty) << "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price\n";
  std::ofstream(mine) << "precious\n";
  const auto result = run({"prices", "import", empty, "-o", "csv", "--out-file", mine});
  CHECK(result.code == cli::exit_failed);
  CHECK(result.err.find("no offer came of it") != std::string::npos);
  std::string kept;
  std::ifstream(mine) >> kept;
  CHECK(kept == "precious");
}

TEST_CASE("cli: prices list and show keep to the book that is asked for") {
  const auto shown = run({"prices", "show", "--book", "neuron", "-o", "csv"});
  REQUIRE(shown.code == cli::exit_ok);
  CHECK(shown.out.find("inf2") != std::string::npos);
  CHECK(shown.out.find(",current,") == std::string::npos);
  CHECK(shown.err.find(" more,") == std::string::npos);  // the others are not counted either
  const auto listed = run({"prices", "list", "--book", "neuron", "-o", "csv"});
  CHECK(listed.out.find("aws_neuron.csv") != std::string::npos);
  CHECK(listed.out.find("azure.csv") == std::string::npos);
  const auto both = run({"prices", "list", "--book", "current,neuron", "-o", "csv"});
  CHECK(both.out.find("aws_neuron.csv") != std::string::npos);
  CHECK(both.out.find("azure.csv") != std::string::npos);
  const auto unknown = run({"prices", "show", "--book", "neurons"});
  CHECK(unknown.code == cli::exit_usage);
  CHECK(unknown.err.find("--book neurons: no table has such a book; books: ") != std::string::npos);
  CHECK(unknown.err.find("neuron") != std::string::npos);
  const auto one = run({"prices", "list", "--book", "current,neurons"});  // the other hides nothing
  CHECK(one.code == cli::exit_usage);
  CHECK(one.err.find("--book neurons: no table has such a book") != std::string::npos);
}

TEST_CASE("advise: a price beyond belief that is chosen is warned of") {
  const TemporaryFolder folder;
  const ModelFile model;
  const auto advised = [&](const char* price) {
    const auto path = folder / "mine.csv";
    std::ofstream(path) << "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,"
                           "AcceleratorMemoryGiB,Region,Price,Currency,AsOf\n"
                        << "acme,big,96,1152,A100,8,40,r," << price << ",USD,2026-11-02\n";
    return run({"advise", job, "--prices", path, "--model", model.path()}).out;
  };
  CHECK(advised("0.03277").find("an hour for one A100, which is sold for") != std::string::npos);
  CHECK(advised("14.5").find("which is sold for") == std::string::npos);
}

TEST_CASE("cli: prices export writes a SkyPilot catalogue of one provider") {
  const auto result = run({"prices", "export", "--format", "skypilot", "--provider", "aws"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.starts_with("InstanceType,vCPUs,MemoryGiB,AcceleratorName,"));
  CHECK(result.out.find("p3.2xlarge,8,61,V100,1,") != std::string::npos);
  CHECK(run({"prices", "export", "--format", "skypilot"}).code == cli::exit_usage);
  CHECK(run({"prices", "export", "--format", "skypilot", "--provider", "acme"}).code ==
        cli::exit_failed);
}

TEST_CASE("cli: a reservation bears its idle share, and a machine of one's own is an option") {
  const ModelFile model;
  const auto cost = [&](const char* utilisation) {
    const auto result = run({"advise",
                             job,
                             "--model",
                             model.path(),
                             "--infra",
                             "gcp",
                             "--market",
                             "reserved-1y",
                             "--utilisation",
                             utilisation,
                             "-o",
                             "json"});
    CHECK(result.code == cli::exit_ok);
    const auto document = boost::json::parse(result.out).as_object();
    CHECK(document.at("chosen").at("market") == "reserved-1y");
    return document.at("chosen").at("cost").at("value").to_number<double>();
  };
  CHECK(cost("50%") > 1.5 * cost("100%"));
  const std::string own =
      "gpu=A100:8,price=180000USD,years=4,power=6.5kW,kwh=0.15,utilisation=60%,vcpus=128,"
      "memory=1024GiB,disk=7680GiB";
  const auto answer = run({"advise",
                           job,
                           "--model",
                           model.path(),
                           "--infra",
                           "on-prem",
                           "--on-prem",
                           own,
                           "-o",
                           "json"});
  CHECK(answer.code == cli::exit_ok);
  const auto chosen = boost::json::parse(answer.out).as_object().at("chosen").as_object();
  CHECK(chosen.at("instance") == "own 8x A100");
  CHECK(chosen.at("bill").as_array().size() == 2);
  CHECK(run({"advise", job, "--model", model.path(), "--on-prem", "gpu=A100"}).code ==
        cli::exit_usage);
  CHECK(run({"advise", job, "--model", model.path(), "--utilisation", "0%"}).code ==
        cli::exit_usage);
  // No AWS table of today has reserved prices: none unless the user assumes them.
  const auto none =
      run({"advise", job, "--model", model.path(), "--infra", "aws", "--market", "reserved-3y"});
  CHECK(none.code == cli::exit_usage);
  const auto assumed = run({"advise",
                            job,
                            "--model",
                            model.path(),
                            "--infra",
                            "aws",
                            "--market",
                            "reserved-3y",
                            "--reserved-discount",
                            "40%"});
  CHECK(assumed.code == cli::exit_ok);
  CHECK(assumed.out.find("the chosen price is assumed") != std::string::npos);
}

TEST_CASE("cli: tables of machines cut to measure are listed, shown, checked and searched") {
  const TemporaryFolder folder;
  const ModelFile model;
  const std::string head =
      "Provider,Family,Region,MinGiBPerVcpu,MaxGiBPerVcpu,MaxVcpus,VcpuPrice,GiBPrice,Gpu,"
      "GpuMemoryGiB,GpuVcpus,GpuPrice,Currency,Book,AsOf,Source\n";
  const auto cheap = folder / "cheap.csv";
  const auto dear = folder / "dear.csv";
  std::ofstream(cheap)
      << head << "mine,cut,r1,1,8,32,0.001,0.0001,A100-80GB,80,1:32,0.01,USD,mine,,quote\n";
  std::ofstream(dear) << head << "yours,made,r2,1,8,32,5,1,A100-80GB,80,1:32,50,USD,mine,,quote\n";
  const auto list =
      run({"prices", "list", "--custom-prices", cheap, "--custom-prices", dear, "-o", "csv"});
  CHECK(list.out.find(cheap + ",mine,") != std::string::npos);
  CHECK(list.out.find(dear + ",yours,") != std::string::npos);
  // Of 1 vCPU at $0.001, 1 GiB at $0.0001 and an A100 at $0.01.
  const auto shown =
      run({"prices", "show", "cut-1-1024+1xA100-80GB", "--custom-prices", cheap, "-o", "csv"});
  CHECK(shown.out.find(",0.0111,") != std::string::npos);
  const auto checked = run({"prices", "check", cheap, "--custom-prices", dear});
  CHECK(checked.code == cli::exit_check_failed);
  CHECK(checked.err.find("2 offers, 3 things to look at") != std::string::npos);
  CHECK(checked.out.find("no date") != std::string::npos);
  const auto answer = run({"advise",
                           job,
                           "--model",
                           model.path(),
                           "--custom-prices",
                           dear,
                           "--custom-prices",
                           cheap,
                           "--infra",
                           "mine",
                           "--infra",
                           "yours",
                           "-o",
                           "json"});
  CHECK(answer.code == cli::exit_ok);
  CHECK(boost::json::parse(answer.out).at("chosen").at("provider") == "mine");
  std::ofstream(dear) << head << "yours,made,r2,1,8,many,5,1,,,,,USD,mine,,quote\n";
  for (const auto& arguments :
       {std::vector<std::string>{"prices", "check", dear},
        std::vector<std::string>{"prices", "list", "--custom-prices", dear}}) {
    const auto wrong = run(arguments);
    CHECK(wrong.code == cli::exit_usage);
    CHECK(wrong.err.find("dear.csv:2: MaxVcpus = \"many\": expected a number") !=
          std::string::npos);
  }
}

TEST_CASE("prices show: instances by name, and a name nobody sells") {
  const auto named = run({"prices", "show", "g5.xlarge", "-o", "csv", "--max-results", "0"});
  CHECK(named.code == cli::exit_ok);
  CHECK(named.out.find("g5.xlarge") != std::string::npos);
  CHECK(named.out.find("g5.2xlarge") == std::string::npos);
  CHECK(run({"prices", "show", "g5.tiny"}).code == cli::exit_usage);
}

TEST_CASE("advise: a place where nothing is sold is named") {
  const ModelFile model;
  const auto result =
      run({"advise", job, "--model", model.path(), "--infra", "aws/mars-*", "--market", "spot"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("no offer is spot in aws/mars-* of the book current") != std::string::npos);
  const auto anywhere = [&](const char* region) {
    return run({"advise", job, "--model", model.path(), "--region", region}).err;
  };
  CHECK(anywhere("us-est-1").find("did you mean us-east-1?") != std::string::npos);
  const auto mars = anywhere("mars");  // an example of each provider, and not every region
  CHECK(mars.find("no region on offer is called mars; they are called so: aws/us-") !=
        std::string::npos);
  CHECK(mars.size() < 700);
}

TEST_CASE("what-if: a GPU that nobody knows is a mistake, with the nearest name") {
  const ModelFile model;
  const auto result = run({"what-if", job, "gpu=H10O", "--model", model.path(), "--infra", "aws"});
  CHECK(result.code == cli::exit_usage);
  CHECK(result.err.find("no figures for \"H10O\", did you mean \"H100\"?") != std::string::npos);
}

TEST_CASE("advise: what to do next repeats every flag with its value") {
  const ModelFile model;
  const auto result = run({"advise",
                           job,
                           "--model",
                           model.path(),
                           "--infra",
                           "aws/us-east-1",
                           "--nodes-max",
                           "4",
                           "--net",
                           "ib:100"});
  CHECK(result.code == cli::exit_ok);
  CHECK(result.out.find("--nodes-max 4") != std::string::npos);
  CHECK(result.out.find("--net ib:100") != std::string::npos);
}

TEST_CASE("prices: a price book that is not TOML is told in the words of a job file") {
  const TemporaryFolder folder;
  const auto wrong = folder / "wrong.toml";
  std::ofstream(wrong) << "book = \"mine\"\n[[offer]]\nprice = \"3.00\n";
  const auto as_prices = run({"prices", "check", wrong});
  CHECK(as_prices.code == cli::exit_usage);
  const auto words = std::string("a string is not closed: end it on its line with \"");
  CAPTURE(as_prices.err);
  CHECK(as_prices.err.find("wrong.toml:3:") != std::string::npos);
  CHECK(as_prices.err.find(words) != std::string::npos);
  CHECK(run({"advise", wrong}).err.find(words) != std::string::npos);
}
