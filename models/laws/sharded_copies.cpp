#include "models/laws/sharded_copies.h"

namespace rightsize {

double sharded_copies_step_seconds(const ExchangeLaw& law,
                                   const Cluster& cluster,
                                   const ModelParallel& way,
                                   const ModelShape& shape,
                                   std::span<const ShardedBlock> blocks,
                                   int micro_batches,
                                   int bytes_per_element,
                                   bool recompute,
                                   double micro_s) {
  const double alone_s =
      micro_s +
      shared_layers_seconds(law, cluster, way, shape, shape.blocks, bytes_per_element, recompute);
  // Each of the tensor's GPUs gathers its part of a block over links that copies_of() adds up.
  const ExpertSharing experts{
      way.experts, 1.0 * way.micro_batch / way.context, 1.0 * bytes_per_element};
  return micro_batches *
         sharded_step_seconds(law, copies_of(way, cluster), blocks, recompute, alone_s, experts);
}

}  // namespace rightsize
