// A machine that is asked about, measured or not, as text or as a TOML file with the same keys:
//   gpu=P100-SXM2:8,vcpus=40,memory=512GiB,disk=ssd:500GiB,link=nvlink,nodes=2,net=ib:100,cpu=...
// gpu, vcpus, memory and disk are one node's; what is not said is left open, never 0.
#pragma once

#include <optional>
#include <string>

#include "models/laws/interconnect.h"

namespace rightsize {

// That any one machine has: HGX-2, a2-megagpu-16g.
inline constexpr int largest_gpus = 16;

struct MachineSpec {
  std::string gpu;  // as canonical_gpu_name() gives it; "": no accelerator
  int gpus_per_node = 0;
  std::optional<double> gpu_memory_gib;  // where it is stated: some GPUs are sold with two sizes
  int nodes = 1;
  std::optional<double> vcpus;
  bool looked_for = false;  // vCPUs and disk are what a command looks for: nothing is said of them
  std::optional<double> memory_gib;
  std::string disk;      // "", "nvme", "80MB/s", "cloud_ssd:500GiB": disk_named() knows them
  std::string cpu;       // a model's name or an EC2 type
  std::string provider;  // whose instance it is; "": described by its parts
  std::string instance;  // likewise, as price tables call it
  InterconnectWords interconnect;
  std::string unread_interconnect;  // what of its words nobody knows
  bool nodes_assumed = false;  // so many GPUs are in no one machine, and nobody said how many it is

  [[nodiscard]] int gpus() const { return gpus_per_node * nodes; }
};

// `text` is a specification, or the path of a TOML file. Throws UsageError naming the key and, for
// a file, the line; an unknown key comes with the nearest one.
[[nodiscard]] MachineSpec parse_machine_spec(const std::string& text,
                                             const std::string& place = "--machine");

// "p3.16xlarge 8 x V100, 64 vCPU, 488 GiB": one line for headings.
[[nodiscard]] std::string to_text(const MachineSpec& machine);

}  // namespace rightsize
