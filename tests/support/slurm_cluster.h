// A real Slurm cluster of two nodes on this machine, for one test: its own munged, slurmctld and
// two slurmd, in a folder of its own, stopped by their process ids with the object.
#pragma once

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/said_by.h"
#include "support/temporary_folder.h"

namespace rightsize::test {

class SlurmCluster {
 public:
  // Empty when a cluster can be started here, else why not.
  static std::string missing() {
    if (geteuid() != 0) {
      return "slurmd needs root";
    }
    for (const auto* program : {"slurmctld", "slurmd", "sbatch", "squeue", "munged"}) {
      if (said_by(fmt::format("command -v {}", program)).code != 0) {
        return fmt::format("{} is not installed (./dev setup installs slurm-wlm and munge)",
                           program);
      }
    }
    return {};
  }

  SlurmCluster() {
    said_by(
        fmt::format("dd if=/dev/urandom of={0}/key bs=1024 count=1; chmod 400 {0}/key; "
                    "chmod 755 {0}; mkdir {0}/state",
                    folder_.path()));
    folder_.write("slurm.conf", configuration());
    // Slurm wants a device for each GPU it counts, and asks nothing of it.
    folder_.write("gres.conf",
                  "NodeName=n1 Name=gpu Type=v100 File=/dev/null\n"
                  "NodeName=n2 Name=gpu Type=h100 File=/dev/zero\n");
    folder_.write("cgroup.conf", "CgroupAutomount=no\nCgroupPlugin=cgroup/v1\n");
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    start("munged",
          {"munged",
           "--foreground",
           "--force",
           "--socket=" + (folder_ / "socket"),
           "--key-file=" + (folder_ / "key"),
           "--pid-file=" + (folder_ / "munged.pid"),
           "--log-file=" + (folder_ / "munged.log"),
           "--seed-file=" + (folder_ / "seed")});
    wait_until([&] { return access((folder_ / "socket").c_str(), F_OK) == 0; });
    start("slurmctld", {"slurmctld", "-D", "-c"});
    for (const auto* node : {"n1", "n2"}) {
      start(node, {"slurmd", "-D", "-N", node});
    }
    ready_ = wait_until(
        [] { return said_by("timeout 5 sinfo -h -N -o '%N %T'").out == "n1 idle\nn2 idle\n"; });
  }
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;
  ~SlurmCluster() {
    said_by("timeout 10 scancel --signal=KILL --full $(timeout 5 squeue -h -o %A)");
    wait_until([&] { return queue().empty(); }, 20);
    for (const auto* name : {"n1", "n2", "slurmctld", "munged"}) {
      stop(name, SIGTERM);
    }
    unsetenv("SLURM_CONF");
  }

  [[nodiscard]] bool ready() const { return ready_; }

  // "17_1 RUNNING n1" per line; empty when all is through.
  [[nodiscard]] static std::string queue() {
    return said_by("timeout 5 squeue -h -o '%i %T %N'").out;
  }

  // Ends the daemon and reaps it.
  void stop(const std::string& name, int signal) {
    const auto found = pids_.find(name);
    if (found == pids_.end()) {
      return;
    }
    kill(found->second, signal);
    for (int i = 0; i < 50 && waitpid(found->second, nullptr, WNOHANG) == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (i == 49) {
        kill(found->second, SIGKILL);
        waitpid(found->second, nullptr, 0);
      }
    }
    pids_.erase(found);
  }

  template <typename Condition>
  static bool wait_until(Condition&& condition, int seconds = 30) {
    for (int i = 0; i < 5 * seconds; ++i) {
      if (condition()) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    return false;
  }

 private:
  // Ports by process id, so that two checkouts may test at once. Short timeouts: the death of a
  // node is noticed in seconds, and its task need not wait for an old credential to expire.
  [[nodiscard]] std::string configuration() const {
    const auto host = said_by("hostname -s").out;
    const auto name = host.substr(0, host.find('\n'));
    const int port = 20000 + 4 * (getpid() % 8000);
    return fmt::format(
        "ClusterName=test\nSlurmctldHost={0}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\n"
        "AuthType=auth/munge\nAuthInfo=socket={1}/socket,cred_expire=5\nCredType=cred/munge\n"
        "SlurmctldPort={2}\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
        "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMpiDefault=none\n"
        "SlurmctldPidFile={1}/slurmctld.pid\nSlurmctldLogFile={1}/slurmctld.log\n"
        "SlurmdSpoolDir={1}/spool-%n\nSlurmdPidFile={1}/slurmd-%n.pid\n"
        "SlurmdLogFile={1}/slurmd-%n.log\nStateSaveLocation={1}/state\nReturnToService=2\n"
        "SlurmdTimeout=4\nMessageTimeout=3\nSlurmdParameters=config_overrides\n"
        "AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n"
        "GresTypes=gpu\n"
        "NodeName=n1 NodeHostname={0} NodeAddr=127.0.0.1 Port={3} CPUs=1 RealMemory=500 "
        "Gres=gpu:v100:1\n"
        "NodeName=n2 NodeHostname={0} NodeAddr=127.0.0.1 Port={4} CPUs=1 RealMemory=500 "
        "Gres=gpu:h100:1\n"
        "PartitionName=main Nodes=n1,n2 Default=YES State=UP\n",
        name,
        folder_.path(),
        port,
        port + 1,
        port + 2);
  }

  void start(const std::string& name, std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (auto& word : words) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const auto log = folder_ / (name + ".out");
    const pid_t pid = fork();
    if (pid == 0) {
      const int out = open(log.c_str(), O_WRONLY | O_CREAT, 0644);
      dup2(out, STDOUT_FILENO);
      dup2(out, STDERR_FILENO);
      execvp(arguments[0], arguments.data());
      _exit(127);
    }
    pids_[name] = pid;
  }

  TemporaryFolder folder_;
  std::map<std::string, pid_t> pids_;
  bool ready_ = false;
};

}  // namespace rightsize::test
