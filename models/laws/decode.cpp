#include "models/laws/decode.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/layer_work.h"
#include "kernels/work.h"
#include "models/laws/gpu_memory.h"

namespace rightsize {
namespace {

constexpr int most_in_flight = 2048;  // as TensorRT-LLM is built by default

// Where b = arrivals x output x period(b), between none and `most`; the period grows slower than b
// below saturation.
double sequences_in_flight(const DecodeWork& work,
                           const DecodeGpu& gpu,
                           const DecodeLoad& load,
                           double most) {
  double low = 0;
  double high = most;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    const double arriving = load.sequences_per_s * load.output_tokens *
                            decode_period_seconds(work, gpu, load, std::max(1.0, middle));
    (arriving > middle ? low : high) = middle;
  }
  return high;
}

// A tied head multiplies by the whole table.
bool is_read_as_head(const Network& network, int table) {
  return std::any_of(network.layers.begin(), network.layers.end(), [&](const Layer& layer) {
    return layer.tied_to == table;
  });
}

bool is_head(const Network& network, const Layer& layer) {
  return layer.kind == LayerKind::linear && layer.out.c == network.vocabulary;
}

// Of one token.
double head_flops(const Network& network) {
  double sum = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    sum += is_head(network, layer)
               ? layer_work(network, i).forward_flops / static_cast<double>(layer.out.positions())
               : 0;
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

// Of one sequence with so many tokens in its caches.
double attention_seconds(const DecodeWork& work, const DecodeGpu& gpu, double context) {
  return std::max(sequence_cache_bytes(work, context) / gpu.bytes_per_s,
                  context * work.flops_per_cached_token / gpu.attention_flops_per_s);
}

// What a layer holds, and how much of that is read by a rule of its own.
void add_weights(const Network& network,
                 std::size_t index,
                 bool router,
                 const DecodeForm& form,
                 DecodeWork& work) {
  const auto& layer = network.layers[index];
  const bool experts = layer.kind == LayerKind::experts;
  const bool narrow =
      experts || (layer.kind == LayerKind::linear && !is_head(network, layer) && !router);
  const double bytes = static_cast<double>(layer_work(network, index).parameters) *
                       (narrow ? weight_bytes(form) : bytes_per_element(form.precision));
  work.weight_bytes += bytes;
  work.router_bytes += router ? bytes : 0;
  const bool table =
      layer.kind == LayerKind::embedding && !is_read_as_head(network, static_cast<int>(index));
  work.table_bytes += table ? bytes : 0;
  work.wide_bytes += table || narrow ? 0 : bytes;
  if (experts) {
    work.expert_bytes += bytes;
    work.expert_share =
        static_cast<double>(layer.experts_per_token) / static_cast<double>(layer.experts);
  }
}

}  // namespace

DecodeWork decode_work(const Network& network, const DecodeForm& form, const DecodeLoad& load) {
  const double element = bytes_per_element(form.precision);
  const auto routers = routers_of(network);
  DecodeWork work;
  work.heads = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const auto& layer = network.layers[i];
    add_weights(network, i, routers[i], form, work);
    if (layer.kind == LayerKind::attention) {
      work.heads = static_cast<int>(std::gcd(layer.heads, static_cast<std::int64_t>(work.heads)));
      work.kv_heads = layer.latent > 0 ? 1 : static_cast<int>(layer.kv_heads);
      work.flops_per_cached_token += layer.latent > 0 ? cached_attention_flops(layer, 1) : 0;
      const double bytes = static_cast<double>(layer.cached_features()) * cache_bytes(form);
      work.kv_bytes_per_token += bytes;
      if (layer.window > 0) {
        work.window_kv_bytes_per_token += bytes;
        work.window = static_cast<double>(layer.window);  // the same in all layers that have one
      }
      work.reduces += 2;
    }
  }
  work.reduce_bytes_per_token = static_cast<double>(width_of(network)) * element;
  work.flops_per_token = decode_flops(network, 0);
  // Only the last token's logits are wanted.
  work.prompt_flops =
      prompt_flops(network, load.prompt_tokens) - (load.prompt_tokens - 1) * head_flops(network);
  return work;
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
  part.expert_bytes /= gpus;
  // Whole heads of keys and values: where they do not divide, the fullest GPU counts.
  const double share = std::ceil(static_cast<double>(work.kv_heads) / gpus) / work.kv_heads;
  part.kv_bytes_per_token *= share;
  part.window_kv_bytes_per_token *= share;
  part.flops_per_token /= gpus;
  part.prompt_flops /= gpus;
  part.flops_per_cached_token /= gpus;
  return part;
}

