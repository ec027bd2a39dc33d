// What a language model asks of a GPU token by token, and what of it falls to one of several that
// share the network.
//
// Tensor parallel over the g GPUs of a node, each holds and does 1/g of everything, and two
// all-reduces a layer join what they found: b x width numbers each, a ring or a tree over the
// node's links, whichever is shorter. Heads of keys and values, where there are fewer than g, are
// held more than once, and so are the matrices that choose experts. Shoeybi et al., "Megatron-LM",
// 2019, section 3.
//
// GPUs that share a mixture of experts may have attention whole, each for sequences of its own, and
// share what is behind it ("data-parallel attention"): caches lie on one GPU each instead of heads
// on all, attention's matrices on every one, and there is one exchange of all tokens a layer, there
// and back, which takes as long as an all-reduce. "DeepSeek-V3 Technical Report", 2024, section
// 3.4. Sequences are taken to be spread evenly, and tokens over experts.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/network.h"
#include "models/laws/attention_sharing.h"
#include "models/laws/decode_form.h"
#include "models/laws/length_spread.h"

namespace rightsize {

struct DecodeWork {
  double weight_bytes = 0;        // held
  double table_bytes = 0;         // of them, the table of tokens, of which a row is read
  double tower_bytes = 0;         // of them, what sees pictures: read for a prompt's alone
  double expert_bytes = 0;        // of them, experts', of which those are read that a token takes
  double expert_share = 0;        // that one token takes, of all experts of a layer
  double router_bytes = 0;        // what chooses them: never narrow, on every GPU
  double wide_bytes = 0;          // of those read, what is never narrow: the head, norms, routers
  int experts = 0;                // of a layer
  int mixtures = 0;               // layers of experts
  int blocks = 0;                 // of attention and what is behind it
  double kv_bytes_per_token = 0;  // of one sequence, all layers
  double window_kv_bytes_per_token = 0;  // of them, layers' that hold the last `window` tokens only
  double window = 0;
  // The same of layers that read what others cache, once more.
  double shared_kv_bytes_per_token = 0;
  double shared_window_kv_bytes_per_token = 0;
  // Of one sequence, however long: what its recurrences keep, which a token reads and writes.
  double state_bytes = 0;
  double flops_per_token = 0;  // of the matrices
  // Of a prompt but its cached part, in the mean of all; the head's of its last token alone.
  double prompt_flops = 0;
  double prompt_curve = 0;  // PromptSpread's
  double tower_flops = 0;   // of a prompt's pictures, before it (picture_prompts.h)
  // Attention's, where so many heads read what is cached that they may take longer than reading it
  // (latents); 0: they do not count.
  double flops_per_cached_token = 0;
  // Of tensor parallelism.
  int heads = 1;
  int kv_heads = 1;
  double attention_bytes = 0;         // of the weights, matrices before and behind attention
  double prompt_attention_flops = 0;  // of a prompt, those matrices' and attention's, in the mean
  int reduces = 0;                    // of an iteration, and of a prompt
  double reduce_bytes_per_token = 0;  // of one of them
  int engines = 1;                    // with sequences of their own: GPUs that share by these
};

// By one token, in all layers.
[[nodiscard]] inline double taken_experts(const DecodeWork& work) {
  return work.mixtures * work.experts * work.expert_share;
}

struct DecodeLoad {
  double sequences_per_s = 0;
  int prompt_tokens = 512;
  int output_tokens = 128;
  // Of the prompt, its first ones, whose keys and values the server has from before: they are
  // attended to and lie in the sequence's caches, and are not computed again.
  int cached_tokens = 0;
  // Standard deviations over sequences (length_spread.h); the share of a prompt that is cached is
  // the same in all. 0: all are as long.
  double prompt_stddev = 0;
  double output_stddev = 0;
  // Sequences that come together, in the mean of a geometric number.
  double burst = 1;

  [[nodiscard]] int computed_tokens() const { return prompt_tokens - cached_tokens; }
  [[nodiscard]] double prompt_cv() const { return prompt_stddev / prompt_tokens; }
  // Variance over mean of those that come in a while.
  [[nodiscard]] double dispersion() const { return 2 * burst - 1; }
  [[nodiscard]] OutputSpread outputs() const { return {output_stddev / output_tokens}; }
  // Of one in flight, from its prompt to its end; who looks finds long ones, which stay the longer.
  [[nodiscard]] int tokens() const {
    return prompt_tokens + static_cast<int>(std::ceil(output_tokens * outputs().mean_square()));
  }
  [[nodiscard]] double tokens_stddev() const {  // likewise
    return std::hypot(prompt_stddev, output_tokens * std::sqrt(outputs().variance_in_flight()));
  }
};

// Keys and values of a sequence of so many tokens, and its states.
[[nodiscard]] inline double sequence_cache_bytes(const DecodeWork& work, double tokens) {
  return work.kv_bytes_per_token * tokens -
         work.window_kv_bytes_per_token * std::max(0.0, tokens - work.window) + work.state_bytes;
}

// Of these, what one more token moves: keys and values are read, by each layer that uses them,
// states written too.
[[nodiscard]] inline double moved_cache_bytes(const DecodeWork& work, double tokens) {
  return sequence_cache_bytes(work, tokens) + work.state_bytes +
         work.shared_kv_bytes_per_token * tokens -
         work.shared_window_kv_bytes_per_token * std::max(0.0, tokens - work.window);
}

// Of one of them, in the mean.
[[nodiscard]] inline double mean_cache_bytes(const DecodeWork& work, double tokens) {
  return sequence_cache_bytes(work, tokens) / tokens;
}

// Tokens in a sequence's caches, in the mean over the time that it writes and over those that
// write.
[[nodiscard]] inline double mean_context(const DecodeLoad& load) {
  return load.prompt_tokens + load.output_tokens * load.outputs().mean_square() / 2.0;
}

// Per token and prompt at `load`'s lengths; `network` can generate (causal attention). The table of
// tokens, the head and what chooses experts keep the precision, whatever the weights' format.
[[nodiscard]] DecodeWork decode_work(const Network& network,
                                     const DecodeForm& form,
                                     const DecodeLoad& load);

// Makes work whose prompts are all as long as the mean that of the load's, which spread.
void spread_prompts(const DecodeLoad& load, DecodeWork& work);

// Whether so many GPUs can share the network: whole heads each.
[[nodiscard]] bool divides_heads(const DecodeWork& work, int gpus);

// One GPU's part of the work of `gpus`, which divide the heads.
[[nodiscard]] DecodeWork tensor_parallel(const DecodeWork& work, int gpus);

// The mean GPU's part where each has attention whole for its own sequences.
[[nodiscard]] DecodeWork attention_parallel(const DecodeWork& work, int gpus);

// How so many GPUs, which divide the heads, can share a network's attention.
[[nodiscard]] std::vector<AttentionSharing> attention_sharings(const DecodeWork& work, int gpus);

// One GPU's part.
[[nodiscard]] DecodeWork shared_work(const DecodeWork& work, int gpus, AttentionSharing sharing);

}  // namespace rightsize
