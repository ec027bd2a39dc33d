#include "models/laws/interconnect.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

constexpr double nvswitch_share = 0.77;
constexpr double nvlink_share = 0.39;  // rings through a mesh of GPUs
constexpr double xgmi_share = 0.71;    // of links that are each to another GPU
constexpr int gpus_joined_in_pairs = 8;
constexpr double pcie_share = 0.70;
// Of copies from and to one other device: 25 GB/s of PCIe 4.0 x16 (pinned memory; a card of
// 200 Gb/s beside an A100 is full).
constexpr double pcie_copy_share = 0.80;
constexpr double infiniband_share = 0.90;
constexpr double roce_share = 0.85;
// Of either where several GPUs share a card by way of the host; from one share to the other as the
// line of each GPU grows.
constexpr double shared_card_share = 0.60;
// What passes by way of the host whatever the line: the same of a card of 100 Gb/s. Slower lines
// are full before it.
constexpr double shared_card_bytes_per_s = 7.5e9;
constexpr double shared_gbit_a_gpu = 25;
constexpr double own_gbit_a_gpu = 100;
constexpr double tcp_share = 0.65;
constexpr double tcp_most_bytes_per_s = 4e9;  // one node's sockets, whatever the line

constexpr double nvlink_latency_s = 6e-6;
constexpr double pcie_latency_s = 15e-6;
constexpr double infiniband_latency_s = 8e-6;  // with the library's own work per step
constexpr double roce_latency_s = 12e-6;
constexpr double ethernet_latency_s = 50e-6;

// Links of both directions together, by architecture, where the table of GPUs does not say: of
// CDNA2 MI210's bridge, three links of 100 GB/s.
double usual_link_gbs(const GpuSpec& gpu) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> rates{{{"Pascal", 160},
                                                                             {"Volta", 300},
                                                                             {"Ampere", 600},
                                                                             {"Hopper", 900},
                                                                             {"Blackwell", 1800},
                                                                             {"CDNA2", 300}}};
  for (const auto& [arch, rate] : rates) {
    if (gpu.arch == arch) {
      return gpu.link_gbs > 0 ? gpu.link_gbs : rate;
    }
  }
  return gpu.link_gbs;
}

// Pascal's and Volta's machines have no switch between their GPUs (but DGX-2, whose is stated), and
// not every two of them are joined; so it is with MI250, and with chips in a torus, as AWS's and
// Google's are.
bool is_meshed(const GpuSpec& gpu) {
  return gpu.arch == "Pascal" || gpu.arch == "Volta" || gpu.arch == "CDNA2" ||
         is_compiled_whole(gpu);
}

bool comes_with_links(const GpuSpec& gpu) {
  return (gpu.link_gbs > 0 && gpu.name.find("PCIe") == std::string::npos) ||
         gpu.name.find("SXM") != std::string::npos;
}

// PCIe of the GPU's time.
int usual_pcie_generation(const GpuSpec& gpu) {
  const bool sixth = gpu.name.find("B300") != std::string::npos;
  const bool fifth =
      gpu.arch == "Hopper" || gpu.arch == "Blackwell" || gpu.arch == "CDNA3" || gpu.arch == "CDNA4";
  const bool fourth = gpu.arch == "Ampere" || gpu.arch == "Ada" || gpu.arch == "CDNA2";
  return sixth ? 6 : fifth ? 5 : fourth ? 4 : 3;
}

// Of the GPU's own link to its host, one direction, nominal: sixteen lanes where nothing is said.
double pcie_bytes_per_s(const InterconnectWords& words, const GpuSpec& gpu) {
  return words.link_bytes_per_s > 0
             ? words.link_bytes_per_s
             : std::ldexp(pcie3_x16_bytes_per_s, usual_pcie_generation(gpu) - 3);
}

// A host of that generation; fewer lanes say nothing about the host.
double host_speed_beside(int pcie_generation) {
  return pcie_generation >= 5 ? 8 : pcie_generation == 4 ? 4 : 1;
}

// NVLink or Infinity Fabric between all GPUs of a node.
void set_links(Interconnect& result, const GpuSpec& gpu, bool switched) {
  const double both_ways = usual_link_gbs(gpu);
  const bool joined_in_pairs = result.link == NodeLink::xgmi && !is_meshed(gpu);
  const double share = joined_in_pairs               ? xgmi_share
                       : is_meshed(gpu) && !switched ? nvlink_share
                                                     : nvswitch_share;
  result.link_bytes_per_s =
      both_ways > 0 ? both_ways / 2 * 1e9 * share : pcie3_x16_bytes_per_s * pcie_share;
  result.links_apart = joined_in_pairs ? gpus_joined_in_pairs - 1 : 1;
  result.link_latency_s = nvlink_latency_s;
}

