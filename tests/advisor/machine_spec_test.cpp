#include "advisor/machine/machine_spec.h"

#include <fstream>

#include <doctest/doctest.h>

#include "advisor/machine/named_disk.h"
#include "advisor/query/usage_error.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

std::string mistake(const std::string& text) {
  try {
    static_cast<void>(parse_machine_spec(text));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("machine: every key of the specification") {
  const auto machine = parse_machine_spec(
      "gpu=P100-SXM2:8, vcpus=40, memory=512GiB, disk=ssd:500GiB, link=nvlink, nodes=2, "
      "net=ib:100, cpu=c4.8xlarge");
  CHECK(machine.gpu == "P100-SXM2");
  CHECK(machine.gpus_per_node == 8);
  CHECK(machine.gpus() == 16);
  CHECK(machine.vcpus == 40);
  CHECK(machine.memory_gib == 512);
  CHECK(machine.disk == "ssd:500GiB");
  CHECK(machine.interconnect.link == NodeLink::nvlink);
  CHECK(machine.interconnect.fabric == Fabric::infiniband);
  CHECK(machine.interconnect.fabric_gbit_per_s == 100);
  CHECK(machine.cpu == "c4.8xlarge");
  CHECK(to_text(machine) ==
        "2 nodes of 8 x P100-SXM2, 40 vCPU, 512 GiB, disk ssd:500GiB, c4.8xlarge");
}

TEST_CASE("machine: what is not said stays open") {
  const auto machine = parse_machine_spec("vcpus=8");
  CHECK(machine.gpu.empty());
  CHECK_FALSE(machine.memory_gib);
  CHECK(machine.nodes == 1);
}

TEST_CASE("machine: memory without a unit is in GiB, as of --memory-min") {
  CHECK(*parse_machine_spec("memory=64").memory_gib == 64);
  CHECK(*parse_machine_spec("memory=64GiB").memory_gib == 64);
  CHECK(mistake("memory=-1").find("expected a size with its unit") != std::string::npos);
}

TEST_CASE("machine: mistakes name the key, what was expected, and the nearest key") {
  CHECK(mistake("gpus=V100").find("did you mean \"gpu\"?") != std::string::npos);
  CHECK(mistake("gpu=V100:0").find("gpu=V100:0: expected a whole number") != std::string::npos);
  CHECK(mistake("vcpus=many").find("vcpus=many: expected a number of vCPUs") != std::string::npos);
  CHECK(mistake("memory=much").find("expected a size with its unit") != std::string::npos);
  CHECK(mistake("link=string").find("link=string: expected nvlink") != std::string::npos);
  CHECK(mistake("vcpus").find("has no value") != std::string::npos);
  CHECK(mistake("gpu=A10G, gpu=T4").find("gpu stands there twice") != std::string::npos);
  CHECK(mistake("gpu=A10G:1:2").find("one number after one colon") != std::string::npos);
  CHECK(mistake("gpu=none:4").find("no number with no GPU") != std::string::npos);
}

TEST_CASE("machine: a TOML file with the same keys, its mistakes with their line") {
  const TemporaryFolder folder;
  const auto path = folder / "machine.toml";
  std::ofstream(path) << "gpu = \"V100:4\"\nvcpus = 32\nmemory = \"244GiB\"\n";
  const auto machine = parse_machine_spec(path);
  CHECK(machine.gpu == "V100");
  CHECK(machine.gpus_per_node == 4);
  CHECK(machine.vcpus == 32);
  std::ofstream(path) << "gpu = \"V100:4\"\nvcpuss = 32\n";
  CHECK(mistake(path).find("machine.toml:2:1: unknown key \"vcpuss\", did you mean \"vcpus\"?") !=
        std::string::npos);
  std::ofstream(path) << "gpu = \"V100:4\"\nvcpus = -1\n";
  CHECK(mistake(path).find("machine.toml:2:9: vcpus=-1: expected") != std::string::npos);
}

TEST_CASE("disk: a rate, a class with its formula, and words without a provider") {
  const auto catalog = shipped_catalog();
  const auto bytes_per_s = [&](const char* text) {
    return disk_named(text, catalog, {140'000'000'000}, "disk", "era-2017").speed.bytes_per_s;
  };
  CHECK(bytes_per_s("80MB/s") == 80e6);
  CHECK(bytes_per_s("ssd:500GiB") == 256e6);  // min(50 + 0.5 x 500, 256) MB/s
  CHECK(bytes_per_s("cloud_ssd:100GiB") == 100e6);
  CHECK(bytes_per_s("cloud_efficiency:500GiB") == 80e6);
  CHECK(bytes_per_s("local NVMe SSD") == 2e9);
  CHECK(bytes_per_s("500 GB EBS gp3") == 125e6);
  // As advise itself calls a disk with bought speed; no class sells without end.
  const auto bought = disk_named("gp3 151 GiB 250 MB/s", catalog, {140'000'000'000}, "disk");
  CHECK(bought.label == "gp3 151 GiB 250 MB/s");
  CHECK(bought.speed.bytes_per_s == 250e6);
  CHECK(bytes_per_s("gp3 151 GiB 4000 IOPS") == 125e6);
  CHECK_THROWS_AS(bytes_per_s("gp3 151 GiB 25000 MB/s"), UsageError);
  CHECK_THROWS_AS(bytes_per_s("cloud_ssd 500 GiB 900 MB/s"), UsageError);
  // So does one whose class nobody lists.
  const auto unlisted =
      disk_named("unlisted 21 GiB (price assumed)", catalog, {10'000'000'000}, "disk");
  CHECK(unlisted.label == "unlisted 21 GiB (price assumed)");
  CHECK(unlisted.gib == 21);
  CHECK(bytes_per_s("unlisted 200 GiB") == 500e6);
  CHECK(bytes_per_s("unlisted (not billed, assumed)") == 500e6);
  CHECK_THROWS_AS(bytes_per_s("unlisted 21 GiB banana"), UsageError);
  CHECK_THROWS_AS(bytes_per_s("floppy"), UsageError);
  // What is not understood is not passed over, least of all a speed in other letters.
  for (const auto* text : {"gp3 151 GiB banana",
                           "gp3 500 GiB 250Mbit",
                           "gp3 500",
                           "gp3 500gb",
                           "gp3 -5 GiB",
                           "0 GiB gp3",
                           "not a gp3 at all",
                           "ssd 0 MB/s",
                           "gp3 500 GiB 4000 iop",
                           "gp3 500 GiB 250",
                           "gp3 500 GiB 250 300 MB/s",
                           "nvme quick"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(bytes_per_s(text), UsageError);
  }
  CHECK(bytes_per_s("Amazon EBS General Purpose SSD (gp2) 500 GB") > 0);
  CHECK(bytes_per_s("2x NVMe") == 2e9);
  CHECK(bytes_per_s("gp3 500 GiB 250MBps") == 250e6);
  CHECK(bytes_per_s("gp3 500GiB 6000IOPS 250MB/s") == 250e6);
  CHECK(bytes_per_s("ssd 100 MB/s") == 100e6);  // as its user says, not as ssds are
  CHECK(bytes_per_s("hdd 500 GB 10 MB/s") == 10e6);
  CHECK(bytes_per_s("local hdd") == 150e6);
  CHECK(bytes_per_s("SATA HDD") == 150e6);
  CHECK_THROWS_AS(bytes_per_s("500GB"), UsageError);  // a size says nothing of the speed
  CHECK_THROWS_AS(bytes_per_s("80 MiB"), UsageError);
  const auto stated = disk_named("80MB/s", catalog, {140'000'000'000}, "disk");
  CHECK(stated.source == Source::assumed);  // by the one who asks; nobody published it
}
