// Serving a language model token by token with continuous batching: at every iteration each of b
// sequences gets one token, sequences come and go between iterations. Its matrices are read once
// for all, so they are bound by memory until b is large; its attention reads every sequence's keys
// and values, in kernels of its own, and is bound by memory always:
//   t(b) = overhead + b host + max(matrices / bandwidth, b flops / rate) + b context kv /
//   bandwidth,
// or what a host takes that works beside the GPU, if that is more; the overhead is the iteration's,
// each block's and, of a mixture, each expert's that a token takes. Where of layers that see a
// window of W tokens only the context is at most W, and of layers that attend to latents with all
// heads the last term is what these multiply, if that takes longer; prompts are computed between
// iterations, b / output_tokens of them each, at the compute rate. Pope et al., "Efficiently
// scaling transformer inference", MLSys 2023, section 2; Yu et al., "Orca: a distributed serving
// system for transformer-based generative models", OSDI 2022, for batching by iteration. Sequences
// in flight follow Little's law: b = arrivals x output x period.
//
// Of a mixture of experts a token takes k of E in each layer, by chance and evenly; b tokens are
// expected to take E (1 - (1 - k / E)^b) different ones, which an iteration reads once for all. A
// prompt takes next to all of them: those that the tokens of its iteration do not take are read for
// the prompts, which last as long as that takes where their products take less.
//
// Of a prompt whose first c of p tokens a server has cached (vLLM's automatic prefix caching,
// SGLang's RadixAttention: Zheng et al., NeurIPS 2024) the others are computed, each attending to
// all before it: what a prompt of p takes less what one of c does. They keep their place in the
// sequence's caches, and nothing is said of where they lie until it comes.
//
// Pictures in a prompt are seen before it, and become so many of its tokens (picture_prompts.h).
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/gibibyte.h"
#include "models/laws/decode_form.h"
#include "models/laws/decode_work.h"
#include "models/laws/exchange.h"

namespace rightsize {

// One copy of the network: a GPU, or several of a node that share it.
struct DecodeGpu {
  double bytes_per_s = 0;   // of one GPU as reached, not as on paper
  double flops_per_s = 0;   // likewise
  double memory_bytes = 0;  // for weights and caches, of one
  double kept_bytes = 0;    // of its memory, for all else
  double overhead_s = 0;    // of an iteration: sampling, what comes and goes
  double block_s = 0;       // of each block in it: kernels that start and end
  double expert_s = 0;      // of each expert that a token takes: routing, gathers, small products
  // Those that share the network, all of one node; the links' latency is a step of an all-reduce.
  Cluster cluster{};
  // Of weights that are widened on their way into the products, which takes the cores' time.
  double most_weight_bytes_per_s = std::numeric_limits<double>::infinity();
  double attention_flops_per_s = std::numeric_limits<double>::infinity();  // never narrower than 16
  double experts_rate = 1;  // of the rate of products, what a mixture's reach: many small ones
  double sequence_s = 0;    // of the host, for each sequence of an iteration
  // Of a host that works beside the GPU: an iteration ends no sooner, whether for all of its
  // sequences or for what its program does once, and of each block and each mixture.
  double host_sequence_s = 0;
  double host_step_s = 0;
  double host_block_s = 0;
  double host_mixture_s = 0;
  int slots = std::numeric_limits<int>::max();  // sequences that its program takes at once
};

// Of narrow weights, were there no others.
[[nodiscard]] inline double weight_bytes_per_s(const DecodeGpu& gpu) {
  return std::min(gpu.bytes_per_s, gpu.most_weight_bytes_per_s);
}

enum class DecodeRegime { memory_bound, compute_bound, host_bound, saturated, too_small };

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

// Shares of the data sheet that decoding kernels reach, and what is around them. Fitted to the
// published rates of calibration/decode_rates.csv (tests/bench/tokens.cpp) where not said
// otherwise.
struct DecodeLaw {
  double bandwidth_share = 0.696;       // of stacked memory
  double gddr_bandwidth_share = 0.831;  // of GDDR, of which there is less to keep busy
  // Narrow weights that the cores widen in the time of an FP32 operation of the data sheet.
  double widened_bytes_per_flop = 0.0488;
  double matrix_share = 0.65;  // set by TensorRT-LLM 0.6's rates on an A100, see decode_test
  double fp8_matrix_share = 0.518;
  double fp4_matrix_share = 0.35;  // set by hand to dense networks' of calibration/decode_fp4.csv
  // Of these shares, what AMD's Instinct reach; set by hand to calibration/decode_instinct.csv.
  double instinct_bandwidth = 0.86;
  double instinct_products = 0.77;
  // Of a mixture's products; set by hand to the rates of decode_experts.csv and decode_crowd.csv.
  double experts_rate = 0.45;
  // Of the memory, for weights and caches, but for what kernels work in: what servers' logs leave
  // (calibration/cache_room.csv).
  double memory_share = 0.92;
  double workspace_bytes = bytes_per_gib;
  // Of an iteration and of each block: together what was fitted, 0.78 ms, of the 32 blocks of most
  // of those networks; how it is divided by a fit with small ones beside (decode_one.csv).
  double overhead_s = 0.43e-3;
  double block_s = 11e-6;
  // Of each expert that a token takes in a layer; set by hand between the rates of one sequence
  // by TensorRT-LLM, vLLM and gpt-fast in decode_one.csv and decode_experts.csv (12 us by a fit
  // to them) and small loads of decode_fp4.csv.
  double expert_s = 8e-6;
  double nvlink_latency_s = 3.8e-6;  // of a step of an all-reduce
  double pcie_latency_s = 8.4e-6;
};

// At which this network's products run.
[[nodiscard]] inline double product_flops_per_s(const DecodeWork& work, const DecodeGpu& gpu) {
  return gpu.flops_per_s * (work.expert_bytes > 0 ? gpu.experts_rate : 1);
}

// Of an iteration, whatever it reads and multiplies.
[[nodiscard]] inline double overhead_seconds(const DecodeWork& work, const DecodeGpu& gpu) {
  return gpu.overhead_s + work.blocks * gpu.block_s + taken_experts(work) * gpu.expert_s;
}

// Of its memory's bandwidth on paper, what decoding reaches on such a GPU.
[[nodiscard]] inline double bandwidth_share_of(const GpuSpec& gpu, const DecodeLaw& law = {}) {
  return (gpu.stacked_memory ? law.bandwidth_share : law.gddr_bandwidth_share) *
         (is_instinct(gpu) ? law.instinct_bandwidth : 1);
}

// `gpus` of this kind, joined as `words` say or as is usual. `form` has a precision that the GPU
// has (available_precision).
[[nodiscard]] DecodeGpu decode_gpu(const GpuSpec& gpu,
                                   const DecodeForm& form,
                                   int gpus = 1,
                                   const InterconnectWords& words = {},
                                   const DecodeLaw& law = {});

// Of the weights, what is read for so many tokens at once.
[[nodiscard]] double read_weight_bytes(const DecodeWork& work, double tokens);

// That, in the time that memory and cores take for it.
[[nodiscard]] double read_weight_seconds(const DecodeWork& work,
                                         const DecodeGpu& gpu,
                                         double tokens);

// All all-reduces of `tokens` together; 0 of one GPU.
[[nodiscard]] double reduce_seconds(const DecodeWork& work, const DecodeGpu& gpu, double tokens);

// The whole prompts of sequences that join an iteration of `sequences`, themselves among them; of
// experts what the iteration does not read. Fewer than one prompt: one, in that share of
// iterations.
[[nodiscard]] double prompts_seconds(const DecodeWork& work,
                                     const DecodeGpu& gpu,
                                     const DecodeLoad& load,
                                     double sequences,
                                     double prompts);

// Of one; of 0 sequences: without an iteration that reads anything for it.
[[nodiscard]] double prompt_seconds(const DecodeWork& work,
                                    const DecodeGpu& gpu,
                                    const DecodeLoad& load,
                                    double sequences = 0);

// One iteration by what its time goes to. Matrices are read while others are multiplied: the slower
// of the two counts.
struct DecodeStep {
  double overhead_s = 0;
  double weights_s = 0;   // read
  double products_s = 0;  // with them, of all sequences
  double caches_s = 0;    // read and attended to, of all sequences
  double reduces_s = 0;   // of all tokens together; 0 of one GPU
  double host_s = 0;      // beside all of these

