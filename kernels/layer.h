// One layer of a network, with the shapes a performance model and an engine both need.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rightsize {

// Channels x height x width of one item. A flat vector of n features is {n, 1, 1}; a sequence of T
// positions with d features each is {d, T, 1}, stored position by position (NHWC order); T token
// ids are {1, T, 1}.
struct FeatureShape {
  std::int64_t c = 0;
  std::int64_t h = 1;
  std::int64_t w = 1;

  [[nodiscard]] std::int64_t elements() const { return c * h * w; }
  [[nodiscard]] std::int64_t positions() const { return h * w; }
  bool operator==(const FeatureShape&) const = default;
};

enum class LayerKind {
  input,
  convolution,      // kernel, stride, padding, dilation, groups, bias
  fully_connected,  // flattens its input (c, h, w order); bias
  batch_norm,       // scale and shift per channel
  relu,
  max_pool,
  average_pool,
  global_average_pool,  // out is {c, 1, 1}: the mean over all positions
  local_response_norm,  // across channels, AlexNet's
  dropout,
  add,  // element-wise sum of all inputs

  activation,        // element-wise, see Activation
  multiply,          // element-wise product of two inputs; the second may be {c, 1, 1}
  concat,            // along channels, in the order of the inputs
  take_channels,     // {C, h, w} -> {c, h, w}: channels first_channel .. first_channel + c - 1
  shuffle_channels,  // channel i C / groups + j goes to j groups + i (ShuffleNet's)

  // sequences
  to_sequence,         // {c, h, w} -> {c, h w, 1}: the same bytes in NHWC order; or with c / k
                       // features at k h w positions, the k of one place side by side
  to_image,            // {c, T, 1} -> {c, h, w}, T = h w: and back
  take_position,       // {c, T, 1} -> {c, 1, 1}: position `position`, counted from the end if < 0;
                       // bidirectional: the second half of the channels at the mirrored position
  class_token,         // puts one learned position in front: {c, T, 1} -> {c, T + 1, 1}
  embedding,           // token ids -> rows of a learned table of `vocabulary` x c
  one_hot,             // token ids -> {vocabulary, T, 1} of zeros and ones
  position_embedding,  // adds row t of a learned table to position t, and row 0 of `segments` more
  linear,              // the same matrix at every position; weights may be an embedding's table
  layer_norm,          // over the channels of each position; scale and shift
  rms_norm,            // over the channels of each position, or of each of its heads; scale
  attention,           // in: queries, keys, values side by side; see heads
  gated_silu,          // {2 f, T, 1} -> {f, T, 1}: silu(first half) * second half (SwiGLU)
  experts,             // of `experts` feed-forward parts of `hidden` features (see `gated`) each
                       // position takes `experts_per_token`, by the scores of the second input, and
                       // adds up what they make; predicted, not run
  linear_recurrence,   // a state of one size in the place of a cache, see StateRule; predicted, not
                       // run
  lstm,                // out.c = hidden, or 2 hidden where bidirectional

  // pictures made of noise (networks/diffusion); by the CPU engine, on GPUs predicted
  given,           // what a step is handed beside the input: noise, features of a prompt
  group_norm,      // over positions and the channels of each group; scale and shift per channel
  upsample,        // each position kernel_h x kernel_w times; see interpolates
  gated_gelu,      // {2 f, T, 1} -> {f, T, 1}: first half * gelu(second half) (GEGLU)
  join_positions,  // sequences of as many features, one behind the other
  take_positions,  // {c, T, 1} -> {c, t, 1}: t positions from `position` on

  // detectors and segmenters (networks/detection); by the CPU engine, on GPUs predicted
  transposed_convolution,  // each position becomes a window of kernel_h x kernel_w, as large as its
                           // stride; bias
  expected_bin,  // of the first `groups` times `bins` features of a position each group becomes
                 // the mean of 0 .. bins - 1 under its softmax; what follows is handed on

  // recommenders (networks/recommendation); by the CPU engine, on GPUs predicted
  log_counts,      // token ids -> {c, 1, 1}: log(1 + id) of the first c of them
  embedding_bags,  // token ids -> {c, 1, 1}: of each of `tables` the sum of the rows that its ids
                   // choose, side by side
  pairwise_dots,   // {d, 1, 1} and {n d, 1, 1}, of n + 1 vectors in all -> {c, 1, 1}: the first one
                   // as it is, the dot products of each two, and zeros

  detection_loss,  // of positions that find objects: see box_features; out is box and scores
  squared_error,   // against a target of the same shape, the loss of a denoiser; out is its input
  softmax_loss,    // softmax + cross-entropy against the label of each position; a label < 0 counts
                   // for nothing; out is the class scores. One score alone is label 1's against a
                   // zero of label 0's: sigmoid + binary cross-entropy
};

