#include "advisor/machine/emulate.h"

#include <doctest/doctest.h>

#include "advisor/cli/preset.h"
#include "advisor/query/usage_error.h"
#include "support/approx.h"

using namespace rightsize;

namespace {

Machine two_cpus() {
  Machine machine;
  machine.cpus = 2;
  machine.memory_bytes = 24ULL << 30;
  return machine;
}

Setting four_slow_cpus() {
  Setting setting;
  setting.cpus = 4;
  setting.cpu_speed = 0.75;  // worth three of ours
  setting.memory_bytes = 16ULL << 30;
  setting.disk.bytes_per_s = 250e6;
  setting.disk.iops = 3000;
  setting.accelerator_items_per_s = 550;
  return setting;
}

std::string value_of(const cli::Preset& preset, const std::string& field) {
  for (const auto& [name, value] : preset.fields) {
    if (name == field) {
      return value;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("emulate: a machine larger than this one shrinks as a whole") {
  const auto emulation = emulate(four_slow_cpus(), two_cpus());
  CHECK(emulation.scale == 0.5);
  CHECK(emulation.limits.cpus == test::approx(1.5));
  CHECK(emulation.limits.memory_bytes == 8ULL << 30);
  CHECK(emulation.limits.disk_read_bytes_per_s == 125e6);
  CHECK(emulation.limits.disk_read_iops == 1500);
  CHECK(emulation.replay_items_per_s == 275);
  REQUIRE(emulation.notes.size() == 1);
  CHECK(emulation.notes[0].find("multiply the throughput by 2") != std::string::npos);
}

TEST_CASE("emulate: one that fits is imposed as it is") {
  auto setting = four_slow_cpus();
  setting.cpus = 2;
  const auto emulation = emulate(setting, two_cpus());
  CHECK(emulation.scale == 1);
  CHECK(emulation.limits.cpus == test::approx(1.5));
  CHECK(emulation.notes.empty());
}

TEST_CASE("emulate: memory that is not here is not limited, and that is said") {
  auto setting = four_slow_cpus();
  setting.cpus = 2;
  setting.memory_bytes = 100ULL << 30;
  const auto emulation = emulate(setting, two_cpus());
  CHECK(emulation.limits.memory_bytes == 0);
  REQUIRE(emulation.notes.size() == 1);
  setting.cpus = 500;
  CHECK_THROWS_AS(static_cast<void>(emulate(setting, two_cpus())), EmulationError);
}

TEST_CASE("preset: a disk class delivers what its formula says at its size") {
  // Alibaba's efficiency disk of the founding reports' time is min(50 + 0.1 x GiB, 80) MB/s; the
  // current one starts at 100 and gains 0.15 a GiB up to 140.
  const auto preset = cli::disk_preset("efficiency:200GiB");
  CHECK(value_of(preset, "disk_read") == "130000000B/s");
  CHECK(value_of(cli::disk_preset("gp3"), "disk_read_iops") == "3000");
  CHECK(value_of(cli::disk_preset("gp3", 0.5), "disk_read_iops") == "1500");
  CHECK(value_of(cli::disk_preset("nvme"), "disk_read") == "2000000000B/s");
  const auto through = cli::disk_preset("gp3:500GiB", 1, "aws", "g5.xlarge");
  CHECK(value_of(through, "disk_read") == "87500000B/s");  // of 125 MB/s
  CHECK(through.notes.back().find("all that g5.xlarge lets through") != std::string::npos);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(cli::disk_preset("flopy")), doctest::Contains("pd-ssd"), UsageError);
  CHECK_THROWS_AS(static_cast<void>(cli::disk_preset("gp3:20000000GiB")), UsageError);
}

TEST_CASE("preset: an instance is its vCPUs, its memory and its GPU") {
  Workload work;
  work.batch = 64;
  const auto preset = cli::instance_preset("aws/g4dn.xlarge", work);
  CHECK(value_of(preset, "engine") == "replay");
  CHECK(std::stod(value_of(preset, "replay_items_per_s")) > 10);
  CHECK(std::stod(value_of(preset, "cpus")) > 0.1);
  CHECK(value_of(cli::instance_preset("aws/c5.4xlarge", work), "engine").empty());
  CHECK_THROWS_WITH_AS(static_cast<void>(cli::instance_preset("aws/g4dn.xlrge", work)),
                       doctest::Contains("did you mean aws/g4dn.xlarge?"),
                       UsageError);
}
