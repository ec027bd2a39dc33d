// Path logic and values on a fake machine; throttle_real_test.cpp has the kernel's answers.
#include "profiler/throttle/throttle.h"

#include <doctest/doctest.h>

#include "profiler/throttle/cgroup_layout.h"
#include "profiler/throttle/cgroup_v1.h"
#include "profiler/throttle/cgroup_v2.h"
#include "profiler/throttle/cpu_choice.h"
#include "profiler/throttle/unprivileged.h"
#include "support/approx.h"
#include "support/temporary_folder.h"

using namespace rightsize;

namespace {

const BlockDevice disk{"254:0", "vda"};

void make_v1_machine(const TemporaryFolder& root) {
  root.write("proc/self/mountinfo",
             "1 0 0:30 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
             "2 0 0:31 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
             "3 0 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n"
             "4 0 0:33 / /cg/blkio rw - cgroup cgroup rw,blkio\n"
             "5 0 0:34 / /cg/unified rw - cgroup2 cgroup2 rw\n");
  root.write("proc/self/cgroup", "4:memory:/somebody\n0::/\n");
  root.write("cg/cpu/x", "");
  root.write("cg/cpuset/cpuset.mems", "0-1\n");
  root.write("cg/memory/x", "");
  root.write("cg/blkio/x", "");
  root.write("cg/unified/cgroup.controllers", "hugetlb\n");
}

void make_v2_machine(const TemporaryFolder& root, const std::string& self) {
  root.write("proc/self/mountinfo", "5 0 0:34 / /cg rw - cgroup2 cgroup2 rw\n");
  root.write("proc/self/cgroup", "0::" + self + "\n");
  root.write("cg/cgroup.controllers", "cpuset cpu io memory pids\n");
  root.write("cg/cgroup.subtree_control", "\n");
}

// The part of a group's path that the fake root knows.
std::string below(const TemporaryFolder& root, const CgroupGroup& group, const std::string& file) {
  return root.read(group.path().substr(root.path().size() + 1) + "/" + file);
}

}  // namespace

TEST_CASE("layout: v1 mounts, joint mounts and a poor v2 beside them are told apart") {
  const TemporaryFolder root;
  make_v1_machine(root);
  const auto layout = read_cgroup_layout(root.path());
  CHECK(layout.v1.at("cpu") == root.path() + "/cg/cpu");
  CHECK(layout.v1.at("cpuacct") == root.path() + "/cg/cpu");
  CHECK(layout.v1.at("memory") == root.path() + "/cg/memory");
  CHECK(layout.v2 == root.path() + "/cg/unified");
  CHECK(layout.v2_controllers == std::set<std::string>{"hugetlb"});
  std::string reason;
  CHECK_FALSE(find_v2_parent(layout, {"memory"}, reason).has_value());
  CHECK(reason == "cgroup v2 has [hugetlb], needed are [memory]");
}

TEST_CASE("layout: only our own names are recognised as ours") {
  CHECK(maker_of_group("rightsize.123.0") == 123);
  CHECK_FALSE(maker_of_group("rightsize.123").has_value());
  CHECK_FALSE(maker_of_group("rightsize.x.0").has_value());
  CHECK_FALSE(maker_of_group("rightsize.-5.0").has_value());
  CHECK_FALSE(maker_of_group("system.slice").has_value());
}

TEST_CASE("cpu choice: a whole number takes that many CPUs, a fraction needs a quota too") {
  const std::vector<int> four{0, 1, 2, 3};
  CHECK(choose_cpus(2, four).cpus == std::vector<int>{2, 3});
  CHECK_FALSE(choose_cpus(2, four).quota);
  CHECK(choose_cpus(1.5, four).cpus == std::vector<int>{2, 3});
  CHECK(choose_cpus(1.5, four).quota);
  CHECK(choose_cpus(3.5, four).cpus.empty());
  CHECK(choose_cpus(3.5, four).quota);
  CHECK(choose_cpus(0, four).cpus.empty());
  CHECK(choose_cpus(8, four).cpus.empty());
  CHECK_FALSE(choose_cpus(8, four).quota);
  CHECK(cpu_list({2, 3}) == "2,3");
}