DecodeGpu decode_gpu(const GpuSpec& gpu,
                     const DecodeForm& form,
                     int gpus,
                     const InterconnectWords& words,
                     const DecodeLaw& law) {
  const auto precision = available_precision(gpu, form.precision);
  const double products = multiplies_fp8(form, gpu) ? 2 * law.fp8_matrix_share : law.matrix_share;
  auto links = interconnect_of(words, gpu, gpus, 1);
  links.link_latency_s = links.link == NodeLink::nvlink ? law.nvlink_latency_s : law.pcie_latency_s;
  DecodeGpu reached{gpu.bandwidth_gbs * 1e9 * bandwidth_share_of(gpu, law),
                    peak_tflops(gpu, precision) * 1e12 * products,
                    visible_memory_bytes(gpu) * law.memory_share,
                    law.overhead_s,
                    {gpus, 1, std::move(links)}};
  reached.attention_flops_per_s = peak_tflops(gpu, precision) * 1e12 * law.matrix_share;
  if (form.weights != WeightFormat::own && !multiplies_fp8(form, gpu) && gpu.fp32_tflops > 0) {
    reached.most_weight_bytes_per_s = gpu.fp32_tflops * 1e12 * law.widened_bytes_per_flop;
  }
  return reached;
}

double reduce_seconds(const DecodeWork& work, const DecodeGpu& gpu, double tokens) {
  const int gpus = gpu.cluster.gpus_per_node;
  if (gpus <= 1) {
    return 0;
  }
  ExchangeLaw law;
  law.launch_s = 0;  // a bucket of gradients'; these wait in a graph of kernels
  const double bytes = tokens * work.reduce_bytes_per_token;
  const auto& links = gpu.cluster.interconnect;
  const double ring_s = exchange_seconds(law, gpu.cluster, {Exchange::nccl}, bytes);
  double tree_s =
      tree_all_reduce_seconds({links.link_bytes_per_s, links.link_latency_s}, gpus, bytes);
  if (links.link == NodeLink::host) {  // as many bytes pass through the host's memory
    const double copied_s =
        4.0 * (gpus - 1) * bytes / (law.host_copy_bytes_per_s * links.host_speed);
    tree_s = std::max(tree_s, copied_s) * law.ring_through_host;
  }
  return work.reduces * std::min(ring_s, tree_s);
}

double read_weight_bytes(const DecodeWork& work, double tokens) {
  const double taken = 1 - std::pow(1 - work.expert_share, tokens);
  return work.weight_bytes - work.table_bytes - work.expert_bytes * (1 - taken);
}

double read_weight_seconds(const DecodeWork& work, const DecodeGpu& gpu, double tokens) {
  const double narrow = read_weight_bytes(work, tokens) - work.wide_bytes;
  return work.wide_bytes / gpu.bytes_per_s + narrow / weight_bytes_per_s(gpu);
}

double prompts_seconds(const DecodeWork& work,
                       const DecodeGpu& gpu,
                       const DecodeLoad& load,
                       double sequences,
                       double prompts) {
  if (!(prompts > 0)) {
    return 0;
  }
  const double together = std::max(1.0, prompts);
  // What the iteration does not read anyway; the weights that all tokens share it does.
  const double experts = read_weight_bytes(work, sequences + together * load.prompt_tokens) -
                         read_weight_bytes(work, sequences);
  const double seconds =
      std::max(together * work.prompt_flops / gpu.flops_per_s, experts / weight_bytes_per_s(gpu)) +
      together * reduce_seconds(work, gpu, load.prompt_tokens);
  return prompts / together * seconds;
}

