// What the layers of sequences learn, and what they remember from step to step.
#include <cmath>

#include "kernels/gpu/operation.h"

namespace rightsize::gpu {
namespace {

// Of a learned table's normal noise, as GPT-2, BERT, ViT and Llama were started.
constexpr float table_deviation = 0.02F;

void add_table(Parameters& parameters, std::string name, std::int64_t rows, std::int64_t columns) {
  parameters.add(std::move(name), {rows, columns, 1}, {0, table_deviation}, Role::table);
}

void add_position_embedding(Parameters& parameters, const Layer& layer) {
  add_table(parameters, layer.name + ".weights", layer.vocabulary, layer.out.c);
  if (layer.segments > 0) {
    add_table(parameters, layer.name + ".segments", layer.segments, layer.out.c);
  }
}

void add_row_norm(Parameters& parameters, const Layer& layer) {
  const FilterShape features{layer.out.c, 1, 1};
  parameters.add(layer.name + ".scale", features, {1, 0}, Role::vector);
  if (layer.kind == LayerKind::layer_norm) {
    parameters.add(layer.name + ".shift", features, {}, Role::vector);
  }
}

// A matrix that is an embedding's table belongs to the embedding.
void add_linear(Parameters& parameters, const Layer& layer, const FeatureShape& in) {
  if (layer.tied_to < 0) {
    const float deviation = std::sqrt(1.0F / static_cast<float>(in.c));
    parameters.add(layer.name + ".weights", {layer.out.c, in.c, 1}, {0, deviation}, Role::weights);
  }
  if (layer.bias) {
    parameters.add(layer.name + ".bias", {layer.out.c, 1, 1}, {}, Role::bias);
  }
}

// Glorot and Bengio's variance for the input weights, 1 / hidden for the square ones.
void add_lstm(Parameters& parameters, const Layer& layer, const FeatureShape& in) {
  const auto hidden = layer.hidden;
  const auto fans = static_cast<float>(in.c + hidden);
  for (const char* const suffix : {"", "_reverse"}) {
    if (*suffix != '\0' && !layer.bidirectional) {
      break;
    }
    parameters.add(layer.name + ".weights" + suffix,
                   {4 * hidden, in.c, 1},
                   {0, std::sqrt(2.0F / fans)},
                   Role::weights);
    parameters.add(layer.name + ".recurrent" + suffix,
                   {4 * hidden, hidden, 1},
                   {0, 1.0F / std::sqrt(static_cast<float>(hidden))},
                   Role::weights);
    parameters.add(layer.name + ".bias" + suffix, {4 * hidden, 1, 1}, {}, Role::bias);
  }
}

// A prompt is already in the cache: noise, as large as what a normalised layer makes.
void add_cache(Parameters& parameters, const Layer& layer, const ParameterContext& context) {
  const FilterShape shape{
      context.items * layer.kv_heads * layer.most_seen(context.cache_positions), layer.head_dim, 1};
  parameters.add(layer.name + ".keys", shape, {0, 1}, Role::cache);
  parameters.add(layer.name + ".values", shape, {0, 1}, Role::cache);
}

}  // namespace

void add_sequence_parameters(Parameters& parameters,
                             const Layer& layer,
                             const ParameterContext& context) {
  switch (layer.kind) {
    case LayerKind::embedding:
      return add_table(parameters, layer.name + ".weights", layer.vocabulary, layer.out.c);
    case LayerKind::position_embedding:
      return add_position_embedding(parameters, layer);
    case LayerKind::class_token:
      return add_table(parameters, layer.name + ".weights", 1, layer.out.c);
    case LayerKind::linear:
      return add_linear(parameters, layer, context.in);
    case LayerKind::layer_norm:
    case LayerKind::rms_norm:
      return add_row_norm(parameters, layer);
    case LayerKind::lstm:
      return add_lstm(parameters, layer, context.in);
    case LayerKind::attention:
      return context.cache_positions > 0 ? add_cache(parameters, layer, context) : void();
    case LayerKind::convolution:
    case LayerKind::fully_connected:
    case LayerKind::batch_norm:
      return;  // operation.cpp has them
    case LayerKind::input:
    case LayerKind::relu:
    case LayerKind::max_pool:
    case LayerKind::average_pool:
    case LayerKind::global_average_pool:
    case LayerKind::local_response_norm:
    case LayerKind::dropout:
    case LayerKind::add:
    case LayerKind::activation:
    case LayerKind::multiply:
    case LayerKind::concat:
    case LayerKind::take_channels:
    case LayerKind::shuffle_channels:
    case LayerKind::to_sequence:
    case LayerKind::to_image:
    case LayerKind::take_position:
    case LayerKind::one_hot:
    case LayerKind::gated_silu:
    case LayerKind::experts:
    case LayerKind::linear_recurrence:
    case LayerKind::given:
    case LayerKind::group_norm:
    case LayerKind::upsample:
    case LayerKind::gated_gelu:
    case LayerKind::join_positions:
    case LayerKind::take_positions:
    case LayerKind::transposed_convolution:
    case LayerKind::expected_bin:
    case LayerKind::log_counts:
    case LayerKind::embedding_bags:
    case LayerKind::pairwise_dots:
    case LayerKind::detection_loss:
    case LayerKind::squared_error:
    case LayerKind::softmax_loss:
      return;  // nothing to learn, or not run on GPUs
  }
}

}  // namespace rightsize::gpu
