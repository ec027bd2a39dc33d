#include "models/laws/decode.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "models/laws/gpu_memory.h"
#include "models/laws/picture_prompts.h"

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

// Of one sequence with so many tokens in its caches.
double attention_seconds(const DecodeWork& work, const DecodeGpu& gpu, double context) {
  return std::max(moved_cache_bytes(work, context) / gpu.bytes_per_s,
                  context * work.flops_per_cached_token / gpu.attention_flops_per_s);
}

}  // namespace

DecodeGpu decode_gpu(const GpuSpec& gpu,
                     const DecodeForm& form,
                     int gpus,
                     const InterconnectWords& words,
                     const DecodeLaw& law) {
  const auto precision = available_precision(gpu, form.precision);
  const double instinct = is_instinct(gpu) ? law.instinct_products : 1;
  const double products = instinct * (multiplies_fp4(form, gpu)   ? 4 * law.fp4_matrix_share
                                      : multiplies_fp8(form, gpu) ? 2 * law.fp8_matrix_share
                                                                  : law.matrix_share);
  auto links = interconnect_of(words, gpu, gpus, 1);
  const bool own_links = links.link == NodeLink::nvlink || links.link == NodeLink::xgmi;
  links.link_latency_s = own_links ? law.nvlink_latency_s : law.pcie_latency_s;
  const double memory = visible_memory_bytes(gpu);
  const double room = std::max(0.0, memory * law.memory_share - law.workspace_bytes);
  DecodeGpu reached{.bytes_per_s = gpu.bandwidth_gbs * 1e9 * bandwidth_share_of(gpu, law),
                    .flops_per_s = peak_tflops(gpu, precision) * 1e12 * products,
                    .memory_bytes = room,
                    .kept_bytes = memory - room,
                    .overhead_s = law.overhead_s,
                    .block_s = law.block_s,
                    .expert_s = law.expert_s,
                    .cluster = {gpus, 1, std::move(links)}};
  reached.experts_rate = law.experts_rate;
  reached.attention_flops_per_s = peak_tflops(gpu, precision) * 1e12 * instinct * law.matrix_share;
  if (widens(form, gpu) && gpu.fp32_tflops > 0) {
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
      tree_all_reduce_seconds({bytes_per_s_among(links, gpus), links.link_latency_s}, gpus, bytes);
  if (links.link == NodeLink::host) {  // as many bytes pass through the host's memory
    const double copied_s =
        4.0 * (gpus - 1) * bytes / (law.host_copy_bytes_per_s * links.host_speed);
    tree_s = std::max(tree_s, copied_s) * law.ring_through_host;
  }
  return work.reduces * std::min(ring_s, tree_s);
}

double read_weight_bytes(const DecodeWork& work, double tokens) {
  const double taken = 1 - std::pow(1 - work.expert_share, tokens);
  return work.weight_bytes - work.table_bytes - work.tower_bytes - work.expert_bytes * (1 - taken);
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
  const double experts = read_weight_bytes(work, sequences + together * load.computed_tokens()) -
                         read_weight_bytes(work, sequences);
  // Engines that have attention for themselves share it where there is a prompt for each.
  const double unshared = std::max(0.0, 1 - together / work.engines);  // 0 of one
  const double flops = together * work.prompt_flops + unshared * work.prompt_attention_flops;
  const double seconds =
      std::max(flops / product_flops_per_s(work, gpu), experts / weight_bytes_per_s(gpu)) +
      together * (reduce_seconds(work, gpu, load.computed_tokens()) + tower_seconds(work, gpu));
  return prompts / together * seconds;
}

double prompt_seconds(const DecodeWork& work,
                      const DecodeGpu& gpu,
                      const DecodeLoad& load,
                      double sequences) {
  return prompts_seconds(work, gpu, load, sequences, 1);
}

namespace {

// Beside the GPU.
double host_seconds(const DecodeWork& work, const DecodeGpu& gpu, double sequences) {
  const double once_s =
      gpu.host_step_s + work.blocks * gpu.host_block_s + work.mixtures * gpu.host_mixture_s;
  return std::max(once_s, sequences / work.engines * gpu.host_sequence_s);
}

}  // namespace

DecodeStep decode_step(const DecodeWork& work,
                       const DecodeGpu& gpu,
                       double sequences,
                       double context) {
  return {overhead_seconds(work, gpu) + sequences * gpu.sequence_s,
          read_weight_seconds(work, gpu, sequences),
          sequences * work.flops_per_token / product_flops_per_s(work, gpu),
          std::max<double>(sequences, work.engines > 1 ? work.engines : 0) *
              attention_seconds(work, gpu, context),
          reduce_seconds(work, gpu, sequences),
          host_seconds(work, gpu, sequences)};
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
  const auto step = decode_step(work, gpu, sequences, mean_context(load));
  return std::max(step.host_s,
                  step.gpu_seconds() +
                      prompts_seconds(work, gpu, load, sequences, sequences / load.output_tokens));
}

int sequences_in_memory(const DecodeWork& work, const DecodeGpu& gpu, int tokens) {
  const double left = gpu.memory_bytes - work.weight_bytes;
  const double each = sequence_cache_bytes(work, tokens);
  // A sequence lies on one of the engines: as many on each as fit there.
  const double whole = std::floor(left / each / work.engines) * work.engines;
  return static_cast<int>(std::clamp(whole, 0.0, 1e9));
}

int sequences_at_once(const DecodeWork& work, const DecodeGpu& gpu) {
  return std::min(gpu.slots, most_in_flight * work.engines);
}

int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, int tokens) {
  return std::min(sequences_in_memory(work, gpu, tokens), sequences_at_once(work, gpu));
}

