// Encoders of text, as the classes of Hugging Face's transformers shape them. Dropout on attention
// weights is left out.
#include "kernels/networks/encoder.h"

#include <fmt/format.h>

#include "kernels/networks/transformer_block.h"

namespace rightsize {
namespace {

// Without a shift RMSNorm stands for it, which does not take the mean away: as many parameters, and
// the same passes over memory.
int norm(NetworkBuilder& net, const EncoderConfig& config, const std::string& name, int from) {
  const auto epsilon = static_cast<float>(config.norm_epsilon);
  return config.shifted ? net.layer_norm(name, from, epsilon) : net.rms_norm(name, from, epsilon);
}

int drop(NetworkBuilder& net, const EncoderConfig& config, const std::string& name, int from) {
  return config.dropped > 0 ? net.dropout(name, from, config.dropped) : from;
}

int attend(NetworkBuilder& net, const EncoderConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const bool whole = config.window == 0 || (number - 1) % config.whole_every == 0;
  const AttentionShape shape{
      .heads = config.heads,
      .kv_heads = config.heads,
      .head_dim = config.width / config.heads,
      .rotary_base = whole ? config.rotary_base : config.windowed_rotary_base,
      .window = whole ? 0 : config.window,
      .distances = config.distances};
  return drop(net, config, name + "_drop1", self_attention(net, name, from, shape, config.biases));
}

int feed(NetworkBuilder& net, const EncoderConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  const FeedForward part{.width = config.feed_forward,
                         .activation = config.activation,
                         .biases = config.biases && config.feed_biases};
  const int x = config.gated ? gated_feed_forward(net, name, from, part)
                             : feed_forward(net, name, from, part);
  return drop(net, config, name + "_drop2", x);
}

// The first block's first norm would be the embeddings' again.
int norms_first(NetworkBuilder& net, const EncoderConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  int x = number == 1 ? from : norm(net, config, name + "_norm1", from);
  x = net.add(name + "_sum1", {attend(net, config, number, x), from});
  const int y = norm(net, config, name + "_norm2", x);
  return net.add(name + "_sum2", {feed(net, config, number, y), x});
}

// The norms behind the sums, as in the first transformer.
int norms_behind(NetworkBuilder& net, const EncoderConfig& config, int number, int from) {
  const auto name = fmt::format("block{}", number);
  int x = net.add(name + "_sum1", {attend(net, config, number, from), from});
  const int y = norm(net, config, name + "_norm1", x);
  x = net.add(name + "_sum2", {feed(net, config, number, y), y});
  return norm(net, config, name + "_norm2", x);
}

// He et al., "DeBERTa", section 5 of v2's release: neighbours of what the first block reads, beside
// what it makes.
int convolve_beside(NetworkBuilder& net, const EncoderConfig& config, int words, int from) {
  const auto positions = net.shape(words).positions();
  int x = net.to_image("beside_image", words, positions, 1);
  const WindowHw window{.kernel_h = config.convolved, .pad_h = config.convolved / 2};
  x = net.convolution_hw("beside", x, config.width, window, true);
  x = net.to_sequence("beside_sequence", x);
  x = net.activation("beside_activation", drop(net, config, "beside_drop", x), config.activation);
  return norm(net, config, "beside_norm", net.add("beside_sum", {x, from}));
}

// Blocks count from 1. `words`: what the first one read.
int block(NetworkBuilder& net, const EncoderConfig& config, int number, int words, int from) {
  const int x = config.norms_first ? norms_first(net, config, number, from)
                                   : norms_behind(net, config, number, from);
  if (config.one_block && number > 1) {
    net.share_parameters(from + 1, words + 1);
  }
  return config.convolved > 0 && number == 1 ? convolve_beside(net, config, words, x) : x;
}

int embed(NetworkBuilder& net, const EncoderConfig& config, int words) {
  int x = words;
  if (config.positions > 0) {
    x = net.position_embedding("positions", words, config.positions, config.token_types);
  }
  x = norm(net, config, "embedding_norm", x);
  x = drop(net, config, "embedding_drop", x);
  return net.shape(x).c == config.width ? x
                                        : net.linear("embedding_projection", x, config.width, true);
}

int transform(NetworkBuilder& net, const EncoderConfig& config, std::int64_t width, int from) {
  int x = net.linear("transform", from, width, !config.transforms);
  x = net.activation("transform_activation", x, config.activation);
  return norm(net, config, "transform_norm", x);
}

// What a sequence becomes, through the dense layer that only such heads have.
int pool(NetworkBuilder& net, const EncoderConfig& config, bool dense, int from) {
  int x = config.mean ? net.global_average_pool("mean", from) : net.take_position("first", from, 0);
  if (!dense) {
    return x;
  }
  if (config.transforms) {
    return transform(net, config, config.width, x);
  }
  x = net.linear("pooler", x, config.width, true);
  return config.pooled ? net.activation("pooler_activation", x, *config.pooled)
                       : net.relu("pooler_activation", x);
}

int end(NetworkBuilder& net, const EncoderConfig& config, int words, int from) {
  int x = from;
  switch (config.head) {
    case EncoderHead::features:
      return pool(net, config, config.pooler, x);
    case EncoderHead::masked_words:
      x = transform(net, config, net.shape(words).c, x);
      return config.tied ? net.tied_linear("head", x, words, true)
                         : net.linear("head", x, config.vocabulary, true);
    case EncoderHead::pooled_scores:
      x = pool(net, config, true, x);
      break;
    case EncoderHead::scores:
      x = config.transforms ? transform(net, config, config.width, x) : x;
      break;
  }
  x = drop(net, config, "head_drop", x);
  return net.linear("head", x, config.outputs, true);
}

std::int64_t scores_of(const EncoderConfig& config) {
  return config.head == EncoderHead::masked_words ? config.vocabulary
         : config.head == EncoderHead::features   ? config.width
                                                  : config.outputs;
}

std::vector<std::string> notes_of(const EncoderConfig& config) {
  auto notes = config.notes;
  if (!config.shifted) {
    notes.emplace_back(
        "its layer norms, which have no shifts, are RMSNorm here: as many parameters, and the same "
        "passes over memory");
  }
  if (config.head == EncoderHead::features) {
    notes.emplace_back(
        "it ends in the vector of a text; in training the loss over a minibatch's pairs counts as "
        "a "
        "softmax over the vector, as little work");
  } else if (config.head == EncoderHead::pooled_scores && config.outputs == 1) {
    notes.emplace_back(
        "its one score is trained by a loss of its own; here that is a softmax of one class, from "
        "which it learns nothing: as much work");
  }
  if (config.distances > 0) {
    notes.emplace_back(
        "keys and queries of distances are made once a batch, which is left out: of a minibatch of "
        "8 texts as long as the table of distances about 2 % of a step");
  }
  return notes;
}

}  // namespace

Network make_encoder(const EncoderConfig& config, int sequence) {
  require_context(config.name, sequence, config.context);
  auto net = NetworkBuilder::of_tokens(
      config.name, config.title, sequence, config.vocabulary, static_cast<int>(scores_of(config)));
  const auto word_width = config.word_width > 0 ? config.word_width : config.width;
  const int words = net.embedding("words", net.input(), config.vocabulary, word_width);
  const int embedded = embed(net, config, words);
  int x = embedded;
  for (int i = 1; i <= config.layers; ++i) {
    x = block(net, config, i, embedded, x);
  }
  x = config.norms_first ? norm(net, config, "norm", x) : x;
  auto network = net.finish(end(net, config, words, x), Optimizer::adam);
  network.notes = notes_of(config);
  return network;
}

}  // namespace rightsize
