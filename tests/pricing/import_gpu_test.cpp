// Which GPU the rows of a price table mean.
#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "import_text.h"

using namespace rightsize;
using test::has_issue;
using test::import_text;
using test::options;

TEST_CASE("import: the memory that a table states tells which of two GPUs of one name it is") {
  auto with = options();
  with.gpu_name = [](std::string_view name) {
    return name == "A100 80GB"   ? std::string("A100-80GB")
           : name == "A100 40GB" ? std::string("A100")
                                 : std::string(name);
  };
  std::istringstream in(
      "Provider,InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,AcceleratorMemoryGiB,"
      "Region,Price\n"
      "acme,large,8,64,A100,1,79.6,r,2\nacme,small,8,64,A100,1,40,r,1\n"
      "acme,other,8,64,XYZ9,1,80,r,1\nacme,plain,8,64,A100,1,,r,1\n"
      "acme,two,8,64,A100,2,80,r,3\nacme,eight,8,64,A100,8,80,r,3\n");
  const auto table = import_prices(in, "acme.csv", with);
  REQUIRE(table.offers.size() == 6);
  CHECK(table.offers[0].gpu == "A100-80GB");
  CHECK(table.offers[1].gpu == "A100");
  CHECK(table.offers[2].gpu == "XYZ9");
  CHECK(table.offers[3].gpu == "A100");
  // Of each, or of both? Eight of 10 GiB there are not.
  CHECK(table.offers[4].gpu == "A100-80GB");
  REQUIRE(table.issues.size() == 1);
  CHECK(table.issues[0].line == 6);
  CHECK(table.issues[0].text.starts_with("80 GiB is taken to be that of each of 2 A100-80GB"));
}

TEST_CASE("import: a catalogue's model is the form of the card that the machine is known to have") {
  std::istringstream in(
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,AcceleratorMemoryGiB,Region,"
      "Price\n"
      "Standard_NC40ads_H100_v5,40,320,H100,1,80,eastus,7\n"
      "Standard_NC24ads_A100_v4,24,220,A100-80GB,1,,eastus,4\n"
      "Standard_ND96isr_H100_v5,96,1900,H100,8,80,eastus,98\n"
      "gpu_1x_a100,30,200,A100,1,40,us-east-1,2\ngpu_8x_a100,124,1800,A100,8,40,us-east-1,16\n"
      "gpu_1x_a100,30,200,A100-SXM4,1,40,us-west-1,2\n"
      "Standard_NC40ads_H100_v5,40,320,L4,1,24,eastus2,7\n");
  const auto table = import_prices(in, "theirs.csv", options());
  REQUIRE(table.offers.size() == 7);
  CHECK(table.offers[0].gpu == "H100-NVL");
  CHECK(table.offers[0].gpu_memory_gib == 94);
  CHECK(has_issue(table, 2, "80 GiB is not that of the H100-NVL in Standard_NC40ads_H100_v5"));
  CHECK(table.offers[1].gpu == "A100-PCIe-80GB");
  CHECK_FALSE(table.offers[1].gpu_memory_gib.has_value());  // not said, not made up
  CHECK(table.offers[2].gpu == "H100");
  CHECK(table.offers[3].gpu == "A100-PCIe");
  CHECK(table.offers[4].gpu == "A100");
  CHECK(table.offers[5].gpu == "A100-SXM4");  // the file says the form itself
  CHECK(table.offers[6].gpu == "L4");         // another machine of that name
  CHECK(table.issue_count == 1);
}

TEST_CASE("import: GPUs of no name do not make a machine without GPUs") {
  const auto table = import_text(
      "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,Region,Price\n"
      "a,4,16,,8,r,1\nb,4,16,,0,r,1\nc,4,16,,,r,1\n");
  REQUIRE(table.offers.size() == 3);
  CHECK(table.offers[0].gpu == "not stated");
  CHECK(table.offers[0].gpus == 8);
  CHECK(has_issue(table, 2, "8 GPUs, which is not said"));
  CHECK(table.offers[1].gpu.empty());
  CHECK(table.issue_count == 1);
}
