// What carries gradients: the links between the GPUs of one node, and the network between nodes.
// Speeds are what collective libraries achieve, as a share of the nominal rate.
//
// Shares, published: NCCL's bus bandwidth on NVSwitch is 0.75-0.8 of a direction's rate, on
// InfiniBand with a card for every GPU 0.9 of the line. Fitted to published scaling: half of
// NVSwitch's share where the GPUs are a mesh (Pascal, Volta; taken for AMD's MI250 too), 0.6 of one
// InfiniBand or RoCE card that several GPUs share by way of the host. A peer copy over PCIe 3.0 x16
// runs at 11 of 15.75 GB/s (MXNet's kvstore figures, 11.1 GB/s between two GPUs, agree). Sockets
// between cloud machines carry 0.65 of a line of 10 Gb/s (what Gavel's P100 and V100 on machines of
// their own show), 4 GB/s at most. Not stated, a PCIe card has the generation of its time (4.0 from
// Ampere on, 5.0 from Hopper on), and its host has the memory of that time: 77 GB/s a socket beside
// PCIe 3.0 (four DDR4-2400), 205 beside 4.0 (eight DDR4-3200), 307 and more beside 5.0 (eight
// DDR5-4800), and no bus between two sockets to cross where one has lanes enough: 4 and 8 times as
// much, assumed.
#pragma once

#include <string>

#include "models/laws/gpu_rate.h"
#include "models/laws/interconnect_words.h"

namespace rightsize {

// The links of a GPU. Each of eight MI300X has a link of its own to each of the others and no
// switch: of 448 GB/s in all RCCL reaches 310 to 330, and two GPUs have but the one between them
// (ROCm/rocm-blogs, "Understanding RCCL bandwidth and xGMI performance on AMD Instinct MI300X",
// March 2025). MI325X's, MI350X's and MI355X's eight are joined alike.
struct Interconnect {
  NodeLink link = NodeLink::host;
  double link_bytes_per_s = 0;  // one GPU with all others, one direction, achieved
  int links_apart = 1;          // that are each to another GPU, and only part of it used by fewer
  double link_latency_s = 0;    // per step of a collective
  // What the host's memory passes on, relative to a machine with PCIe 3.0.
  double host_speed = 1;
  Fabric fabric = Fabric::ethernet;
  double fabric_bytes_per_s = 0;  // one node, one direction, achieved
  double fabric_latency_s = 0;
  bool assumed = false;  // a part that matters was not stated
  std::string text;      // "NVLink 115 GB/s; infiniband 100 Gb/s"
};

// Of the links, what `gpus` of a node reach among themselves: one GPU, one direction.
[[nodiscard]] double bytes_per_s_among(const Interconnect& links, int gpus);

// Whether such a link, NVLink's bridge among them, has nowhere to go on this GPU.
[[nodiscard]] bool has_no(NodeLink link, const GpuSpec& gpu);

// The links of `gpus` of this kind in each of `nodes`. What was not said is the usual: NVLink or
// Infinity Fabric where the GPU has it, else PCIe x16 of the GPU's time through the host; between
// nodes InfiniBand, 100 Gb/s of it a node, or 200 Gb/s a GPU from Ampere's NVLink machines on.
[[nodiscard]] Interconnect interconnect_of(const InterconnectWords& words,
                                           const GpuSpec& gpu,
                                           int gpus_per_node,
                                           int nodes);

}  // namespace rightsize
