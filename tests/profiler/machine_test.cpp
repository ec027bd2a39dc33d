#include "profiler/machine.h"

#include <filesystem>
#include <fstream>

#include <boost/json.hpp>
#include <doctest/doctest.h>

#include "profiler/block_device.h"
#include "support/temporary_folder.h"

using namespace rightsize;

TEST_CASE("machine: two cores with two threads each are read from cpuinfo") {
  const TemporaryFolder root;
  std::string cpuinfo;
  for (int cpu = 0; cpu < 4; ++cpu) {
    cpuinfo +=
        "processor\t: " + std::to_string(cpu) +
        "\nmodel name\t: Imaginary 9000\ncpu MHz\t\t: 2450.5\nphysical id\t: 0\ncore id\t: " +
        std::to_string(cpu / 2) + "\nflags\t\t: fpu sse4_1 avx2 fma amx_tile\n\n";
  }
  root.write("proc/cpuinfo", cpuinfo);
  root.write("proc/meminfo", "MemTotal:       24117248 kB\nMemFree: 1 kB\n");
  root.write("proc/sys/kernel/osrelease", "6.1.0\n");
  root.write("etc/os-release", "NAME=x\nPRETTY_NAME=\"Imaginary OS 3\"\n");
  root.write("sys/devices/system/cpu/cpu0/cache/index3/level", "3\n");
  root.write("sys/devices/system/cpu/cpu0/cache/index3/size", "32768K\n");
  const auto machine = describe_machine_under(root.path());
  CHECK(machine.cpu_model == "Imaginary 9000");
  CHECK(machine.cpus == 4);
  CHECK(machine.physical_cores == 2);
  CHECK(machine.cpu_mhz == 2450.5);
  CHECK(machine.isa == "avx2");
  CHECK(machine.isa_flags == std::vector<std::string>{"amx_tile", "avx2", "fma"});
  CHECK(machine.l3_bytes == 32ULL << 20);
  CHECK(machine.memory_bytes == 24117248ULL << 10);
  CHECK(machine.kernel == "6.1.0");
  CHECK(machine.os == "Imaginary OS 3");
  CHECK(machine_key(machine) == "Imaginary 9000/4cpu/23GiB");
}

TEST_CASE("machine: an empty root gives empty fields, not an error") {
  const TemporaryFolder root;
  CHECK(describe_machine_under(root.path()) == Machine{});
}

TEST_CASE("machine: this machine has CPUs, memory and a kernel, and survives JSON") {
  const auto machine = describe_this_machine();
  CHECK(machine.cpus > 0);
  CHECK(machine.memory_bytes > 0);
  CHECK_FALSE(machine.kernel.empty());
  CHECK(machine_from_json(to_json(machine)) == machine);
}

TEST_CASE("block device: mountinfo with optional fields and escaped blanks is understood") {
  const TemporaryFolder root;
  root.write("proc/self/mountinfo",
             "36 35 254:1 / /my\\040disk rw,noatime shared:1 master:2 - ext4 /dev/vda1 rw\n"
             "41 36 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
             "broken line\n");
  const auto mounts = read_mounts(root.path());
  REQUIRE(mounts.size() == 2);
  CHECK(mounts[0].mount_point == "/my disk");
  CHECK(mounts[0].device_number == "254:1");
  CHECK(mounts[1].filesystem == "cgroup");
  CHECK(mounts[1].super_options == "rw,cpu,cpuacct");
}

TEST_CASE("block device: a partition leads to its whole disk") {
  const TemporaryFolder root;
  root.write("sys/devices/pci/vda/dev", "254:0\n");
  root.write("sys/devices/pci/vda/vda1/dev", "254:1\n");
  root.write("sys/devices/pci/vda/vda1/partition", "1\n");
  std::filesystem::create_directories(root.path() + "/sys/dev/block");
  std::filesystem::create_symlink("../../devices/pci/vda/vda1",
                                  root.path() + "/sys/dev/block/254:1");
  CHECK(whole_disk("254:1", root.path()) == BlockDevice{"254:0", "vda"});
  CHECK_FALSE(whole_disk("254:7", root.path()).has_value());
}
