// The constants of GpuStepLaw by number, with their priors, and the chips they are of.
// calibration/gpu_step.csv has their fitted values by name.
#pragma once

#include <span>
#include <string_view>

#include "models/laws/gpu_spec.h"

namespace rightsize {

// Chips whose multiprocessors differ. Pascal's are two: GP100 with HBM and 64 lanes, and GP10x;
// Ampere's too: GA100, and GA10x with doubled FP32 lanes; Blackwell's: B200's, and GB20x, Ada's
// heir. AMD's CDNA descends from A100, whose time its first had, for want of an ancestor, but for
// attention.
enum Chip {
  kepler,
  maxwell,
  pascal,
  gp100,
  volta,
  turing,
  ampere,
  ampere_rtx,
  ada,
  hopper,
  blackwell,
  blackwell_rtx,
  cdna2,
  cdna3,
  cdna4,
  chips
};

enum Constant {
  fp32_base = 0,                      // Maxwell's efficiency
  fp32_step = 1,                      // + chip: from its parent's
  tensor_base = fp32_step + chips,    // Volta's
  tensor_step = tensor_base + 1,      // + chip
  memory_base = tensor_step + chips,  // Maxwell's
  memory_step = memory_base + 1,      // + chip
  tf32 = memory_step + chips,         // efficiency relative to fp16's
  full_rate,  // efficiency of tensor cores that sum fp16 in FP32 at full rate where a sister card's
              // of the same chip are halved: caches and memory are the same
  dense,      // efficiency of plain matrix products, relative to convolutions
  half_inner,
  half_columns,
  half_inner_tensor,
  half_columns_tensor,
  fill,
  fill_tensor,
  filter,            // efficiency of the filter's gradient, relative
  winograd,          // speed of 3x3 convolutions at fp32, relative
  fourier,           // of 5x5
  tiled_filter,      // of the filter's gradient of either, relative
  direct,            // efficiency of FP32 lanes where groups are too narrow for matrix products
  oblong,            // efficiency of filters of 1x7 and 7x1, relative
  scores,            // how often attention passes over its scores
  power,             // exponent of the share of full power
  latency,           // seconds per kernel
  dispatch_era,      // seconds per launch
  dispatch_current,  // by executors of graphs
  dispatch_eager,    // from Python
  dispatch_xla,      // relative to executors of graphs: fewer launches, of fused kernels
  dispatch_mxnet,
  dispatch_paddle,
  dispatch_compile,  // PyTorch's compiled code
  dispatch_engine,   // engines that only answer: TensorRT and its like
  passes_xla,        // the passes over memory that these fuse, relative
  passes_mxnet,      // NVIDIA's: normalisation with activation and addition
  passes_compile,
  passes_engine,
  engine_kernels,  // efficiency of an engine's kernels, relative
  engine_latency,  // seconds per kernel of an engine, relative
  eager_casts,     // launches of mixed precision, relative
  updates,         // launches per update, relative
  era_compute,     // efficiency of the era's libraries, relative
  era_tensor,      // of tensor products, beside: cuDNN 7 turned NCHW into NHWC and back
  era_memory,
  fused_attention,  // efficiency of attention in one kernel, relative to plain products
  fused_hopper,     // from Hopper on, beside: kernels written for A100 reach half of their share
  fused_second,  // of Ampere's and Ada's second kernels for it, relative (FlashAttention-2, 2023)
  language_products,  // of plain products beside it, relative: libraries years younger than BERT's
  large_filter,       // elements of a plain product's filter gradient from which it loses nothing
  constant_count
};

struct StepConstant {
  std::string_view name;
  double prior = 0;  // of the logarithm
  double prior_sd = 0;
};

// The constants in the order of `Constant`.
[[nodiscard]] std::span<const StepConstant> step_constants();

[[nodiscard]] Chip chip_of(const GpuSpec& gpu);

// Whether its tensor cores sum fp16 products in FP32 as fast as in FP16: not those of GeForce
// cards.
[[nodiscard]] bool has_full_rate(const GpuSpec& gpu);

// Streaming multiprocessors, or compute units, by the lanes that one of its chip has.
[[nodiscard]] double multiprocessors(const GpuSpec& gpu);

// The part of its chip's full power per lane that a card may take, in (0, 1]; 1 where unknown.
[[nodiscard]] double power_share(const GpuSpec& gpu);

// An efficiency that a chip inherits: the base and the steps from the root down to `chip`.
[[nodiscard]] double fp32_efficiency(std::span<const double> values, Chip chip);
[[nodiscard]] double tensor_efficiency(std::span<const double> values, Chip chip);
[[nodiscard]] double memory_efficiency(std::span<const double> values, Chip chip);

}  // namespace rightsize