double prompt_seconds(const DecodeWork& work,
                      const DecodeGpu& gpu,
                      const DecodeLoad& load,
                      double sequences) {
  return prompts_seconds(work, gpu, load, sequences, 1);
}

DecodeStep decode_step(const DecodeWork& work,
                       const DecodeGpu& gpu,
                       double sequences,
                       double context) {
  return {gpu.overhead_s,
          read_weight_seconds(work, gpu, sequences),
          sequences * work.flops_per_token / gpu.flops_per_s,
          sequences * attention_seconds(work, gpu, context),
          reduce_seconds(work, gpu, sequences)};
}

double decode_step_seconds(const DecodeWork& work,
                           const DecodeGpu& gpu,
                           double sequences,
                           double context) {
  return decode_step(work, gpu, sequences, context).seconds();
}

double decode_period_seconds(const DecodeWork& work,
                             const DecodeGpu& gpu,
                             const DecodeLoad& load,
                             double sequences) {
  return decode_step_seconds(work, gpu, sequences, mean_context(load)) +
         prompts_seconds(work, gpu, load, sequences, sequences / load.output_tokens);
}

int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, int tokens) {
  const double left = gpu.memory_bytes - work.weight_bytes;
  const double each = sequence_cache_bytes(work, tokens);
  return left < each ? 0 : static_cast<int>(std::min<double>(most_in_flight, left / each));
}

DecodePoint serve_decode(const DecodeWork& work, const DecodeGpu& gpu, const DecodeLoad& load) {
  assert(load.prompt_tokens >= 1 && load.output_tokens >= 1);
  DecodePoint point;
  point.most_sequences = sequences_that_fit(work, gpu, load.tokens());
  if (point.most_sequences == 0) {
    return point;
  }
  const double most = point.most_sequences;
  point.most_sequences_per_s =
      most / (load.output_tokens * decode_period_seconds(work, gpu, load, most));
  const bool saturated = load.sequences_per_s >= point.most_sequences_per_s;
  point.sequences = saturated                  ? most
                    : load.sequences_per_s > 0 ? sequences_in_flight(work, gpu, load, most)
                                               : 1;
  // Somebody who looks finds at least the sequence that looks.
  const double seen = std::max(1.0, point.sequences);
  // The first that comes to an idle GPU waits for no iteration.
  const double busy = load.sequences_per_s > 0 ? std::min(1.0, point.sequences) : 0;
  point.token_s = decode_period_seconds(work, gpu, load, seen);
  point.first_token_s = busy * point.token_s / 2 + prompt_seconds(work, gpu, load, seen) +
                        decode_step_seconds(work, gpu, seen, load.prompt_tokens);
  point.sequence_s = point.first_token_s + (load.output_tokens - 1) * point.token_s;
  point.tokens_per_s = saturated || load.sequences_per_s <= 0
                           ? point.sequences / point.token_s
                           : load.sequences_per_s * load.output_tokens;
  const double memory_s = read_weight_seconds(work, gpu, seen) +
                          seen * attention_seconds(work, gpu, mean_context(load));
  const double compute_s = seen * work.flops_per_token / gpu.flops_per_s;
  point.regime = saturated               ? DecodeRegime::saturated
                 : memory_s >= compute_s ? DecodeRegime::memory_bound
                                         : DecodeRegime::compute_bound;
  return point;
}

DecodeGpu slowed(const DecodeGpu& gpu, double factor) {
  auto slow = gpu;
  slow.bytes_per_s /= factor;
  slow.most_weight_bytes_per_s /= factor;
  slow.flops_per_s /= factor;
  slow.attention_flops_per_s /= factor;
  slow.overhead_s *= factor;
  auto& links = slow.cluster.interconnect;
  links.link_bytes_per_s /= factor;
  links.link_latency_s *= factor;
  links.host_speed /= factor;
  return slow;
}

}  // namespace rightsize
