// What a GPU is made to do for one step of a network: its kernels with the sizes that decide their
// time, equal ones counted together. Pure arithmetic on the layers; gpu_step.h gives it a time.
#pragma once

#include <vector>

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/written_text.h"

namespace rightsize {

// A matrix product of `rows` x `inner` by `inner` x `columns` in each of `groups`, or, with
// `flops_per_item` 0, a pass over memory.
struct GpuKernel {
  double flops_per_item = 0;
  // Of the result of one group. One of rows and inner grows with the batch: see `sums_batch`.
  double rows = 0;
  double columns = 0;
  double inner = 0;
  double groups = 1;
  bool sums_batch = false;       // the filter's gradient: the batch is part of `inner`
  bool dense = false;            // a plain matrix product, not a convolution's
  int tile = 0;                  // 3 or 5: a filter of 3x3 or 5x5 at stride 1, what Winograd's
                                 // algorithm and Fourier transforms speed up
  bool fused = false;            // attention whose scores never leave the chip
  bool language = false;         // a plain product beside fused attention
  bool before_head = false;      // a linear layer's or an expert's, not the last one's
  bool narrow = false;           // at fp8 its factors have 8 bits
  bool of_adapter = false;       // an adapter's product, or what is added for it
  bool of_widening = false;      // a matrix that lies in memory in 8 bits, made wide
  bool oblong = false;           // a filter of 1x7, 7x1 or the like
  double elements_per_item = 0;  // read and written, at the precision's width
  double scores_per_item = 0;    // attention's, passed over several times
  double elements_fixed = 0;     // parameters, whatever the batch
  double bytes_fixed = 0;        // of the state that the optimizer updates
  double rows_per_item = 0;      // of tables in memory, read or written at random places
  double row_elements = 0;       // of one of them
  bool rows_wide = false;        // in FP32 whatever the precision
  double count = 1;

  bool operator==(const GpuKernel&) const = default;
};

struct GpuWork {
  std::vector<GpuKernel> kernels;
  double launches = 0;             // of all kernels but the optimizer's
  double updates = 0;              // the optimizer's: one per tensor of parameters
  double language_parameters = 0;  // of a model that writes, whose attention is fused; else 0
  bool denoises = false;           // kernels/work.h: is_denoiser()
  bool takes_given = false;        // likewise; of an item
  bool looks_up = false;           // kernels/work.h: looks_up_tables()
  bool casts = true;               // in 16 bits: the parameters, for every step (autocast)
  WrittenText written;
  // What adding a minibatch's gradients to those before moves (both read, one written), of what an
  // update does.
  double accumulating = 0;
};

// `phase` is neither preprocess nor decode, whose steps are decode.h's. `recompute`: the backward
// pass runs blocks' forward pass again (kernels/network_blocks.h). Of a network with adapters the
// frozen matrices have no gradient and no update; the adapters' products stand beside them,
// unfused, as PEFT writes them: x A, (x A) B, the scaling, the sum. `tensor` GPUs share every layer
// (model_parallel.h), `expert_ranks` divide experts (expert_exchange.h), of which `expert_tensor`
// GPUs (0: tensor's) share each, and `context` have a part of every sequence's positions, whose
// attention is dealt out evenly: the work of one of them.
[[nodiscard]] GpuWork gpu_work(const Network& network,
                               Phase phase,
                               bool recompute = false,
                               int tensor = 1,
                               int expert_ranks = 1,
                               int context = 1,
                               int expert_tensor = 0);

}  // namespace rightsize
