// A price table may say which CPU its machine has: what is read, written, imported and doubted.
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "pricing/check.h"
#include "pricing/custom_shape.h"
#include "pricing/import/import.h"
#include "pricing/offer_csv.h"
#include "pricing/on_prem.h"

using namespace rightsize;

namespace {

constexpr const char* header =
    "Provider,InstanceType,vCPUs,MemoryGiB,Region,Price,SpotPrice,Currency,Arch,Cpu,AsOf\n";

ImportedTable read(const std::string& rows, const ImportOptions& options = {}) {
  std::istringstream in(header + rows);
  return import_prices(in, "mine.csv", options);
}

ImportedTable read_file(const std::string& name, const ImportOptions& options) {
  std::ifstream in(std::string(RIGHTSIZE_SOURCE_DIR) + "/tests/pricing/tables/" + name);
  REQUIRE(in);
  return import_prices(in, name, options);
}

}  // namespace

TEST_CASE("named cpu: a row names it or leaves it open, and it comes back as it was written") {
  const auto table = read(
      "gcp,n1,8,7.2,us,0.4,0.1,USD,,Skylake,2026-11-02\n"
      "gcp,n2,8,7.2,us,0.4,,USD,,,2026-11-02\n"
      "gcp,n3,8,7.2,us,0.4,,USD,,N/A,2026-11-02\n");
  REQUIRE(table.offers.size() == 4);
  CHECK(table.offers[0].cpu == "Skylake");
  CHECK(table.offers[1].cpu == "Skylake");  // of spot too
  CHECK(table.offers[2].cpu.empty());       // never guessed
  CHECK(table.offers[3].cpu.empty());
  std::istringstream written(to_offer_csv(table.offers));
  const auto back = import_prices(written, "again.csv", {});
  REQUIRE(back.offers.size() == 4);
  for (std::size_t i = 0; i < back.offers.size(); ++i) {
    CHECK(back.offers[i].cpu == table.offers[i].cpu);
    CHECK(back.offers[i].price_per_hour == table.offers[i].price_per_hour);
  }
}

TEST_CASE("named cpu: machines of one name with two CPUs are two rows, here and in the copy") {
  const auto table = read(
      "gcp,n1,8,7.2,us,0.4,,USD,,Skylake,2026-11-02\n"
      "gcp,n1,8,7.2,us,0.4,,USD,,Broadwell,2026-11-02\n");
  REQUIRE(table.offers.size() == 2);
  CHECK(table.issues.empty());
  std::istringstream written(to_offer_csv(table.offers));
  CHECK(import_prices(written, "again.csv", {}).offers.size() == 2);
}

TEST_CASE("named cpu: a Graviton is arm64 where the row does not say so") {
  CHECK(read("aws,x,8,16,us,0.4,,USD,,AWS Graviton3 Processor,2026-11-02\n").offers[0].arch ==
        "arm64");
  CHECK(read("aws,x,8,16,us,0.4,,USD,,Skylake,2026-11-02\n").offers[0].arch.empty());
}

TEST_CASE("named cpu: AWS and Vantage name it, who imports says by what name it is known") {
  ImportOptions options;
  CHECK(read_file("aws.json", options).offers[0].cpu == "Intel Xeon E5-2686 v4 (Broadwell)");
  CHECK(read_file("vantage.json", options).offers[0].cpu == "Intel Xeon E5-2686 v4 (Broadwell)");
  options.cpu_name = [](std::string_view instance, std::string_view name) {
    CHECK(instance.starts_with("p3."));
    return name.find("Broadwell") == std::string_view::npos ? "" : std::string("Broadwell");
  };
  CHECK(read_file("aws.json", options).offers[0].cpu == "Broadwell");
  CHECK(read_file("vantage.json", options).offers[0].cpu == "Broadwell");
}

TEST_CASE("named cpu: of a price book, a machine of one's own, and one cut to measure") {
  std::istringstream book(
      "book = \"b\"\n[[offer]]\nprovider = \"gcp\"\ninstance = \"n1\"\nregion = \"us\"\n"
      "price = \"0.40\"\ncpu = \"Skylake\"\n");
  const auto table = import_prices(book, "book.toml", {});
  REQUIRE(table.offers.size() == 1);
  CHECK(table.offers[0].cpu == "Skylake");
  CHECK(on_prem_offer("price=9000USD,years=3,power=1kW,kwh=0.2,cpu=EPYC 7742").cpu == "EPYC 7742");
  const auto families = parse_custom_families(
      "Provider,Family,Region,MaxVcpus,MaxGiBPerVcpu,VcpuPrice,GiBPrice,Currency,Cpu\n"
      "acme,custom,r,8,8,0.03,0.004,USD,Ice Lake\n",
      "custom.csv");
  REQUIRE(families.size() == 1);
  CHECK(smallest_custom_offer(families[0]).cpu == "Ice Lake");
  CHECK(smallest_custom_offer(families[0]).arch == "x86_64");
}

TEST_CASE("named cpu: a Graviton is arm64 in a price book, and cut to measure, too") {
  std::istringstream book(
      "book = \"b\"\n[[offer]]\nprovider = \"acme\"\ninstance = \"n1\"\nregion = \"us\"\n"
      "price = \"0.40\"\ncpu = \"Graviton3\"\n");
  const auto table = import_prices(book, "book.toml", {});
  REQUIRE(table.offers.size() == 1);
  CHECK(table.offers[0].arch == "arm64");
  const auto families = parse_custom_families(
      "Provider,Family,Region,MaxVcpus,MaxGiBPerVcpu,VcpuPrice,GiBPrice,Currency,Cpu\n"
      "acme,custom,r,8,8,0.03,0.004,USD,Graviton3\n",
      "custom.csv");
  REQUIRE(families.size() == 1);
  CHECK(smallest_custom_offer(families[0]).arch == "arm64");
}

TEST_CASE("named cpu: a name that nobody knows is doubted once, and an architecture against it") {
  const auto table = read(
      "gcp,n1,8,7.2,us,0.4,,USD,x86_64,Skylark,2026-11-02\n"
      "gcp,n2,8,7.2,us,0.4,,USD,x86_64,Skylark,2026-11-02\n"
      "gcp,n3,8,7.2,us,0.4,,USD,x86_64,Graviton3,2026-11-02\n"
      "gcp,n4,8,7.2,us,0.4,,USD,x86_64,Skylake,2026-11-02\n");
  CheckOptions options;
  options.today = "2026-11-21";
  CHECK(check_offers(table.offers, options).size() == 1);  // nobody to ask: the architecture alone
  options.cpu_doubt = [](std::string_view name) {
    return name == "Skylark" ? std::string("is a bird") : "";
  };
  const auto issues = check_offers(table.offers, options);
  REQUIRE(issues.size() == 2);
  CHECK(issues[0].line == 2);
  CHECK(issues[0].field == "Cpu");
  CHECK(issues[0].text == "is a bird");
  CHECK(issues[1].line == 4);
  CHECK(issues[1].text == "x86_64, but Graviton3 is a CPU of arm64: mend one");
}
