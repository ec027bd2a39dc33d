// What a cpu engine may take, on fake machines: of control groups the least that any of them
// leaves.
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "kernels/cpu/arena.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

// One of 64 GiB that has 32 left.
void make_machine(const TemporaryFolder& root, const std::string& groups) {
  root.write("proc/meminfo", "MemTotal: 67108864 kB\nMemFree: 9 kB\nMemAvailable: 33554432 kB\n");
  root.write("proc/self/cgroup", groups);
}

}  // namespace

TEST_CASE("cpu room: without control groups it is what the kernel has available") {
  const TemporaryFolder root;
  make_machine(root, "");
  CHECK(cpu::available_memory_bytes(root.path()) == 32768 * mib);
}

TEST_CASE("cpu room: the least limit of the line of groups counts, beside anonymous memory") {
  const TemporaryFolder root;
  make_machine(root, "0::/user/job\n");
  root.write("sys/fs/cgroup/user/job/memory.max", "max\n");
  root.write("sys/fs/cgroup/user/job/memory.stat", "anon 1048576\nfile 900000000\n");
  CHECK(cpu::available_memory_bytes(root.path()) == 32768 * mib);
  root.write("sys/fs/cgroup/user/memory.max", "1073741824\n");
  root.write("sys/fs/cgroup/user/memory.stat", "anon 25165824\nfile 900000000\n");
  CHECK(cpu::available_memory_bytes(root.path()) == 1000 * mib);
}

TEST_CASE("cpu room: a container's limit is at the root of its own namespace") {
  const TemporaryFolder root;
  make_machine(root, "0::/\n");
  root.write("sys/fs/cgroup/memory.max", "2147483648\n");
  root.write("sys/fs/cgroup/memory.stat", "anon 50331648\nfile 900000000\n");
  CHECK(cpu::available_memory_bytes(root.path()) == 2000 * mib);
  // A process that was moved deeper inside has that limit too.
  root.write("proc/self/cgroup", "0::/init\n");
  CHECK(cpu::available_memory_bytes(root.path()) == 2000 * mib);
}

TEST_CASE("cpu room: in version 1 a container's own group is where the mount is") {
  const TemporaryFolder root;
  make_machine(root, "9:name=systemd:/docker/1f\n8:memory:/docker/1f\n");
  const std::string limited = "hierarchical_memory_limit 2147483648\ntotal_rss 50331648\n";
  root.write("sys/fs/cgroup/memory/memory.stat", limited);
  CHECK(cpu::available_memory_bytes(root.path()) == 2000 * mib);
  // On the machine itself the mount is of all, which has no limit.
  const std::string all = "hierarchical_memory_limit 9223372036854771712\ntotal_rss 50331648\n";
  root.write("sys/fs/cgroup/memory/memory.stat", all);
  root.write("sys/fs/cgroup/memory/docker/1f/memory.stat", limited);
  CHECK(cpu::available_memory_bytes(root.path()) == 2000 * mib);
}