void set_fabric(Interconnect& result,
                const InterconnectWords& words,
                double usual_gbit,
                int gpus_per_node) {
  result.fabric = words.fabric.value_or(Fabric::infiniband);
  const double gbit = words.fabric_gbit_per_s > 0 ? words.fabric_gbit_per_s : usual_gbit;
  const double line = gbit * 1e9 / 8;
  const double own_card = gpus_per_node > 1
                              ? std::clamp((gbit / gpus_per_node - shared_gbit_a_gpu) /
                                               (own_gbit_a_gpu - shared_gbit_a_gpu),
                                           0.0,
                                           1.0)
                              : 1;
  const auto reached = [&](double share) {
    return std::max(line * (shared_card_share + own_card * (share - shared_card_share)),
                    std::min(line * share, shared_card_bytes_per_s));
  };
  switch (result.fabric) {
    case Fabric::infiniband:
      result.fabric_bytes_per_s = reached(infiniband_share);
      result.fabric_latency_s = infiniband_latency_s;
      break;
    case Fabric::roce:
    case Fabric::efa:
    case Fabric::tcpx:
      result.fabric_bytes_per_s = reached(roce_share);
      result.fabric_latency_s = roce_latency_s;
      break;
    case Fabric::ethernet:
      result.fabric_bytes_per_s = std::min(line * tcp_share, tcp_most_bytes_per_s);
      result.fabric_latency_s = ethernet_latency_s;
      break;
  }
  result.text += fmt::format(
      "{}{} {:g} Gb/s a node", result.text.empty() ? "" : "; ", to_string(result.fabric), gbit);
  if (result.fabric == Fabric::ethernet && line * tcp_share > tcp_most_bytes_per_s) {
    result.text +=
        fmt::format(", of which its sockets pass {:.0f} GB/s", tcp_most_bytes_per_s / 1e9);
  }
}

// What goes from node to node has come from the GPUs, through the link that each of them has.
void hold_fabric(Interconnect& result, double gpu_bytes_per_s, int gpus_per_node) {
  const double most = gpus_per_node * gpu_bytes_per_s * pcie_copy_share;
  if (result.fabric_bytes_per_s > most) {
    result.fabric_bytes_per_s = most;
    result.text += fmt::format(", of which the PCIe of its GPUs passes {:.0f} GB/s", most / 1e9);
  }
}

}  // namespace

double bytes_per_s_among(const Interconnect& links, int gpus) {
  const double used = std::max(1, gpus - 1);
  return links.link_bytes_per_s * std::min(1.0, used / links.links_apart);
}

// P100 is the card for PCIe: that with NVLink is P100-SXM2.
bool has_no(NodeLink link, const GpuSpec& gpu) {
  if (link == NodeLink::xgmi) {
    return !is_instinct(gpu);
  }
  if (link != NodeLink::nvlink) {
    return false;
  }
  static constexpr std::array<std::string_view, 26> without{
      "P4",       "P40",      "P4000",     "P5000",       "P6000",   "P100", "TitanX-Pascal",
      "Titan-Xp", "Titan-V",  "V100-PCIe", "V100S",       "T4",      "T4g",  "RTX-2060",
      "RTX-2070", "RTX-4000", "A2",        "A10",         "A10G",    "A16",  "A4000",
      "RTX-3060", "RTX-3070", "RTX-3080",  "RTX-3080-Ti", "RTX-5090"};
  return gpu.arch == "Kepler" || gpu.arch == "Maxwell" || gpu.arch == "Ada" || is_instinct(gpu) ||
         is_compiled_whole(gpu) || gpu.name.starts_with("GTX-") ||
         gpu.name.starts_with("RTX-PRO-") ||
         std::find(without.begin(), without.end(), gpu.name) != without.end();
}

Interconnect interconnect_of(const InterconnectWords& words,
                             const GpuSpec& gpu,
                             int gpus_per_node,
                             int nodes) {
  Interconnect result;
  const bool by_default = comes_with_links(gpu);
  const auto own_link = is_instinct(gpu) ? NodeLink::xgmi : NodeLink::nvlink;
  result.link = words.link.value_or(by_default ? own_link : NodeLink::host);
  const bool speed_said = words.fabric && words.fabric_gbit_per_s > 0;
  result.assumed = (gpus_per_node > 1 && !words.link) || (nodes > 1 && !speed_said);
  if (result.link == own_link) {
    set_links(result, gpu, words.switched);
  } else {
    result.link_bytes_per_s = pcie_bytes_per_s(words, gpu) * pcie_share;
    result.link_latency_s = pcie_latency_s;
    result.host_speed = host_speed_beside(words.pcie_generation > 0 ? words.pcie_generation
                                                                    : usual_pcie_generation(gpu));
  }
  if (gpus_per_node > 1) {
    // Such chips have links of their own, which go by NVLink's law.
    const bool own = is_compiled_whole(gpu) && result.link == own_link;
    result.text = fmt::format("{} {:.0f} GB/s a {}",
                              own ? compiler_words(toolchain_of(gpu)).link : to_string(result.link),
                              bytes_per_s_among(result, gpus_per_node) / 1e9,
                              own ? "chip" : "GPU");
  }
  if (nodes > 1) {
    const bool modern = by_default && !is_meshed(gpu);
    // A3 High has 100 Gb/s for each H100, TCPXO's A3 Mega twice that: the lower of both.
    const double usual_gbit = words.fabric == Fabric::ethernet ? 10
                              : words.fabric == Fabric::tcpx   ? 100.0 * gpus_per_node
                              : modern                         ? 200.0 * gpus_per_node
                                                               : 100;
    set_fabric(result, words, usual_gbit, gpus_per_node);
    hold_fabric(result, pcie_bytes_per_s(words, gpu), gpus_per_node);
  }
  return result;
}

}  // namespace rightsize
