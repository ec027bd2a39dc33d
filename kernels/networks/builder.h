// Writes a Network layer by layer, working out the shapes. Each call appends one layer and returns
// its index, to be handed to later calls; throws NetworkError when shapes do not fit.
#pragma once

#include <string>
#include <vector>

#include "kernels/network.h"

namespace rightsize {

// A square window; pooling and convolution round the output size down.
struct Window {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t pad = 0;
  std::int64_t groups = 1;
  std::int64_t more_pad = 0;  // below and to the right, on top of `pad`
  std::int64_t dilation = 1;
};

// A window of any form, for the layers that are not square.
struct WindowHw {
  std::int64_t kernel_h = 1;
  std::int64_t kernel_w = 1;
  std::int64_t stride_h = 1;
  std::int64_t stride_w = 1;
  std::int64_t pad_h = 0;
  std::int64_t pad_w = 0;
  std::int64_t more_pad_h = 0;
  std::int64_t more_pad_w = 0;
  std::int64_t dilation_h = 1;
  std::int64_t dilation_w = 1;
  std::int64_t groups = 1;
};

// As Layer's lrn_ fields; AlexNet's by default.
struct ResponseNorm {
  std::int64_t size = 5;
  float alpha = 1e-4F;
  float beta = 0.75F;
  float k = 1.0F;
};

struct AttentionShape {
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t head_dim = 64;
  bool causal = false;
  double rotary_base = 0;      // > 0: rotary position embedding
  std::int64_t window = 0;     // as Layer::window
  std::int64_t distances = 0;  // as Layer::distances
};

// DeepSeek-AI, "DeepSeek-V2", 2024, section 2.1: see Layer::latent.
struct LatentShape {
  std::int64_t heads = 1;
  std::int64_t head_dim = 64;  // of queries and keys, beside what turns
  std::int64_t rotary_dim = 64;
  std::int64_t value_dim = 64;
  std::int64_t latent = 512;
};

struct ExpertsShape {
  std::int64_t experts = 1;
  std::int64_t per_token = 1;
  std::int64_t hidden = 1;  // features of one, between its matrices
  bool gated = true;        // Layer::gated
};

// As Layer's fields of the same names; out of it come heads x head_dim features.
struct RecurrenceShape {
  StateRule rule = StateRule::mamba2;
  std::int64_t heads = 1;
  std::int64_t head_dim = 64;
  std::int64_t groups = 1;  // Layer::kv_heads; of mamba 0
  std::int64_t state_dim = 128;
  std::int64_t kernel = 4;  // positions that the convolution sees
  std::int64_t step_rank = 0;
  bool bias = true;  // of the convolution
  bool norm = true;
  bool wide_state = false;
};

// Features that such a layer reads: what gates, what is convolved, numbers of each head.
[[nodiscard]] std::int64_t packed_features(const RecurrenceShape& shape);

class NetworkBuilder {
 public:
  NetworkBuilder(std::string name, std::string title, FeatureShape input, int classes);
  // Reads `sequence` token ids below `vocabulary` per item.
  static NetworkBuilder of_tokens(std::string name,
                                  std::string title,
                                  std::int64_t sequence,
                                  std::int64_t vocabulary,
                                  int classes);

  // Hears `frames` of the spectrum of a sound, of so many bins each.
  static NetworkBuilder of_sound(
      std::string name, std::string title, std::int64_t bins, std::int64_t frames, int classes);

  [[nodiscard]] int input() const { return 0; }

  int convolution(
      const std::string& name, int from, std::int64_t channels, Window window, bool bias);
  int convolution_hw(
      const std::string& name, int from, std::int64_t channels, const WindowHw& window, bool bias);
  int fully_connected(const std::string& name, int from, std::int64_t features);  // with bias
  int batch_norm(const std::string& name, int from, float epsilon = 1e-5F);
  int relu(const std::string& name, int from);
  int max_pool(const std::string& name, int from, Window window);
  int average_pool(const std::string& name, int from, Window window, bool count_padding = true);
  int global_average_pool(const std::string& name, int from);
  int local_response_norm(const std::string& name, int from, ResponseNorm norm = {});
  int dropout(const std::string& name, int from, float rate);
  int add(const std::string& name, std::vector<int> from);
  // `alpha`: of leaky_relu and elu.
  int activation(const std::string& name, int from, Activation function, float alpha = 1);
  int multiply(const std::string& name, int a, int b);
  int concat(const std::string& name, std::vector<int> from);
  int take_channels(const std::string& name, int from, std::int64_t first, std::int64_t channels);
  int shuffle_channels(const std::string& name, int from, std::int64_t groups);

  // `each`: positions that one place of the image becomes, and its channels are shared among.
  int to_sequence(const std::string& name, int from, std::int64_t each = 1);
  int to_image(const std::string& name, int from, std::int64_t height, std::int64_t width);
  int take_position(const std::string& name, int from, std::int64_t position);
  // Where a bidirectional LSTM has come to in either direction.
  int final_state(const std::string& name, int from);
  int class_token(const std::string& name, int from);
  int embedding(const std::string& name, int from, std::int64_t vocabulary, std::int64_t features);
  // By the table of another.
  int tied_embedding(const std::string& name, int from, int embedding);
  int one_hot(const std::string& name, int from, std::int64_t vocabulary);
  int position_embedding(const std::string& name,
                         int from,
                         std::int64_t positions,
                         std::int64_t segments = 0);
  int linear(const std::string& name, int from, std::int64_t features, bool bias);
  // The transposed table of `embedding` as weights.
  int tied_linear(const std::string& name, int from, int embedding, bool bias = false);
  int layer_norm(const std::string& name, int from, float epsilon = 1e-5F);
  int rms_norm(const std::string& name, int from, float epsilon = 1e-5F);
  int attention(const std::string& name, int from, AttentionShape shape);
  // Causal; of queries, of keys and values made of latents, and of what turns.
  int latent_attention(
      const std::string& name, int queries, int made, int turned, const LatentShape& shape);
  int gated_silu(const std::string& name, int from);
  // `scores`: a layer with one feature for each expert, and one more where a shared part of the
  // caller's has a gate.
  int experts(const std::string& name, int from, int scores, ExpertsShape shape);
  // Of an input of packed_features(shape).
  int linear_recurrence(const std::string& name, int from, const RecurrenceShape& shape);
  int lstm(const std::string& name,
           int from,
           std::int64_t hidden,
           bool bidirectional = false,
           bool carries_state = false);

