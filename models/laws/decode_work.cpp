#include "models/laws/decode_work.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "kernels/picture_work.h"
#include "kernels/recurrence_work.h"
#include "kernels/work.h"

namespace rightsize {
namespace {

// A tied head multiplies by the whole table.
bool is_read_as_head(const Network& network, int table) {
  return std::any_of(network.layers.begin(), network.layers.end(), [&](const Layer& layer) {
    return layer.tied_to == table;
  });
}

bool is_head(const Network& network, const Layer& layer) {
  return layer.kind == LayerKind::linear && layer.out.c == network.vocabulary;
}

double position_flops(const Network& network, std::size_t index) {
  return layer_work(network, index).forward_flops /
         static_cast<double>(network.layers[index].out.positions());
}

// Of one token.
double head_flops(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    sum += is_head(network, layer) ? position_flops(network, i) : 0;
  }
  return sum;
}

// Whether a layer's scores say which experts a token takes, for each layer.
std::vector<bool> routers_of(const Network& network) {
  std::vector<bool> routers(network.layers.size(), false);
  for (const auto& layer : network.layers) {
    if (layer.kind == LayerKind::experts) {
      routers[static_cast<std::size_t>(layer.inputs.at(1))] = true;
    }
  }
  return routers;
}

// Features of a position between blocks, which the all-reduces add up.
std::int64_t width_of(const Network& network) {
  const auto table =
      std::find_if(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
        return layer.kind == LayerKind::embedding;
      });
  return table == network.layers.end() ? 0 : table->out.c;
}

bool mixes_positions(const Layer& layer) {
  return layer.kind == LayerKind::attention || layer.kind == LayerKind::linear_recurrence;
}

// Whether a layer is one of attention's own, or of a recurrence in its place: it lies behind the
// last sum before one and before the next sum, for each layer.
std::vector<bool> of_attention(const Network& network) {
  std::vector<bool> own(network.layers.size(), false);
  std::size_t first = 0;
  bool attends = false;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    attends = attends || mixes_positions(network.layers[i]);
    if (network.layers[i].kind == LayerKind::add) {
      for (std::size_t j = first; attends && j < i; ++j) {
        own[j] = mixes_positions(network.layers[j]) || network.layers[j].kind == LayerKind::linear;
      }
      first = i + 1;
      attends = false;
    }
  }
  return own;
}

// Of all positions of a prompt behind those that are cached, the heads' included.
double computed_flops(const Network& network, const DecodeLoad& load) {
  return prompt_flops(network, load.prompt_tokens) -
         (load.cached_tokens > 0 ? prompt_flops(network, load.cached_tokens) : 0);
}

// Of a prompt: all but what is no layer of attention's own.
double prompt_attention_flops(const Network& network,
                              const std::vector<bool>& own,
                              const DecodeLoad& load) {
  double others = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    others += own[i] ? 0 : position_flops(network, i);
  }
  return computed_flops(network, load) - load.computed_tokens() * others;
}

// What a layer holds, and how much of that is read by a rule of its own.
void add_weights(const Network& network,
                 std::size_t index,
                 bool router,
                 bool of_attention,
                 const DecodeForm& form,
                 DecodeWork& work) {
  const auto& layer = network.layers[index];
  const bool experts = layer.kind == LayerKind::experts;
  // Of mixtures checkpoints in FP4 have the experts so, not attention (gpt-oss, DeepSeek-R1's).
  const bool kept = is_fp4(form.weights) && of_attention && has_experts(network);
  const bool narrow =
      experts || (layer.kind == LayerKind::linear && !is_head(network, layer) && !router && !kept);
  const double bytes = static_cast<double>(layer_work(network, index).parameters) *
                       (narrow ? weight_bytes(form) : bytes_per_element(form.precision));
  work.weight_bytes += bytes;
  work.router_bytes += router ? bytes : 0;
  work.attention_bytes += of_attention ? bytes : 0;
  const bool table =
      layer.kind == LayerKind::embedding && !is_read_as_head(network, static_cast<int>(index));
  work.table_bytes += table ? bytes : 0;
  work.wide_bytes += table || narrow ? 0 : bytes;
  if (experts) {
    work.expert_bytes += bytes;
    work.expert_share =
        static_cast<double>(layer.experts_per_token) / static_cast<double>(layer.experts);
    work.experts = static_cast<int>(layer.experts);
    ++work.mixtures;
  }
}

// Caches, and heads that GPUs share.
void add_mixing(const Layer& layer, const DecodeForm& form, DecodeWork& work) {
  if (!mixes_positions(layer)) {
    return;
  }
  work.heads = static_cast<int>(std::gcd(layer.heads, static_cast<std::int64_t>(work.heads)));
  if (layer.kind == LayerKind::linear_recurrence) {
    work.state_bytes += kept_state_bytes(layer, bytes_per_element(form.precision));
    return;
  }
  work.kv_heads = layer.latent > 0 ? 1 : static_cast<int>(layer.kv_heads);
  const double bytes = static_cast<double>(layer.read_features()) * cache_bytes(form);
  const bool own = layer.keys_of < 0;
  (own ? work.kv_bytes_per_token : work.shared_kv_bytes_per_token) += bytes;
  if (layer.window > 0) {
    (own ? work.window_kv_bytes_per_token : work.shared_window_kv_bytes_per_token) += bytes;
    work.window = static_cast<double>(layer.window);  // the same in all layers that have one
  }
  work.reduces += 2;
  ++work.blocks;
}

