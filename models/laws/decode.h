// Serving a language model token by token with continuous batching: at every iteration each of b
// sequences gets one token, sequences come and go between iterations. Its matrices are read once
// for all, so they are bound by memory until b is large; its attention reads every sequence's keys
// and values, in kernels of its own, and is bound by memory always:
//   t(b) = overhead + max(matrices / bandwidth, b flops / rate) + b context kv / bandwidth,
// where of layers that see a window of W tokens only the context is at most W, and of layers that
// attend to latents with all heads the last term is what these multiply, if that takes longer;
// prompts are computed between iterations, b / output_tokens of them each, at the compute rate.
// Pope et al., "Efficiently scaling transformer inference", MLSys 2023, section 2; Yu et al.,
// "Orca: a distributed serving system for transformer-based generative models", OSDI 2022, for
// batching by iteration. Sequences in flight follow Little's law: b = arrivals x output x period.
//
// Of a mixture of experts a token takes k of E in each layer, by chance and evenly; b tokens are
// expected to take E (1 - (1 - k / E)^b) different ones, which an iteration reads once for all. A
// prompt takes next to all of them: those that the tokens of its iteration do not take are read for
// the prompts, which last as long as that takes where their products take less.
//
// Tensor parallel over the g GPUs of a node, each holds and does 1/g of everything, and two
// all-reduces a layer join what they found: b x width numbers each, a ring or a tree over the
// node's links, whichever is shorter. Heads of keys and values, where there are fewer than g, are
// held more than once, and so are the matrices that choose experts. Shoeybi et al., "Megatron-LM",
// 2019, section 3.
#pragma once

#include <algorithm>
#include <limits>

#include "kernels/network.h"
#include "models/laws/decode_form.h"
#include "models/laws/exchange.h"

namespace rightsize {

struct DecodeWork {
  double weight_bytes = 0;        // held
  double table_bytes = 0;         // of them, the table of tokens, of which a row is read
  double expert_bytes = 0;        // of them, experts', of which those are read that a token takes
  double expert_share = 0;        // that one token takes, of all experts of a layer
  double router_bytes = 0;        // what chooses them: never narrow, on every GPU
  double wide_bytes = 0;          // of those read, what is never narrow: the head, norms, routers
  double kv_bytes_per_token = 0;  // of one sequence, all layers
  double window_kv_bytes_per_token = 0;  // of them, layers' that hold the last `window` tokens only
  double window = 0;
  double flops_per_token = 0;  // of the matrices
  double prompt_flops = 0;     // of the whole prompt; the head's of its last token alone
  // Attention's, where so many heads read what is cached that they may take longer than reading it
  // (latents); 0: they do not count.
  double flops_per_cached_token = 0;
  // Of tensor parallelism.
  int heads = 1;
  int kv_heads = 1;
  int reduces = 0;                    // of an iteration, and of a prompt
  double reduce_bytes_per_token = 0;  // of one of them
};

struct DecodeLoad {
  double sequences_per_s = 0;
  int prompt_tokens = 512;
  int output_tokens = 128;

  [[nodiscard]] int tokens() const { return prompt_tokens + output_tokens; }  // of a sequence
};

// Keys and values of a sequence of so many tokens.
[[nodiscard]] inline double sequence_cache_bytes(const DecodeWork& work, double tokens) {
  return work.kv_bytes_per_token * tokens -
         work.window_kv_bytes_per_token * std::max(0.0, tokens - work.window);
}

// Of one of them, in the mean.
[[nodiscard]] inline double mean_cache_bytes(const DecodeWork& work, double tokens) {
  return sequence_cache_bytes(work, tokens) / tokens;
}

// Tokens in a sequence's caches, in the mean over the time that it writes.
[[nodiscard]] constexpr double mean_context(const DecodeLoad& load) {
  return load.prompt_tokens + load.output_tokens / 2.0;
}

// One copy of the network: a GPU, or several of a node that share it.
struct DecodeGpu {
  double bytes_per_s = 0;   // of one GPU as reached, not as on paper
  double flops_per_s = 0;   // likewise
  double memory_bytes = 0;  // for weights and caches, of one
  double overhead_s = 0;    // of an iteration: launches, sampling
  // Those that share the network, all of one node; the links' latency is a step of an all-reduce.
  Cluster cluster{};
  // Of weights that are widened on their way into the products, which takes the cores' time.
  double most_weight_bytes_per_s = std::numeric_limits<double>::infinity();
  double attention_flops_per_s = std::numeric_limits<double>::infinity();  // at 16 bits always
};

// Of narrow weights, were there no others.
[[nodiscard]] inline double weight_bytes_per_s(const DecodeGpu& gpu) {
  return std::min(gpu.bytes_per_s, gpu.most_weight_bytes_per_s);
}

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
  double memory_share = 0.92;  // of the memory, assumed
  double overhead_s = 0.78e-3;
  double nvlink_latency_s = 3.8e-6;  // of a step of an all-reduce
  double pcie_latency_s = 8.4e-6;
};

// Of its memory's bandwidth on paper, what decoding reaches on such a GPU.
[[nodiscard]] inline double bandwidth_share_of(const GpuSpec& gpu, const DecodeLaw& law = {}) {
  return gpu.stacked_memory ? law.bandwidth_share : law.gddr_bandwidth_share;
}

// Per token and prompt at `load`'s lengths; `network` can generate (causal attention). The table of
// tokens, the head and what chooses experts keep the precision, whatever the weights' format.
[[nodiscard]] DecodeWork decode_work(const Network& network,
                                     const DecodeForm& form,
                                     const DecodeLoad& load);

// Whether so many GPUs can share the network: whole heads each.
[[nodiscard]] bool divides_heads(const DecodeWork& work, int gpus);

// One GPU's part of the work of `gpus`, which divide the heads.
[[nodiscard]] DecodeWork tensor_parallel(const DecodeWork& work, int gpus);

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

  [[nodiscard]] double seconds() const {
    return overhead_s + std::max(weights_s, products_s) + caches_s + reduces_s;
  }
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

// From one token of a sequence to its next: an iteration and the prompts computed beside it.
[[nodiscard]] double decode_period_seconds(const DecodeWork& work,
                                           const DecodeGpu& gpu,
                                           const DecodeLoad& load,
                                           double sequences);

// Sequences of `tokens` in all whose caches fit beside the weights; 0: the weights do not fit.
[[nodiscard]] int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, int tokens);

// With `load.sequences_per_s` = 0: one sequence alone. Saturated: the figures are those of the most
// sequences that fit, and the queue grows. In all of these `work` is one GPU's part.
[[nodiscard]] DecodePoint serve_decode(const DecodeWork& work,
                                       const DecodeGpu& gpu,
                                       const DecodeLoad& load);

// A replica that takes `factor` times as long for everything.
[[nodiscard]] DecodeGpu slowed(const DecodeGpu& gpu, double factor);

}  // namespace rightsize
