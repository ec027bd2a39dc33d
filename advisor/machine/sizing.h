// The smallest machine around an accelerator: how many vCPUs, how fast a disk and how much memory
// keep it busy for a given share of the time, without asking what anybody rents. Each need is found
// with the others plentiful, and then what all of them take together: a host on which everything is
// just enough is not. Memory and disk trade against each other through the page cache, and that
// curve is given too.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/machine/estimator.h"

namespace rightsize {

struct SizePoint {
  double amount = 0;
  double utilisation = 0;  // of the accelerator, 0..1
};

// One resource: the least amount, its 90 % interval, and what less or more of it would do.
struct SizeNeed {
  std::string resource;  // "vcpus", "disk", "memory"
  std::string unit;      // "vCPU", "MB/s", "GiB"
  double amount = 0;     // 0: any; infinity: no amount is enough, as contention eats what is added
  double low = 0;
  double high = 0;
  std::string reason;  // what asks for it, a sentence
  std::vector<SizePoint> curve;
};

// With this much memory, a disk this fast is enough.
struct DiskForMemory {
  double memory_gib = 0;
  double disk_bytes_per_s = 0;  // infinity: no disk is
  double hit_ratio = 0;
};

// What does at once, nothing cached; 0 of the disk: any.
struct SizeTogether {
  double cpus = 0;
  double disk_bytes_per_s = 0;
};

struct Sizing {
  Answer answer;  // the accelerator's own throughput, as if the host cost nothing; or why not
  double target = 0.95;
  std::vector<SizeNeed> needs;
  std::optional<SizeTogether> together;  // nullopt: nothing near the single needs does
  std::string shortfall;  // a sentence: no amount of a resource reaches the target; else empty
  bool reads_data = false;           // from a disk
  std::vector<DiskForMemory> trade;  // empty for data that is in memory anyway, or is read once

  // Of the machine that is named: what does together, or each by itself where nothing near does.
  // Only with needs.
  [[nodiscard]] double cpus() const { return together ? together->cpus : needs[0].amount; }
  [[nodiscard]] double disk_bytes_per_s() const {
    return together ? together->disk_bytes_per_s : 1e6 * needs[1].amount;
  }
};

// For the GPU, the number of GPUs and the CPU of `asked.machine`; its vCPUs, memory and disk are
// what is looked for. `target` in (0, 1). Where preprocessing may be done in either place it is
// where predict would do it on the machine that is found, and a note says so.
[[nodiscard]] Sizing size_machine(Estimator& estimator, const Configuration& asked, double target);

// The same with the place settled: cpu or gpu.
[[nodiscard]] Sizing size_placed(Estimator& estimator,
                                 const Configuration& asked,
                                 PreprocessChoice where,
                                 double target);

}  // namespace rightsize