// Only the last token's logits are wanted.
double prompt_flops_of(const Network& network, const DecodeLoad& load) {
  return computed_flops(network, load) - (load.computed_tokens() - 1) * head_flops(network);
}

// Of prompts twice as long, what says how their work grows.
void add_prompts(const Network& network,
                 const std::vector<bool>& own,
                 const DecodeLoad& load,
                 DecodeWork& work) {
  work.prompt_flops = prompt_flops_of(network, load);
  work.prompt_attention_flops = prompt_attention_flops(network, own, load);
  auto twice = load;
  twice.prompt_tokens *= 2;
  twice.cached_tokens *= 2;
  work.prompt_curve =
      std::clamp(prompt_flops_of(network, twice) / (2 * work.prompt_flops) - 1, 0.0, 1.0);
  spread_prompts(load, work);
}

// Where recurrences stand among attention, and some blocks are one part alone (Nemotron-H's),
// every sum closes a part, and two parts are a block.
void count_parts(const Network& network, DecodeWork& work) {
  if (has_recurrence(network)) {
    work.reduces = static_cast<int>(
        std::count_if(network.layers.begin(), network.layers.end(), [](const Layer& layer) {
          return layer.kind == LayerKind::add;
        }));
    work.blocks = (work.reduces + 1) / 2;
  }
}

// Never narrow.
void add_tower(const Network& network, double element, DecodeWork& work) {
  const auto pictures = picture_work(network);
  work.tower_bytes = pictures.tower_parameters * element;
  work.weight_bytes += work.tower_bytes;
  work.tower_flops = pictures.flops;
}

}  // namespace

DecodeWork decode_work(const Network& network, const DecodeForm& form, const DecodeLoad& load) {
  const double element = bytes_per_element(form.precision);
  const auto routers = routers_of(network);
  const auto own = of_attention(network);
  DecodeWork work;
  work.heads = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    add_weights(network, i, routers[i], own[i], form, work);
    add_mixing(network.layers[i], form, work);
  }
  count_parts(network, work);
  work.reduce_bytes_per_token = static_cast<double>(width_of(network)) * element;
  work.flops_per_token = decode_flops(network, 0);
  work.flops_per_cached_token =
      has_latents(network) ? decode_flops(network, 1) - work.flops_per_token : 0;
  add_prompts(network, own, load, work);
  add_tower(network, element, work);
  return work;
}

void spread_prompts(const DecodeLoad& load, DecodeWork& work) {
  const double more = PromptSpread{load.prompt_cv(), work.prompt_curve}.mean();
  work.prompt_flops *= more;
  work.prompt_attention_flops *= more;
}

bool divides_heads(const DecodeWork& work, int gpus) {
  return gpus >= 1 && work.heads % gpus == 0;
}

DecodeWork tensor_parallel(const DecodeWork& work, int gpus) {
  assert(divides_heads(work, gpus));
  DecodeWork part = work;
  part.weight_bytes = (work.weight_bytes - work.router_bytes) / gpus + work.router_bytes;
  part.wide_bytes = (work.wide_bytes - work.router_bytes) / gpus + work.router_bytes;
  part.table_bytes /= gpus;
  part.tower_bytes /= gpus;
  part.tower_flops /= gpus;
  part.expert_bytes /= gpus;
  // Whole heads of keys and values: where they do not divide, the fullest GPU counts.
  const double share = std::ceil(static_cast<double>(work.kv_heads) / gpus) / work.kv_heads;
  part.kv_bytes_per_token *= share;
  part.window_kv_bytes_per_token *= share;
  part.shared_kv_bytes_per_token *= share;
  part.shared_window_kv_bytes_per_token *= share;
  part.state_bytes /= gpus;
  part.flops_per_token /= gpus;
  part.prompt_flops /= gpus;
  part.flops_per_cached_token /= gpus;
  part.prompt_attention_flops /= gpus;
  part.attention_bytes /= gpus;
  return part;
}

DecodeWork attention_parallel(const DecodeWork& work, int gpus) {
  DecodeWork part = tensor_parallel(work, gpus);
  part.weight_bytes += work.attention_bytes * (gpus - 1) / gpus;
  part.kv_bytes_per_token = work.kv_bytes_per_token / gpus;
  part.window_kv_bytes_per_token = work.window_kv_bytes_per_token / gpus;
  part.attention_bytes = work.attention_bytes;
  part.prompt_attention_flops = work.prompt_attention_flops;
  part.reduces /= 2;
  part.engines = gpus;
  return part;
}

std::vector<AttentionSharing> attention_sharings(const DecodeWork& work, int gpus) {
  if (gpus > 1 && work.expert_bytes > 0) {
    return {AttentionSharing::by_heads, AttentionSharing::by_sequences};
  }
  return {AttentionSharing::by_heads};
}

DecodeWork shared_work(const DecodeWork& work, int gpus, AttentionSharing sharing) {
  return sharing == AttentionSharing::by_heads ? tensor_parallel(work, gpus)
                                               : attention_parallel(work, gpus);
}

}  // namespace rightsize