  // What a step is handed beside the input; of a shape of its own.
  int given(const std::string& name, FeatureShape shape);
  int group_norm(const std::string& name, int from, std::int64_t groups);
  int upsample(const std::string& name, int from, std::int64_t times);
  int gated_gelu(const std::string& name, int from);
  int join_positions(const std::string& name, std::vector<int> from);
  int take_positions(const std::string& name, int from, std::int64_t first, std::int64_t count);
  // `from` plus one number for each channel.
  int shift(const std::string& name, int from, int vector);
  // A sequence of patches of patch x patch positions each, {c, T, 1}, as an image again.
  int unpatch(const std::string& name,
              int from,
              std::int64_t patch,
              std::int64_t height,
              std::int64_t width);
  // A norm whose scale and shift somebody else makes.
  int plain_layer_norm(const std::string& name, int from);
  // RMSNorm of the features of each head, by a scale that heads share.
  int head_norm(const std::string& name, int from, std::int64_t heads);
  // Queries of one sequence to the keys and values, side by side, of another or the same.
  int attention_to(const std::string& name, int queries, int keys_values, std::int64_t heads);

  // Causal, of queries to the keys and values of an earlier attention, `owner`
  // (builder_shared.cpp).
  int attention_beside(const std::string& name,
                       int queries,
                       int owner,
                       const AttentionShape& shape);
  // All layers from `first` on have the parameters of those from `owner` on, of as many and of the
  // same kinds: linear ones and layer norms.
  void share_parameters(int first, int owner);

  // For detectors and segmenters. The weights and biases of another convolution, `like`, as well.
  int tied_convolution(const std::string& name, int from, int like);
  int transposed_convolution(
      const std::string& name, int from, std::int64_t channels, std::int64_t times, bool bias);
  // As upsample, but linear between neighbours.
  int interpolate(const std::string& name, int from, std::int64_t times);
  // Of the first groups x bins features of a position groups features, the rest as it is.
  int expected_bin(const std::string& name, int from, std::int64_t groups, std::int64_t bins);

  // For recommenders, whose input is ids: counts first, then what tables are looked up by.
  int log_counts(const std::string& name, int from, std::int64_t counts);
  // Rows of `width` of each table, by the ids from `first` on.
  int embedding_bags(const std::string& name,
                     int from,
                     std::int64_t first,
                     std::vector<EmbeddingTable> tables,
                     std::int64_t width,
                     TableUpdate update);
  // `features` at least as many as there are; 0: just so many.
  int pairwise_dots(const std::string& name, int vector, int vectors, std::int64_t features = 0);

  // Layers from here on are passed so often, in so many copies (Layer::passes, copies).
  void repeat(std::int64_t passes, std::int64_t copies);
  // Matrices of linear layers from here on lie in memory in so many bits; 0: in the precision's.
  void quantize(std::int64_t bits) { weight_bits_ = bits; }
  // Layers from here on are a block, or none (Layer::block).
  void begin_block() { block_ = ++blocks_; }
  void end_block() { block_ = 0; }

  [[nodiscard]] const FeatureShape& shape(int layer) const;

  // Appends the loss over `from` and gives the network away.
  [[nodiscard]] Network finish(int from, Optimizer optimizer = Optimizer::sgd);
  // The same of a denoiser, whose target has the shape of what it makes.
  [[nodiscard]] Network finish_denoiser(int from);
  // Of a segmenter, which has scores at every position of an image.
  [[nodiscard]] Network finish_segmenter(int from, Optimizer optimizer = Optimizer::sgd);
  // Of what tells how likely one of two things is, by one score.
  [[nodiscard]] Network finish_binary(int from, Optimizer optimizer = Optimizer::sgd);
  // Of a detector: `from` is a sequence of positions, each with a box and its scores. Its classes
  // are those of objects and one, the first, for none.
  [[nodiscard]] Network finish_detector(int from, std::int64_t box_features, Scoring scoring);

 private:
  Layer& append(const std::string& name, LayerKind kind, std::vector<int> from);
  int windowed(const std::string& name, LayerKind kind, int from, const WindowHw& window);
  // Halves the features: one half goes through the other.
  int gated(const std::string& name, LayerKind kind, int from);
  [[noreturn]] void refuse(const std::string& layer, const std::string& why) const;
  // By the first such attention's table.
  void know_distances(Layer& layer, std::int64_t distances) const;
  [[nodiscard]] int last() const { return static_cast<int>(network_.layers.size()) - 1; }

  Network network_;
  std::int64_t passes_ = 1;
  std::int64_t copies_ = 1;
  std::int64_t weight_bits_ = 0;
  std::int64_t block_ = 0;
  std::int64_t blocks_ = 0;
};

}  // namespace rightsize
