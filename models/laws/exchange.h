// Gradient exchange between the GPUs of one node: a ring all-reduce moves 2 (n-1)/n of the gradient
// over each GPU's link, in 2 (n-1) steps.
//   t = 2 (n - 1) latency + 2 (n - 1) / n * bytes / bandwidth
// Source: Patarasuk & Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
// J. Parallel Distrib. Comput. 69 (2009). A share `overlap` of the backward pass hides it.
#pragma once

namespace rightsize {

struct Link {
  double bytes_per_s = 0;  // per GPU and direction, achieved
  double latency_s = 0;    // per ring step
};

[[nodiscard]] double ring_all_reduce_seconds(const Link& link, int gpus, double bytes);

// Step time with the exchange of `gradient_bytes`, of which the backward pass hides up to
// `overlap_s` seconds.
[[nodiscard]] double exchanged_step_seconds(
    const Link& link, int gpus, double gradient_bytes, double step_s, double overlap_s);

}  // namespace rightsize
