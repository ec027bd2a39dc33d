// Serving a language model token by token with continuous batching: at every iteration each of b
// sequences gets one token, sequences come and go between iterations. An iteration reads all
// weights once and every sequence's keys and values, so it is bound by memory until b is large:
//   t(b) = overhead + max((weights + b context kv) / bandwidth, b flops / rate);
// prompts are computed between iterations, b / output_tokens of them each, at the compute rate.
// Pope et al., "Efficiently scaling transformer inference", MLSys 2023, section 2; Yu et al.,
// "Orca: a distributed serving system for transformer-based generative models", OSDI 2022, for
// batching by iteration. Sequences in flight follow Little's law: b = arrivals x output x period.
#pragma once

#include "kernels/network.h"
#include "kernels/workload.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

struct DecodeWork {
  double weight_bytes = 0;
  double kv_bytes_per_token = 0;  // of one sequence, all layers
  double flops_per_token = 0;     // of a token in the middle of its sequence
  double prompt_flops = 0;        // of the whole prompt
};

struct DecodeLoad {
  double sequences_per_s = 0;
  int prompt_tokens = 512;
  int output_tokens = 128;
};

struct DecodeGpu {
  double bytes_per_s = 0;   // as reached, not as on paper
  double flops_per_s = 0;   // likewise
  double memory_bytes = 0;  // for weights and caches
  double overhead_s = 0;    // of an iteration: launches, sampling
};

enum class DecodeRegime { memory_bound, compute_bound, saturated, too_small };

struct DecodePoint {
  DecodeRegime regime = DecodeRegime::too_small;
  int most_sequences = 0;    // whose caches fit beside the weights
  double sequences = 0;      // in flight, mean
  double token_s = 0;        // between tokens of a sequence
  double first_token_s = 0;  // the rest of an iteration, the prompt, an iteration; no queue
  double sequence_s = 0;     // from arrival to the last token
  double tokens_per_s = 0;   // written, of all sequences
  double most_sequences_per_s = 0;
};

// Per token and prompt at `load`'s lengths; `network` can generate (causal attention).
[[nodiscard]] DecodeWork decode_work(const Network& network,
                                     Precision precision,
                                     const DecodeLoad& load);

// The data sheet's rates times what decoding kernels reach of them: 80 % of the bandwidth, 65 % of
// the matrix rate (set by, not tested against, TensorRT-LLM's published rates on an A100), and,
// assumed, 92 % of the memory and 2 ms around an iteration.
[[nodiscard]] DecodeGpu decode_gpu(const GpuSpec& gpu, Precision precision);

// One iteration of `sequences` with `context` tokens each in their caches.
[[nodiscard]] double decode_step_seconds(const DecodeWork& work,
                                         const DecodeGpu& gpu,
                                         double sequences,
                                         double context);

// Sequences of `tokens` in all whose caches fit beside the weights; 0: the weights do not fit.
[[nodiscard]] int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, int tokens);

// With `load.sequences_per_s` = 0: one sequence alone. Saturated: the figures are those of the most
// sequences that fit, and the queue grows.
[[nodiscard]] DecodePoint serve_decode(const DecodeWork& work,
                                       const DecodeGpu& gpu,
                                       const DecodeLoad& load);

}  // namespace rightsize