enum class Activation {
  relu6,         // min(max(x, 0), 6)
  sigmoid,       // 1 / (1 + e^-x)
  tanh,          //
  gelu,          // x Phi(x), by the error function
  gelu_tanh,     // its tanh approximation (Hendrycks and Gimpel, 2016), GPT-2's
  silu,          // x sigmoid(x)
  hard_sigmoid,  // min(max(x / 6 + 1 / 2, 0), 1)
  hard_swish,    // x times that (Howard et al., "Searching for MobileNetV3", ICCV 2019)
  leaky_relu,    // x, below zero activation_alpha x
  elu,           // x, below zero activation_alpha (e^x - 1)
  squared_relu,  // max(x, 0)^2 (So et al., "Primer", NeurIPS 2021)
};

// How a linear_recurrence makes the state S of a head, head_dim x state_dim numbers, of the one
// before it. In front of it a causal convolution over each channel and SiLU, behind it a norm
// (`affine`) and a gate of SiLU. The input is, side by side: what gates, c; the channels that are
// convolved, values of heads x head_dim = c and the two vectors of each of kv_heads groups of
// heads; numbers of each head.
enum class StateRule {
  // S = a S + v b', out = S c, with a, b, c made of the channels inside the layer; a head is one
  // channel, and groups are none. Gu and Dao, "Mamba", 2023.
  mamba,
  // The same with one factor a for a head, of a step that the input has, and b, c convolved too.
  // Dao and Gu, "Transformers are SSMs", ICML 2024.
  mamba2,
  // S = a S (1 - b k k') + b v k', out = S q: what a key gave before is taken back first; two
  // numbers a head, a and b. Yang et al., "Gated Delta Networks", ICLR 2025.
  gated_delta,
  // The same with a factor for each number of a key, which the input has. Kimi Team, "Kimi Linear",
  // 2025.
  channel_delta,
  // S = a S + v k', out = S q, without a convolution; a of each head is set beforehand. MiniMax,
  // "MiniMax-01", 2025.
  lightning,
  // No state but the positions that the convolution sees, of what one gate has weighed; another
  // weighs what it makes. Liquid AI, "LFM2", 2025.
  gated_convolution,
};

// How a detection_loss reads the scores of a position, whose label is 0 where there is no object,
// and otherwise the number of its class, from 1 on.
enum class Scoring {
  softmax,     // one score for each class and one, the first, for no object: cross-entropy
  sigmoid,     // one for each class: binary cross-entropy of each
  objectness,  // the same behind one for any object; those of classes count at objects alone
};

// How tables of embedding_bags are trained. whole: as all else is, with a gradient of every row.
// Else an update touches the rows that a batch chose, and nothing is kept of the others' gradients:
// sgd: without momentum; adagrad: the sum of squares of each element's gradients is kept (Duchi et
// al., JMLR 2011). Such tables GPUs divide among themselves, while they all have the other layers.
enum class TableUpdate { whole, sgd, adagrad };

// Of embedding_bags; ids of an item stand behind those of the table before. One beyond the rows,
// and not beyond the largest table's, is taken modulo them (as the reference's --max-ind-range).
struct EmbeddingTable {
  std::int64_t rows = 0;
  std::int64_t ids = 1;  // of an item

  bool operator==(const EmbeddingTable&) const = default;
};

// `inputs` are indices of earlier layers in Network::layers, so the list is in topological order.
struct Layer {
  std::string name;
  LayerKind kind = LayerKind::input;
  std::vector<int> inputs;
  FeatureShape out;

  // convolution and pooling windows
  std::int64_t kernel_h = 0;
  std::int64_t kernel_w = 0;
  std::int64_t stride_h = 1;
  std::int64_t stride_w = 1;
  std::int64_t pad_h = 0;  // above; below it is pad_h + more_pad_h
  std::int64_t pad_w = 0;  // left; right of it is pad_w + more_pad_w
  std::int64_t more_pad_h = 0;
  std::int64_t more_pad_w = 0;
  std::int64_t dilation_h = 1;  // 1: neighbours
  std::int64_t dilation_w = 1;
  std::int64_t groups = 1;    // also of shuffle_channels
  bool bias = false;          // also of linear
  bool count_padding = true;  // average_pool: padding counts as zeros; else it is left out

  // local_response_norm: out = in / (k + alpha / size * sum over `size` channels of in^2)^beta
  std::int64_t lrn_size = 5;
  float lrn_alpha = 1e-4F;
  float lrn_beta = 0.75F;
  float lrn_k = 1.0F;

  float dropout_rate = 0.5F;
  float epsilon = 1e-5F;  // batch_norm, layer_norm, rms_norm, group_norm
  bool affine = true;     // layer_norm, rms_norm: a scale (and shift) is learned;
                          // linear_recurrence: what it makes is normalised, of mamba what it
                          // makes steps and vectors of
  Activation activation = Activation::relu6;
  float activation_alpha = 1;      // leaky_relu, elu
  std::int64_t first_channel = 0;  // take_channels

  // embedding, one_hot: rows of the table; position_embedding: rows, at least as many as positions
  std::int64_t vocabulary = 0;
  std::int64_t segments = 0;     // position_embedding: rows of a second table (BERT's token types)
  std::int64_t position = 0;     // take_position, take_positions; embedding_bags: of the first id
  int tied_to = -1;              // linear: use the table of this embedding layer, transposed;
                                 // embedding: use it too; convolution, linear, layer_norm,
                                 // attention: use all parameters of this one of the same kind
  std::int64_t weight_bits = 0;  // linear: > 0: of its matrix in memory, where nothing is trained;
                                 // widened before each product (quantized_weights.h)

