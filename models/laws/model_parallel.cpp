#include "models/laws/model_parallel.h"

#include <algorithm>
#include <numeric>

#include "models/laws/expert_exchange.h"

namespace rightsize {
namespace {

// Of `copies` of a part of the layers, each `stride` GPUs from the next, how many lie on each node:
// copies are neighbours, stages apart (Megatron's order of ranks); of those that begin in the
// middle of a node as many as lie on every one.
int copies_on_node(const Cluster& cluster, int stride, int copies) {
  return std::gcd(copies, std::max(1, cluster.gpus_per_node / stride));
}

// What they carry between those on a node and to others.
double copies_seconds(
    const ExchangeLaw& law, const Cluster& cluster, int stride, int copies, double bytes) {
  const int near = copies_on_node(cluster, stride, copies);
  const ExchangePlan plan{Exchange::nccl};
  const Cluster within{near, 1, cluster.interconnect};
  const Cluster between{1, copies / near, cluster.interconnect};
  // A node's line carries the parts of all its GPUs, and of a stage that ends in its middle also
  // the next one's.
  const int node = cluster.gpus_per_node;
  const int stage = stride * copies;
  const bool whole = stage % node == 0 || node % stage == 0;
  const int parts = std::min((whole ? 1 : 2) * stride, node);
  return exchange_seconds(law, within, plan, bytes) +
         exchange_seconds(law, between, plan, bytes * parts);
}

double average_seconds(const ExchangeLaw& law,
                       const Cluster& cluster,
                       const ModelParallel& way,
                       const ModelShape& shape,
                       int bytes_per_element) {
  const int stage = cluster.ranks() / way.pipeline;
  const double bytes = 1.0 * bytes_per_element / way.parts();
  const int apart = way.gpus_of_expert() * way.experts;  // GPUs that have all experts together
  const bool alike = apart == way.tensor;                // as they have the other layers
  const double others = shape.parameters - (alike ? 0 : shape.expert_parameters);
  const double others_s =
      copies_seconds(law, cluster, way.tensor, stage / way.tensor, bytes * others);
  const double experts = shape.expert_parameters * way.tensor / apart;
  return alike ? others_s
               : others_s + copies_seconds(law, cluster, apart, stage / apart, bytes * experts);
}

// Of one micro-batch in one stage, each copy's tokens of so many `bytes`: to experts and back, in
// both passes.
double routing_seconds(const ExchangeLaw& law,
                       const Cluster& cluster,
                       const ModelParallel& way,
                       double blocks,
                       double bytes,
                       int copies,
                       bool recompute) {
  if (way.experts == 1) {
    return 0;
  }
  const double all_to_alls = recompute ? 6 : 4;
  const double own = bytes * way.gpus_of_expert() / way.tensor;  // of those that share an expert
  return blocks * all_to_alls *
         all_to_all_seconds(law, expert_copies_of(way, cluster), way.experts, own, copies);
}

// What the ways to experts add to the work of a stage. One micro-batch of a step, the first or the
// last, has no other beside it.
double shown_seconds(const ExchangeLaw& law,
                     const ModelParallel& way,
                     int micro_batches,
                     double routing_s,
                     double work_s) {
  if (way.pipeline == 1) {
    return routing_s;
  }
  const double alone = 1.0 / micro_batches;
  const double beside_s =
      std::max(routing_s - work_s, 0.0) + law.hidden_cost * std::min(routing_s, work_s);
  return alone * routing_s + (1 - alone) * beside_s;
}

// Whether several GPUs have the same keys and values.
bool repeats_heads(const ModelShape& shape, const ModelParallel& way) {
  return shape.heads > 0 && way.tensor > shape.heads;
}

// Of one micro-batch in one stage, each item's elements of so many `bytes`.
double tensor_seconds(const ExchangeLaw& law,
                      const Cluster& cluster,
                      const ModelParallel& way,
                      const ModelShape& shape,
                      double blocks,
                      double bytes,
                      bool recompute) {
  if (way.tensor == 1) {
    return 0;
  }
  const auto gather_s = [&](int gpus, double elements) {
    const Cluster group{gpus, 1, cluster.interconnect};
    return gpus > 1 ? gather_seconds(law, group, elements * bytes) - law.launch_s : 0;
  };
  const double passes = recompute ? 6 : 4;  // of half a block, each of two gathers
  const double again = recompute ? 3 : 2;
  const double whole_s = gather_s(way.tensor, shape.passed_elements);
  const double repeated_s =
      repeats_heads(shape, way) ? again * gather_s(way.tensor, shape.projected_elements) : 0;
  if (!way.folds()) {
    return blocks * (passes * 2 * whole_s + repeated_s);
  }
  // Of what those have that share an expert; half of the sums are of feed-forward parts.
  const int gpus = way.gpus_of_expert();
  const double fed_s = gather_s(gpus, shape.passed_elements * gpus / way.tensor);
  const double alone = shape.expert_blocks / std::max(1, shape.blocks);
  return blocks * (passes * ((2 - alone) * whole_s + alone * fed_s) + repeated_s);
}

// Of one micro-batch in one stage: a block's keys and values, twice in training, and their
// gradients.
double context_seconds(const ExchangeLaw& law,
                       const Cluster& cluster,
                       const ModelParallel& way,
                       double blocks,
                       double bytes,
                       bool recompute) {
  if (way.context == 1) {
    return 0;
  }
  auto group = copies_of(way, cluster);
  const int near = copies_on_node(group, 1, way.context);
  group.gpus_per_node = near;
  group.nodes = way.context / near;
  const double gathers = recompute ? 4 : 3;
  return blocks * gathers * gather_seconds(law, group, bytes / way.tensor);
}

// From stage to stage, forward and back; each of the tensor's GPUs sends its part.
double passing_seconds(const Cluster& cluster, const ModelParallel& way, double bytes) {
  if (way.pipeline == 1) {
    return 0;
  }
  const auto& links = cluster.interconnect;
  const bool between = cluster.nodes > 1;
  const double bytes_per_s =
      between ? links.fabric_bytes_per_s / cluster.gpus_per_node : bytes_per_s_among(links, 2);
  const double latency_s = between ? links.fabric_latency_s : links.link_latency_s;
  return 2 * way.chunks * (bytes / way.tensor / bytes_per_s + latency_s);
}

// A stage's GPUs by so many next to each other, as ranks of a smaller cluster.
Cluster groups_of(int gpus, int pipeline, const Cluster& cluster) {
  const int groups = cluster.ranks() / (pipeline * gpus);
  const int near = copies_on_node(cluster, gpus, groups);
  Cluster ranks{near, groups / near, cluster.interconnect};
  ranks.interconnect.link_bytes_per_s *= gpus;
  // A node's line is all its GPUs', also those of other stages.
  ranks.interconnect.fabric_bytes_per_s *= 1.0 * near * gpus / cluster.gpus_per_node;
  return ranks;
}

}  // namespace

Cluster copies_of(const ModelParallel& way, const Cluster& cluster) {
  return groups_of(way.tensor, way.pipeline, cluster);
}

Cluster expert_copies_of(const ModelParallel& way, const Cluster& cluster) {
  return groups_of(way.gpus_of_expert(), way.pipeline, cluster);
}

bool divides(const ModelParallel& way, const ModelShape& shape, const Cluster& cluster) {
  const bool repeated = repeats_heads(shape, way) && way.tensor % shape.heads == 0 &&
                        shape.query_heads % way.tensor == 0;
  return way.tensor >= 1 && way.pipeline >= 1 && way.chunks >= 1 && way.context >= 1 &&
         way.context <= shape.positions && (shape.heads % way.tensor == 0 || repeated) &&
         way.pipeline * way.chunks <= shape.blocks && cluster.gpus_per_node % way.tensor == 0 &&
         cluster.ranks() % way.gpus() == 0;
}

double bubble_share(int pipeline, int micro_batches, int chunks) {
  return static_cast<double>(pipeline - 1) / (static_cast<double>(micro_batches) * chunks);
}

bool may_interleave(const ModelShape& shape, int pipeline, int micro_batches, int chunks) {
  return chunks == 1 || (pipeline > 1 && chunks > 1 && micro_batches % pipeline == 0 &&
                         chunks <= shape.blocks / pipeline);
}

std::vector<int> possible_chunks(const ModelShape& shape, int pipeline, int micro_batches) {
  std::vector<int> possible{1};
  const int blocks = (shape.blocks + pipeline - 1) / pipeline;
  for (int each = blocks - 1; each >= 1; --each) {
    const int chunks = (blocks + each - 1) / each;
    if (chunks > possible.back() && may_interleave(shape, pipeline, micro_batches, chunks)) {
      possible.push_back(chunks);
    }
  }
  return possible;
}

Stage slowest_stage(const ModelShape& shape, int pipeline, int chunks) {
  const int parts = pipeline * chunks;
  const double head = 1 - shape.block_share;  // of the network's work
  const double block = shape.block_share / std::max(1, shape.blocks);
  const int even = chunks * ((shape.blocks + parts - 1) / parts);
  Stage slowest{1.0 * even, block * even + head};
  if (pipeline == 1 || shape.blocks % parts == 0) {
    return slowest;
  }
  for (int last = 0; last < even; ++last) {
    const int others = (shape.blocks - last + pipeline - 2) / (pipeline - 1);
    const double share = std::max(block * last + head, block * others);
    if (others <= even && share < slowest.share) {
      slowest = {1.0 * std::max(others, last), share};
    }
  }
  return slowest;
}

double shared_layers_seconds(const ExchangeLaw& law,
                             const Cluster& cluster,
                             const ModelParallel& way,
                             const ModelShape& shape,
                             double blocks,
                             int bytes_per_element,
                             bool recompute) {
  const double portion = 1.0 * way.micro_batch * bytes_per_element;
  const double attended = shape.attended_elements * portion;
  return tensor_seconds(law, cluster, way, shape, blocks, portion / way.context, recompute) +
         context_seconds(law, cluster, way, blocks, attended, recompute);
}

double model_parallel_step_seconds(const ExchangeLaw& law,
                                   const Cluster& cluster,
                                   const ModelParallel& way,
                                   const ModelShape& shape,
                                   int micro_batches,
                                   int bytes_per_element,
                                   bool recompute,
                                   double micro_s) {
  const auto stage = slowest_stage(shape, way.pipeline, way.chunks);
  const double portion = 1.0 * way.micro_batch * bytes_per_element;
  const double bytes = shape.passed_elements * portion / way.context;
  const double compute_s = micro_s * stage.share;
  const double routed = shape.routed_elements * portion / way.context;
  const double work_s =
      compute_s +
      shared_layers_seconds(law, cluster, way, shape, stage.blocks, bytes_per_element, recompute);
  const double routing_s =
      routing_seconds(law, cluster, way, stage.blocks, routed, shape.experts_per_token, recompute);
  const double turn_s = work_s + shown_seconds(law, way, micro_batches, routing_s, work_s) +
                        passing_seconds(cluster, way, bytes);
  const double turns = micro_batches * (1 + bubble_share(way.pipeline, micro_batches, way.chunks));
  const double step_s = turns * turn_s;
  const double average_s = average_seconds(law, cluster, way, shape, bytes_per_element);
  // The backward pass is two thirds of a step, and longer where it runs the blocks again.
  const double again = recompute ? shape.block_share : 0;
  const double hideable_s = compute_s * (2 + again) / (3 + again);
  return step_s + std::max(0.0, average_s - hideable_s) +
         law.hidden_cost * std::min(average_s, hideable_s) + step_s * waiting_share(law, cluster);
}

}  // namespace rightsize
