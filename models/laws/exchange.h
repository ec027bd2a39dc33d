// Gradient exchange in synchronous data-parallel training, and what of it the step shows.
//
// Within a node of g GPUs, B bytes of gradient (`bandwidth` is one GPU's, one direction):
//   ring    2 (g-1) latency + 2 (g-1)/g B / bandwidth
//           Patarasuk & Yuan, J. Parallel Distrib. Comput. 69 (2009), section 3
//   tree    2 ceil(log2 n) latency + 2 B / bandwidth  (double binary tree)
//           Sanders, Speck & Traeff, Parallel Computing 35 (2009)
//   device  every GPU owns 1/g of the keys, gathers and scatters them: the ring's bytes, but half
//           of them cross the root between two halves of the node, g B / 2 in all
//   local   gradients go to host memory, are summed there and come back: 2 g B through the host
// Without peer access every byte between two GPUs goes into host memory and out again, so device
// and ring move 4 (g-1) B through the host, local 2 g B: there local wins, on NVLink the ring. The
// host's memory grew with the generations of PCIe (interconnect.h). What it passes on is shared: a
// node whose exchange it bounds is as fast with 8 GPUs as with 2, but adding one never slows it.
// Between N nodes the node's own sum is exchanged (hierarchical): ring or tree, whichever is
// shorter, or a parameter server, which also sums at `server_bytes_per_s`, on one node too.
//
// A layer's gradient is ready when its backward pass is done, the last layer's first; the links
// serve them in that order: finish_i = max(finish_(i-1), ready_i) + t_i
// (Shi, Wang & Chu, "MG-WFBP", IEEE INFOCOM 2019, eq. 7). What is left after the backward pass
// lengthens the step, and so does a share of what it hides: a collective's kernels take
// multiprocessors and memory bandwidth from the backward pass, copy engines the latter alone.
// Workers that wait for the slowest of n lose sd * E[max of n normals] (Blom's approximation).
// Constants are fitted to published scaling (tests/bench/scaling.cpp).
#pragma once

#include <span>
#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/interconnect.h"

namespace rightsize {

struct Link {
  double bytes_per_s = 0;  // per GPU or node and direction, achieved
  double latency_s = 0;    // per step of the collective
};

[[nodiscard]] double ring_all_reduce_seconds(const Link& link, int ranks, double bytes);
[[nodiscard]] double tree_all_reduce_seconds(const Link& link, int ranks, double bytes);

// Expected largest of `n` independent standard normals; 0 for n = 1.
[[nodiscard]] double expected_maximum_of_normals(int n);

struct ExchangeLaw {
  double host_sum_bytes_per_s = 14.3e9;  // local: in, summed and out, all GPUs together
  double host_copy_bytes_per_s = 18e9;   // copies through host memory, all GPUs together
  double ring_through_host = 1.4;        // a ring through host memory waits at every hop
  double device_through_host = 1.26;     // and pairs at theirs, as long as local on two GPUs
  double device_on_nvlink = 0.5;         // of the ring's speed: pairs without a direct link
  double server_bytes_per_s = 1.6e9;     // parameter server: receive, sum, send
  double launch_s = 300e-6;              // of one collective, per bucket
  double bucket_bytes = 25e6;            // gradients are joined up to this size, as in PyTorch
  double hidden_cost = 0.27;             // of the exchange that the backward pass hides
  double hidden_cost_local = 0.1;        // by copy engines, which take bandwidth only
  double step_jitter = 0.026;            // standard deviation of one worker's step
  double coordination = 0.008;           // of the step, once there is more than one worker
  // Of ln(efficiency), what the law misses: mostly the software, which differs most between nodes
  // (on one cluster of 32 GPUs the best kept 0.93 of linear, the worst 0.31).
  double node_log_sd = 0.14;
  double cluster_log_sd = 0.29;
  // Of large language models less: their software is of few makers, and little of their exchange
  // shows. Set by hand to 81 rates that were asked blind (calibration/blind_errors.py).
  double language_node_log_sd = 0.05;
  double language_cluster_log_sd = 0.15;

  // `language`: as GpuRate has it.
  [[nodiscard]] double scaling_log_sd(bool language, int nodes) const {
    return nodes > 1  ? language ? language_cluster_log_sd : cluster_log_sd
           : language ? language_node_log_sd
                      : node_log_sd;
  }
  double two_bit_share = 1.0 / 16;          // bytes left by 2-bit compression of FP32
  double two_bit_seconds_per_byte = 8e-12;  // to compress and restore, on the GPU
};

// How gradients travel: within a node by `exchange`, between nodes by servers or all-reduce.
struct ExchangePlan {
  Exchange exchange = Exchange::nccl;
  bool parameter_server = false;
  Compression compression = Compression::none;
};

// Ranks and their links.
struct Cluster {
  int gpus_per_node = 1;
  int nodes = 1;
  Interconnect interconnect;

  [[nodiscard]] int ranks() const { return gpus_per_node * nodes; }
};

// Seconds that the links are busy with `bytes` of gradient.
[[nodiscard]] double exchange_seconds(const ExchangeLaw& law,
                                      const Cluster& cluster,
                                      const ExchangePlan& plan,
                                      double bytes);

// Seconds that the links are busy with gathering parts of `bytes` from all ranks to all, or with
// summing `bytes` up into parts: half of a ring's all-reduce, or of `local`'s through the host.
[[nodiscard]] double gather_seconds(const ExchangeLaw& law, const Cluster& cluster, double bytes);

// What synchronous workers lose to the slowest of them and to their coordination: a share of the
// step.
[[nodiscard]] double waiting_share(const ExchangeLaw& law, const Cluster& cluster);

// A part of the gradient and the share of the backward pass after which it is ready.
struct GradientBucket {
  double bytes = 0;
  double ready = 1;
};

// The gradients of `network` from the last layer on, joined into buckets.
[[nodiscard]] std::vector<GradientBucket> gradient_buckets(const Network& network,
                                                           int bytes_per_element,
                                                           double bucket_bytes);

// One step of a rank that computes alone for step_s, of which `backward_share` is backward. The
// plan's exchange is not sharded (sharded_exchange.h).
[[nodiscard]] double synchronous_step_seconds(const ExchangeLaw& law,
                                              const Cluster& cluster,
                                              const ExchangePlan& plan,
                                              std::span<const GradientBucket> buckets,
                                              double step_s,
                                              double backward_share = 2.0 / 3);

// The exchange with the shortest step here: it depends on the links, never on a habit.
[[nodiscard]] Exchange best_exchange(const ExchangeLaw& law,
                                     const Cluster& cluster,
                                     std::span<const GradientBucket> buckets,
                                     double step_s);

}  // namespace rightsize