  [[nodiscard]] double gpu_seconds() const {
    return overhead_s + std::max(weights_s, products_s) + caches_s + reduces_s;
  }
  [[nodiscard]] double seconds() const { return std::max(gpu_seconds(), host_s); }
};

// One iteration of `sequences` with `context` tokens each in their caches.
[[nodiscard]] DecodeStep decode_step(const DecodeWork& work,
                                     const DecodeGpu& gpu,
                                     double sequences,
                                     double context);
[[nodiscard]] double decode_step_seconds(const DecodeWork& work,
                                         const DecodeGpu& gpu,
                                         double sequences,
                                         double context);

// From one token of a sequence to its next: an iteration and the prompts computed beside it, or
// what the host does for all of them meanwhile, if that takes longer.
[[nodiscard]] double decode_period_seconds(const DecodeWork& work,
                                           const DecodeGpu& gpu,
                                           const DecodeLoad& load,
                                           double sequences);

// Sequences of `tokens` in all whose caches fit beside the weights; 0: the weights do not fit.
[[nodiscard]] int sequences_in_memory(const DecodeWork& work, const DecodeGpu& gpu, int tokens);
// As a server takes at once whatever they are: its slots, 2048 at most on each engine.
[[nodiscard]] int sequences_at_once(const DecodeWork& work, const DecodeGpu& gpu);
// No more than either.
[[nodiscard]] int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, int tokens);
// Where lengths spread, of sequences in flight so many that there is room for 95 of 100 companies
// of as many.
[[nodiscard]] int sequences_that_fit(const DecodeWork& work,
                                     const DecodeGpu& gpu,
                                     const DecodeLoad& lengths);

// With `load.sequences_per_s` = 0: one sequence alone. Saturated: the figures are those of the most
// sequences that fit, and the queue grows. In all of these `work` is one GPU's part.
[[nodiscard]] DecodePoint serve_decode(const DecodeWork& work,
                                       const DecodeGpu& gpu,
                                       const DecodeLoad& load);

// A replica that takes `factor` times as long for everything.
[[nodiscard]] DecodeGpu slowed(const DecodeGpu& gpu, double factor);

}  // namespace rightsize
