// A network with what the laws of GPUs ask of it again and again, worked out once.
#pragma once

#include <string>
#include <vector>

#include "advisor/query/network_step.h"
#include "kernels/network.h"
#include "kernels/tuning.h"
#include "models/laws/disk.h"
#include "models/laws/exchange.h"
#include "models/laws/model_parallel.h"
#include "models/laws/sharded_exchange.h"

namespace rightsize {

struct NetworkFacts {
  // Throws UnknownNetwork or NetworkError, as for adapters where no layer takes one. The phase is
  // for the length alone: in training it may be beyond what the network was trained for.
  explicit NetworkFacts(const std::string& name,
                        int sequence = 0,
                        const Tuning& tuning = {},
                        Phase phase = Phase::infer);

  Network network;
  double input_bytes = 0;                     // of one item, float32 pixels or ids
  std::vector<GradientBucket> buckets_fp32;   // gradients of four bytes
  std::vector<GradientBucket> buckets_16bit;  // of two
  std::vector<ShardedBlock> blocks_fp32;      // gathered where ranks share the parameters
  std::vector<ShardedBlock> blocks_16bit;
  double table_elements = 0;  // of one item, of tables that GPUs divide (laws/table_exchange.h)
  ModelShape shape;           // divided where GPUs share a copy of the network
  bool transformer = false;
  bool looks_up = false;                       // rows of tables, by samples
  WeightFormat published = WeightFormat::own;  // of its checkpoint (tokens/weights_taken.h)
};

// What lies beside the data on the disk: a transformer's weights, in 16 bits where they are
// trained, and a checkpoint where it learns. Other networks are trained from scratch, and their
// checkpoints, 2 GB at most, are not counted.
struct ModelFiles {
  double weights_bytes = 0;     // read by every machine before the first step
  double checkpoint_bytes = 0;  // written after the last, by each of the machines a part

  [[nodiscard]] double bytes() const { return weights_bytes + checkpoint_bytes; }
  // Where something else writes the checkpoint.
  [[nodiscard]] ModelFiles weights_alone() const { return {weights_bytes, 0}; }
  // Seconds on such disks, of `nodes` machines; 0 where nothing is known of them.
  [[nodiscard]] double moving_s(const DiskSpeed& disk, int nodes) const;
};

// `step` is of that network: in decode weights may lie in fewer bits, said or as it is published.
[[nodiscard]] ModelFiles model_files(const NetworkFacts& facts, const NetworkStep& step);

// What a reader should know of a file whose network computes what a known one does: whose published
// figures answer for it. "" of a name, and of what none is known to equal.
[[nodiscard]] std::string known_words(const NetworkStep& step);

// Whether the network can write token by token: it names one at every position, and none of its
// attention looks ahead. Recurrent networks could, but their decoding is not modelled.
[[nodiscard]] bool can_generate(const Network& network);

// Why the network cannot run in a phase, and what to ask for; "": it can.
[[nodiscard]] std::string why_not_in_phase(const Network& network, Phase phase);

}  // namespace rightsize