TEST_CASE("cpu choice: where nobody says which CPUs there are, a quota holds the limit") {
  CHECK(choose_cpus(2, {}).cpus.empty());
  CHECK(choose_cpus(2, {}).quota);
  CHECK_FALSE(choose_cpus(0, {}).quota);
}

TEST_CASE("cpu quota: the share of the period is what was asked, however little") {
  for (const double cpus : {0.002, 0.05, 0.1, 0.25, 1.5, 64.0}) {
    CAPTURE(cpus);
    const auto [quota_us, period_us] = cpu_quota(cpus);
    CHECK(quota_us >= 1'000);  // the kernel takes no less, and no longer period
    CHECK(period_us <= 1'000'000);
    CHECK(static_cast<double>(quota_us) / period_us == test::approx(cpus));
  }
  CHECK(cpu_quota(0.5).period_us == 10'000);
}

TEST_CASE("cgroup v1: controllers that share a mount share a group, a cpuset's with its nodes") {
  const TemporaryFolder root;
  root.write("proc/self/mountinfo", "1 0 0:30 / /cg rw - cgroup cgroup rw,cpuset,cpu,cpuacct\n");
  root.write("proc/self/cgroup", "1:cpuset,cpu,cpuacct:/\n");
  root.write("cg/cpuset.mems", "0\n");
  root.write("cg/cpuset.cpus", "0-1\n");
  Limits limits;
  limits.cpus = static_cast<double>(allowed_cpus().size()) + 0.5;  // of more than there are: no set
  const CgroupV1 counted(limits, read_cgroup_layout(root.path()), std::nullopt);
  REQUIRE(counted.group("cpuacct") != nullptr);
  CHECK(below(root, *counted.group("cpuacct"), "cpuset.mems") == "0");
  CHECK(below(root, *counted.group("cpuacct"), "cpuset.cpus") == "0-1");
  limits.cpus = 0.5;
  const CgroupV1 limited(limits, read_cgroup_layout(root.path()), std::nullopt);
  REQUIRE(limited.group("cpu") != nullptr);
  CHECK(limited.group("cpu") == limited.group("cpuacct"));
  CHECK(limited.group("cpu")->path() != counted.group("cpuacct")->path());
  CHECK(below(root, *limited.group("cpu"), "cpu.cfs_quota_us") == "5000");
}

TEST_CASE("cgroup v1: every limit goes to a leaf group of its own, in the kernel's words") {
  const TemporaryFolder root;
  make_v1_machine(root);
  Limits limits;
  limits.cpus = 0.25;
  limits.memory_bytes = 512ULL << 20;
  limits.disk_read_bytes_per_s = 40e6;
  limits.disk_read_iops = 500;
  limits.disk_write_bytes_per_s = 20e6;
  const CgroupV1 throttle(limits, read_cgroup_layout(root.path()), disk);
  REQUIRE(throttle.group("cpu") != nullptr);
  CHECK(below(root, *throttle.group("cpu"), "cpu.cfs_period_us") == "10000");
  CHECK(below(root, *throttle.group("cpu"), "cpu.cfs_quota_us") == "2500");
  CHECK(below(root, *throttle.group("memory"), "memory.limit_in_bytes") == "536870912");
  // Mounted together: a process that joined another group there would leave the quota's.
  CHECK(throttle.group("cpuacct") == throttle.group("cpu"));
  REQUIRE(throttle.group("blkio") != nullptr);
  CHECK(below(root, *throttle.group("blkio"), "blkio.throttle.read_bps_device") ==
        "254:0 40000000");
  CHECK(below(root, *throttle.group("blkio"), "blkio.throttle.read_iops_device") == "254:0 500");
  CHECK(below(root, *throttle.group("blkio"), "blkio.throttle.write_bps_device") ==
        "254:0 20000000");
  if (allowed_cpus().size() > 1) {
    CHECK(below(root, *throttle.group("cpuset"), "cpuset.mems") == "0-1");
    CHECK(below(root, *throttle.group("cpuset"), "cpuset.cpus") ==
          std::to_string(allowed_cpus().back()));
  }
  REQUIRE(throttle.notes().size() == 1);  // buffered writes
  CHECK(throttle.notes()[0].find("direct and synchronous writes only") != std::string::npos);
}

TEST_CASE("cgroup v1: a disk limit without a block device is a note, not a silence") {
  const TemporaryFolder root;
  make_v1_machine(root);
  Limits limits;
  limits.disk_read_bytes_per_s = 40e6;
  const CgroupV1 throttle(limits, read_cgroup_layout(root.path()), std::nullopt);
  CHECK(throttle.loader_read_bytes_per_s() == 40e6);  // the loader does what it can
  CHECK(throttle.not_imposed().empty());
  limits.disk_read_iops = 100;
  const CgroupV1 harder(limits, read_cgroup_layout(root.path()), std::nullopt);
  CHECK(harder.not_imposed() == std::vector<std::string>{"disk read IOPS"});
  limits = {};
  limits.disk_write_bytes_per_s = 20e6;
  const CgroupV1 written(limits, read_cgroup_layout(root.path()), std::nullopt);
  CHECK(written.not_imposed() == std::vector<std::string>{"disk write"});
  CHECK(written.notes().size() == 1);  // none says which writes it holds for
}

TEST_CASE(
    "make_throttle: a scope without io keeps its memory limit and leaves reads to the loader") {
  const TemporaryFolder root;
  make_v2_machine(root, "/user/scope");
  root.write("cg/cgroup.controllers", "cpu memory\n");
  root.write("cg/user/cgroup.controllers", "cpu memory\n");
  root.write("cg/user/cgroup.subtree_control", "cpu memory\n");
  root.write("cg/user/scope/x", "");
  Limits limits;
  limits.memory_bytes = 1ULL << 30;
  limits.disk_read_bytes_per_s = 40e6;
  limits.disk_write_bytes_per_s = 40e6;
  const auto throttle = make_throttle(limits, {"/", true, root.path()});
  CHECK(throttle->kind() == "cgroup v2");
  CHECK(throttle->loader_read_bytes_per_s() == 40e6);
  CHECK(throttle->not_imposed() == std::vector<std::string>{"disk write"});
}

TEST_CASE("make_throttle: a v1 machine without blkio still limits memory") {
  const TemporaryFolder root;
  root.write("proc/self/mountinfo", "3 0 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n");
  root.write("cg/memory/x", "");
  Limits limits;
  limits.memory_bytes = 1ULL << 30;
  limits.disk_read_bytes_per_s = 40e6;
  const auto throttle = make_throttle(limits, {"/", true, root.path()});
  CHECK(throttle->kind() == "cgroup v1");
  CHECK(throttle->not_imposed().empty());
  CHECK(throttle->loader_read_bytes_per_s() == 40e6);
}

TEST_CASE("cgroup v2: limits go into one group under a node that hands the controllers down") {
  const TemporaryFolder root;
  make_v2_machine(root, "/");
  Limits limits;
  limits.cpus = 0.25;
  limits.memory_bytes = 512ULL << 20;
  limits.disk_read_bytes_per_s = 40e6;
  limits.disk_write_iops = 100;
  const auto layout = read_cgroup_layout(root.path());
  std::string reason;
  const auto parent = find_v2_parent(layout, v2_controllers_for(limits), reason);
  REQUIRE(parent == root.path() + "/cg");
  CHECK_FALSE(root.read("cg/cgroup.subtree_control").empty());
  const CgroupV2 throttle(limits, *parent, disk, v2_controllers_for(limits));
  CHECK(below(root, throttle.group(), "cpu.max") == "2500 10000");
  CHECK(below(root, throttle.group(), "memory.max") == "536870912");
  CHECK(below(root, throttle.group(), "memory.swap.max") == "0");
  CHECK(below(root, throttle.group(), "io.max") == "254:0 rbps=40000000 wiops=100");
}

TEST_CASE("cgroup v2: usage is read in the kernel's units") {
  const TemporaryFolder root;
  make_v2_machine(root, "/");
  const CgroupV2 throttle({}, root.path() + "/cg", std::nullopt, {"memory"});
  const auto folder = throttle.group().path().substr(root.path().size() + 1);
  root.write(folder + "/cpu.stat", "usage_usec 2500000\nnr_periods 40\nnr_throttled 10\n");
  root.write(folder + "/memory.peak", "1048576\n");
  root.write(folder + "/memory.stat", "anon 5\nfile 4096\n");
  root.write(folder + "/memory.events", "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\n");
  const auto usage = throttle.usage();
  CHECK(usage.cpu_s == 2.5);
  CHECK(usage.periods == 40);
  CHECK(usage.throttled_periods == 10);
  CHECK(usage.memory_peak_bytes == 1048576);
  CHECK(usage.cache_bytes == 4096);
  CHECK(usage.oom_kills == 1);
  CHECK(usage.memory_limit_hits == 7);
}

TEST_CASE("cgroup v2: the nearest delegated ancestor is preferred to the root") {
  const TemporaryFolder root;
  make_v2_machine(root, "/user/app/scope");
  root.write("cg/user/cgroup.controllers", "cpu memory\n");
  root.write("cg/user/cgroup.subtree_control", "cpu memory\n");
  root.write("cg/user/app/cgroup.controllers", "cpu memory\n");
  root.write("cg/user/app/cgroup.subtree_control", "cpu memory\n");
  root.write("cg/user/app/scope/x", "");
  std::string reason;
  const auto layout = read_cgroup_layout(root.path());
  CHECK(find_v2_parent(layout, {"memory"}, reason) == root.path() + "/cg/user/app");
  // io is known to the root only
  CHECK(find_v2_parent(layout, {"io"}, reason) == root.path() + "/cg");
}

TEST_CASE("unprivileged: what affinity and a token bucket cannot do is said") {
  Limits limits;
  limits.cpus = 0.5;
  limits.memory_bytes = 1;
  limits.disk_read_bytes_per_s = 40e6;
  const Unprivileged throttle(limits, "no rights");
  CHECK(throttle.not_imposed() == std::vector<std::string>{"cpu", "memory"});
  CHECK(throttle.loader_read_bytes_per_s() == 40e6);
  REQUIRE(throttle.notes().size() == 3);
  CHECK(throttle.notes()[1] == "memory limit not imposed: it needs a control group (no rights)");
}

TEST_CASE("probe: a machine without control groups offers the fallback, a reason and a remedy") {
  const TemporaryFolder root;
  const auto found = probe_throttles(root.path());
  REQUIRE(found.size() == 4);
  CHECK(found[0].limit == "cpu");
  CHECK(found[0].possible);
  CHECK(found[0].how == "CPU affinity: whole CPUs only");
  CHECK_FALSE(found[1].possible);
  CHECK(found[1].reason ==
        "no cgroup v2 is mounted; the cgroup v1 controller memory is not mounted");
  CHECK(found[1].remedy.find("systemd-run") != std::string::npos);
}

TEST_CASE("probe: the fake v1 machine can do everything by cgroup v1") {
  const TemporaryFolder root;
  make_v1_machine(root);
  for (const auto& capability : probe_throttles(root.path())) {
    CHECK(capability.possible);
    CHECK(capability.how.find("cgroup v1 (") == 0);
  }
}
