// The layers of sequences and the element-wise ones that came with them.
#include <utility>

#include <fmt/format.h>

#include "kernels/networks/builder.h"

namespace rightsize {

NetworkBuilder NetworkBuilder::of_tokens(std::string name,
                                         std::string title,
                                         std::int64_t sequence,
                                         std::int64_t vocabulary,
                                         int classes) {
  NetworkBuilder builder(std::move(name), std::move(title), {1, sequence, 1}, classes);
  builder.network_.input_kind = InputKind::tokens;
  builder.network_.vocabulary = vocabulary;
  return builder;
}

NetworkBuilder NetworkBuilder::of_sound(
    std::string name, std::string title, std::int64_t bins, std::int64_t frames, int classes) {
  NetworkBuilder builder(std::move(name), std::move(title), {bins, frames, 1}, classes);
  builder.network_.input_kind = InputKind::sound;
  return builder;
}

int NetworkBuilder::activation(const std::string& name,
                               int from,
                               Activation function,
                               float alpha) {
  auto& layer = append(name, LayerKind::activation, {from});
  layer.activation = function;
  layer.activation_alpha = alpha;
  return last();
}

int NetworkBuilder::multiply(const std::string& name, int a, int b) {
  const auto left = shape(a);
  const auto right = shape(b);
  if (left != right && right != FeatureShape{left.c, 1, 1}) {
    refuse(name,
           fmt::format("cannot multiply {}x{}x{} by {}x{}x{}; the second factor has the first "
                       "one's shape or is {}x1x1",
                       left.c,
                       left.h,
                       left.w,
                       right.c,
                       right.h,
                       right.w,
                       left.c));
  }
  append(name, LayerKind::multiply, {a, b});
  return last();
}

int NetworkBuilder::concat(const std::string& name, std::vector<int> from) {
  auto& layer = append(name, LayerKind::concat, std::move(from));
  layer.out.c = 0;
  for (const int input : layer.inputs) {
    const auto& in = shape(input);
    if (in.h != layer.out.h || in.w != layer.out.w) {
      refuse(name,
             fmt::format("{}x{} beside {}x{}: only channels are put side by side",
                         layer.out.h,
                         layer.out.w,
                         in.h,
                         in.w));
    }
    layer.out.c += in.c;
  }
  return last();
}

int NetworkBuilder::take_channels(const std::string& name,
                                  int from,
                                  std::int64_t first,
                                  std::int64_t channels) {
  const auto in = shape(from);
  if (first < 0 || channels < 1 || first > in.c - channels) {
    refuse(name, fmt::format("{} channels from {} on, of {}", channels, first, in.c));
  }
  auto& layer = append(name, LayerKind::take_channels, {from});
  layer.first_channel = first;
  layer.out.c = channels;
  return last();
}

int NetworkBuilder::shuffle_channels(const std::string& name, int from, std::int64_t groups) {
  if (groups < 1 || shape(from).c % groups != 0) {
    refuse(name, fmt::format("{} groups of {} channels", groups, shape(from).c));
  }
  append(name, LayerKind::shuffle_channels, {from}).groups = groups;
  return last();
}

int NetworkBuilder::to_sequence(const std::string& name, int from, std::int64_t each) {
  if (each < 1 || shape(from).c % each != 0) {
    refuse(name, fmt::format("{} channels for {} positions each", shape(from).c, each));
  }
  auto& layer = append(name, LayerKind::to_sequence, {from});
  layer.out = {layer.out.c / each, layer.out.positions() * each, 1};
  return last();
}

int NetworkBuilder::to_image(const std::string& name,
                             int from,
                             std::int64_t height,
                             std::int64_t width) {
  const auto in = shape(from);
  if (height < 1 || width < 1 || height * width != in.positions()) {
    refuse(name, fmt::format("{} positions as {}x{}", in.positions(), height, width));
  }
  append(name, LayerKind::to_image, {from}).out = {in.c, height, width};
  return last();
}

int NetworkBuilder::take_position(const std::string& name, int from, std::int64_t position) {
  const auto in = shape(from);
  if (position >= in.positions() || position < -in.positions()) {
    refuse(name, fmt::format("position {} of {}", position, in.positions()));
  }
  auto& layer = append(name, LayerKind::take_position, {from});
  layer.position = position;
  layer.out = {in.c, 1, 1};
  return last();
}

int NetworkBuilder::final_state(const std::string& name, int from) {
  const int index = take_position(name, from, -1);
  network_.layers.back().bidirectional = true;
  return index;
}

int NetworkBuilder::class_token(const std::string& name, int from) {
  ++append(name, LayerKind::class_token, {from}).out.h;
  return last();
}

int NetworkBuilder::linear(const std::string& name, int from, std::int64_t features, bool bias) {
  auto& layer = append(name, LayerKind::linear, {from});
  layer.out.c = features;
  layer.bias = bias;
  return last();
}

int NetworkBuilder::tied_linear(const std::string& name, int from, int embedding, bool bias) {
  const auto table = network_.layers.at(static_cast<std::size_t>(embedding));
  if (table.kind != LayerKind::embedding || table.out.c != shape(from).c) {
    refuse(name,
           fmt::format("weights of {}, which has {} features and not {}",
                       table.name,
                       table.out.c,
                       shape(from).c));
  }
  auto& layer = append(name, LayerKind::linear, {from});
  layer.out.c = table.vocabulary;
  layer.tied_to = embedding;
  layer.bias = bias;
  return last();
}

int NetworkBuilder::layer_norm(const std::string& name, int from, float epsilon) {
  append(name, LayerKind::layer_norm, {from}).epsilon = epsilon;
  return last();
}

int NetworkBuilder::rms_norm(const std::string& name, int from, float epsilon) {
  append(name, LayerKind::rms_norm, {from}).epsilon = epsilon;
  return last();
}

int NetworkBuilder::attention(const std::string& name, int from, AttentionShape attention) {
  const auto width = (attention.heads + 2 * attention.kv_heads) * attention.head_dim;
  if (shape(from).c != width || attention.heads % attention.kv_heads != 0 ||
      (attention.rotary_base > 0 && attention.head_dim % 2 != 0)) {
    refuse(name,
           fmt::format("{} heads and {} key-value heads of {} features do not fit an input of {}",
                       attention.heads,
                       attention.kv_heads,
                       attention.head_dim,
                       shape(from).c));
  }
  if (!attention.causal && attention.window > 0 && attention.window % 2 == 0) {
    refuse(name, "a window of as many positions before as behind is odd");
  }
  auto& layer = append(name, LayerKind::attention, {from});
  layer.heads = attention.heads;
  layer.kv_heads = attention.kv_heads;
  layer.head_dim = attention.head_dim;
  layer.causal = attention.causal;
  layer.rotary_base = attention.rotary_base;
  layer.window = attention.window;
  layer.out.c = attention.heads * attention.head_dim;
  if (attention.distances > 0) {
    know_distances(layer, attention.distances);
  }
  return last();
}

int NetworkBuilder::latent_attention(
    const std::string& name, int queries, int made, int turned, const LatentShape& latent) {
  if (shape(queries).c != latent.heads * (latent.head_dim + latent.rotary_dim) ||
      shape(made).c != latent.heads * (latent.head_dim + latent.value_dim) ||
      shape(turned).c != latent.rotary_dim || latent.latent < 1) {
    refuse(name,
           fmt::format("queries of {}, keys and values of {} and {} that turn do not go with {} "
                       "heads of {} + {} and {} features",
                       shape(queries).c,
                       shape(made).c,
                       shape(turned).c,
                       latent.heads,
                       latent.head_dim,
                       latent.rotary_dim,
                       latent.value_dim));
  }
  auto& layer = append(name, LayerKind::attention, {queries, made, turned});
  layer.heads = latent.heads;
  layer.kv_heads = latent.heads;
  layer.head_dim = latent.head_dim;
  layer.causal = true;
  layer.latent = latent.latent;
  layer.rotary_dim = latent.rotary_dim;
  layer.value_dim = latent.value_dim;
  layer.out.c = latent.heads * latent.value_dim;
  return last();
}

int NetworkBuilder::gated(const std::string& name, LayerKind kind, int from) {
  if (shape(from).c % 2 != 0) {
    refuse(name, fmt::format("{} features cannot be halved", shape(from).c));
  }
  append(name, kind, {from}).out.c /= 2;
  return last();
}

int NetworkBuilder::gated_silu(const std::string& name, int from) {
  return gated(name, LayerKind::gated_silu, from);
}

int NetworkBuilder::experts(const std::string& name, int from, int scores, ExpertsShape experts) {
  const auto scored = shape(scores);
  if (scored.positions() != shape(from).positions() || scored.c < experts.experts ||
      experts.per_token < 1 || experts.per_token > experts.experts) {
    refuse(name,
           fmt::format("{} of {} experts a token do not go with {} scores",
                       experts.per_token,
                       experts.experts,
                       scored.c));
  }
  auto& layer = append(name, LayerKind::experts, {from, scores});
  layer.experts = experts.experts;
  layer.experts_per_token = experts.per_token;
  layer.hidden = experts.hidden;
  layer.gated = experts.gated;
  return last();
}

int NetworkBuilder::lstm(const std::string& name,
                         int from,
                         std::int64_t hidden,
                         bool bidirectional,
                         bool carries_state) {
  auto& layer = append(name, LayerKind::lstm, {from});
  layer.hidden = hidden;
  layer.bidirectional = bidirectional;
  layer.carries_state = carries_state;
  layer.out.c = bidirectional ? 2 * hidden : hidden;
  return last();
}

}  // namespace rightsize
