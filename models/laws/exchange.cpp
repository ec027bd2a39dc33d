#include "models/laws/exchange.h"

#include <algorithm>

namespace rightsize {

double ring_all_reduce_seconds(const Link& link, int gpus, double bytes) {
  if (gpus <= 1) {
    return 0;
  }
  const double hops = 2.0 * (gpus - 1);
  return hops * link.latency_s + hops / gpus * bytes / link.bytes_per_s;
}

double exchanged_step_seconds(
    const Link& link, int gpus, double gradient_bytes, double step_s, double overlap_s) {
  const double exchange_s = ring_all_reduce_seconds(link, gpus, gradient_bytes);
  return step_s + std::max(0.0, exchange_s - overlap_s);
}

}  // namespace rightsize
