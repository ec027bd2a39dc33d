// The network between machines that train together, where it is more than Ethernet: the time counts
// on it, and who launches them has to ask for it, or their NCCL falls back to TCP.
#pragma once

#include <string>

#include "advisor/recommendation.h"

namespace rightsize {

// Whether the time counts on one: EFA, GPUDirect-TCPX, InfiniBand or RoCE.
[[nodiscard]] bool counts_on_fabric(const Query& query, const Option& option);

// EFA interfaces of each machine, all of which are to be asked for; 0 where it counts on no EFA.
[[nodiscard]] int efa_interfaces(const Query& query, const Option& option);

// Nodes whose EFA driver is installed set 5128 pages of 2 MiB aside, which no Pod gets as memory;
// AWS's Pods ask for half of them.
constexpr int efa_pages_mib = 2 * 5128;
constexpr int efa_pages_asked_mib = 5120;

// "The time counts on EFA 400 Gb/s between the machines"; "" where it counts on no such network.
[[nodiscard]] std::string fabric_words(const Query& query, const Option& option);

// What a Pod of the option's cloud needs for it that the manifest cannot hold; one line.
[[nodiscard]] std::string fabric_of_pods(const Query& query, const Option& option);

// Whether SkyPilot sets it up by network_tier: best.
[[nodiscard]] bool set_up_by_skypilot(const Query& query, const Option& option);

}  // namespace rightsize
