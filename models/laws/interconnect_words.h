// Links as people write them ("PCIe 3.0 x16", "NVLink; 25GbE", "xGMI", "InfiniBand 100 Gb/s"):
// what is said, and what is left open.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rightsize {

// Nominal, one direction.
inline constexpr double pcie3_x16_bytes_per_s = 15.75e9;

// host: PCIe without peer access, every byte between GPUs goes through host memory (most cloud
// machines). peer: PCIe with peer access over switches. nvlink: NVLink or NVSwitch. xgmi: AMD's
// Infinity Fabric.
enum class NodeLink { host, peer, nvlink, xgmi };
// efa: of AWS. tcpx: Google's GPUDirect-TCPX and TCPXO, which pass the host's sockets by. Both are
// counted with the figures of RoCE, their own were not published.
enum class Fabric { ethernet, roce, efa, tcpx, infiniband };

[[nodiscard]] std::string_view to_string(NodeLink link);
[[nodiscard]] std::string_view to_string(Fabric fabric);

// What words say, before the GPU's own links fill the gaps.
struct InterconnectWords {
  std::optional<NodeLink> link;
  bool switched = false;        // NVSwitch
  int pcie_generation = 0;      // 3 of "PCIe 3.0 x8"; 0: not said
  double link_bytes_per_s = 0;  // nominal, one direction; 0: not said
  std::optional<Fabric> fabric;
  double fabric_gbit_per_s = 0;  // of the node; 0: not said
};

// nullopt when `text` is not empty and not a word of it is known.
[[nodiscard]] std::optional<InterconnectWords> parse_interconnect(std::string_view text);

// Of its parts those without a known word, as "cray aries" in "PCIe; Cray Aries"; "" for none.
[[nodiscard]] std::string unread_interconnect(std::string_view text);

}  // namespace rightsize
