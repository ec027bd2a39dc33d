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
    default:
      return;  // nothing to learn
  }
}

}  // namespace rightsize::gpu