  // attention: the input is heads x head_dim queries, then kv_heads x head_dim keys, then as many
  // values; out.c = heads x head_dim. Head i reads the keys of i / (heads / kv_heads).
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  bool causal = false;      // position t sees positions 0 .. t
  std::int64_t window = 0;  // > 0: the last so many of these; not causal: half on either side
  std::int64_t keys = 0;    // > 0: not causal; the input is the queries alone, and a second one has
                            // the keys and values of so many positions
  int keys_of = -1;         // causal; the input is the queries alone, and keys and values are those
                     // of this earlier attention, which alone caches them. Predicted, not run
  std::int64_t distances = 0;  // > 0: scores are also of words and of their distances, each of
                               // which has a learned row of a table of so many (He et al.,
                               // "DeBERTa", ICLR 2021), normalised; keys and queries of the rows
                               // are by the words' matrices. Predicted, not run
  double rotary_base = 0;  // > 0: rotary position embedding of queries and keys (RoPE), halves
                           // rotated against each other as in Llama's published code
  // > 0: keys and values are made of so many features, the latents, which the cache holds beside
  // `rotary_dim` features that turn and are the keys of all heads (MLA). Inputs are then the
  // queries, heads x (head_dim + rotary_dim); keys and values, heads x (head_dim + value_dim); what
  // turns; out.c = heads x value_dim. Predicted, not run.
  std::int64_t latent = 0;
  std::int64_t rotary_dim = 0;
  std::int64_t value_dim = 0;
  std::int64_t hidden = 0;  // lstm, experts
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  bool gated = true;  // experts: of three matrices (SwiGLU); else of two, between which is a
                      // squared ReLU
  // linear_recurrence: heads x head_dim = out.c; kernel_h positions are convolved
  StateRule rule = StateRule::mamba2;
  std::int64_t state_dim = 0;
  std::int64_t step_rank = 0;  // mamba: features that the steps of all channels are made of
  bool wide_state = false;     // the state is FP32, whatever the precision
  bool interpolates = false;  // upsample: linear between neighbours, whose values are in the middle
                              // of what they become (align_corners=False); else each is repeated
  std::int64_t bins = 0;      // expected_bin
  // detection_loss: the first features of a position are its box, those behind it scores. Smooth L1
  // of the box (Girshick, "Fast R-CNN", ICCV 2015) at positions that hold an object, plus the
  // scores' loss at all with a label of at least 0, by the number of objects.
  std::int64_t box_features = 0;
  Scoring scoring = Scoring::softmax;
  std::vector<EmbeddingTable> tables;  // embedding_bags: each with rows of c / tables.size()
  TableUpdate table_update = TableUpdate::sgd;
  bool bidirectional = false;
  bool carries_state = false;  // lstm: a step starts from the state the last one ended in

  // Of an item that a network works on step by step (a picture that is denoised) each step passes
  // the layer, `passes` in all, with so many `copies` side by side (with a prompt and without).
  std::int64_t passes = 1;
  std::int64_t copies = 1;
  std::int64_t block = 0;  // > 0: layers of one number are a block (network_blocks.h)

  // attention: of so many positions, what one of them sees at most
  [[nodiscard]] std::int64_t most_seen(std::int64_t length) const {
    return keys > 0 ? keys : window > 0 && window < length ? window : length;
  }
  // attention: features of a position that one more token reads, and of them those in a cache of
  // its own
  [[nodiscard]] std::int64_t read_features() const {
    return latent > 0 ? latent + rotary_dim : 2 * kv_heads * head_dim;
  }
  [[nodiscard]] std::int64_t cached_features() const { return keys_of >= 0 ? 0 : read_features(); }

  // linear_recurrence: channels that are convolved; and what a sequence keeps from one position to
  // the next, the last positions of these and the state
  [[nodiscard]] std::int64_t convolved() const { return out.c + 2 * kv_heads * state_dim; }
  [[nodiscard]] std::int64_t convolved_elements() const {
    return kernel_h > 1 ? (kernel_h - 1) * convolved() : 0;
  }
  [[nodiscard]] std::int64_t state_elements() const { return out.c * state_dim; }

  // embedding_bags: rows of all tables together, what an item looks up of them, and whether an
  // update leaves the others alone
  [[nodiscard]] std::int64_t table_rows() const {
    std::int64_t sum = 0;
    for (const auto& table : tables) {
      sum += table.rows;
    }
    return sum;
  }
  [[nodiscard]] std::int64_t looked_up() const {
    std::int64_t sum = 0;
    for (const auto& table : tables) {
      sum += table.ids;
    }
    return sum;
  }
  [[nodiscard]] std::int64_t row_elements() const {
    return out.c / static_cast<std::int64_t>(tables.size());
  }
  [[nodiscard]] bool updates_rows() const {
    return kind == LayerKind::embedding_bags && table_update != TableUpdate::whole;
  }

  bool operator==(const Layer&) const = default;
};

}  // namespace rightsize