namespace {

// Of those that a memory holds by the mean, n where n mean + z sd sqrt(n) is all of it.
double with_spread(double by_mean, const DecodeLoad& lengths) {
  constexpr double z_95 = 1.6449;
  const double half = z_95 * lengths.tokens_stddev() / lengths.tokens() / 2;
  const double root = std::sqrt(half * half + by_mean) - half;
  return root * root;
}

}  // namespace

int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, const DecodeLoad& lengths) {
  const int by_mean = sequences_in_memory(work, gpu, lengths.tokens());
  const bool spread = lengths.tokens_stddev() > 0 && by_mean > 0;
  const double each = static_cast<double>(by_mean) / work.engines;
  const int room =
      spread ? std::max(1, static_cast<int>(with_spread(each, lengths))) * work.engines : by_mean;
  return std::min(room, sequences_at_once(work, gpu));
}

DecodePoint serve_decode(const DecodeWork& work, const DecodeGpu& gpu, const DecodeLoad& load) {
  assert(load.computed_tokens() >= 1 && load.output_tokens >= 1);
  DecodePoint point;
  point.most_sequences = sequences_that_fit(work, gpu, load);
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
  const double compute_s = seen * work.flops_per_token / product_flops_per_s(work, gpu);
  const auto step = decode_step(work, gpu, seen, mean_context(load));
  point.regime = saturated                          ? DecodeRegime::saturated
                 : step.host_s > step.gpu_seconds() ? DecodeRegime::host_bound
                 : memory_s >= compute_s            ? DecodeRegime::memory_bound
                                                    : DecodeRegime::compute_bound;
  return point;
}

DecodeGpu slowed(const DecodeGpu& gpu, double factor) {
  auto slow = gpu;
  slow.bytes_per_s /= factor;
  slow.most_weight_bytes_per_s /= factor;
  slow.flops_per_s /= factor;
  slow.attention_flops_per_s /= factor;
  for (auto* const seconds : {&slow.overhead_s,
                              &slow.block_s,
                              &slow.expert_s,
                              &slow.sequence_s,
                              &slow.host_sequence_s,
                              &slow.host_step_s,
                              &slow.host_block_s,
                              &slow.host_mixture_s}) {
    *seconds *= factor;
  }
  auto& links = slow.cluster.interconnect;
  links.link_bytes_per_s /= factor;
  links.link_latency_s *= factor;
  links.host_speed /= factor;
  return slow;
}

}  // namespace rightsize
