#include "models/laws/decode.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "kernels/work.h"

namespace rightsize {
namespace {

// TensorRT-LLM's of version 0.6, between which and the law decode_test finds 20 % and less.
constexpr double bandwidth_share = 0.80;
constexpr double matrix_share = 0.65;
constexpr double memory_share = 0.92;
constexpr double iteration_overhead_s = 2e-3;
constexpr int most_in_flight = 65'536;

double mean_context(const DecodeLoad& load) {
  return load.prompt_tokens + load.output_tokens / 2.0;
}

// From one token of a sequence to its next: an iteration and the prompts computed beside it.
double period_seconds(const DecodeWork& work,
                      const DecodeGpu& gpu,
                      const DecodeLoad& load,
                      double sequences) {
  return decode_step_seconds(work, gpu, sequences, mean_context(load)) +
         sequences / load.output_tokens * work.prompt_flops / gpu.flops_per_s;
}

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
                            period_seconds(work, gpu, load, std::max(1.0, middle));
    (arriving > middle ? low : high) = middle;
  }
  return high;
}

}  // namespace

DecodeWork decode_work(const Network& network, Precision precision, const DecodeLoad& load) {
  const double element = bytes_per_element(precision);
  const auto length = network.input.positions();
  DecodeWork work;
  work.weight_bytes = static_cast<double>(parameter_count(network)) * element;
  work.kv_bytes_per_token =
      static_cast<double>(kv_cache_elements(network)) / static_cast<double>(length) * element;
  work.flops_per_token = decode_flops(network, static_cast<std::int64_t>(mean_context(load)));
  // A prompt's tokens see half of it on average.
  work.prompt_flops = load.prompt_tokens * decode_flops(network, load.prompt_tokens / 2);
  return work;
}

DecodeGpu decode_gpu(const GpuSpec& gpu, Precision precision) {
  return {gpu.bandwidth_gbs * 1e9 * bandwidth_share,
          peak_tflops(gpu, available_precision(gpu, precision)) * 1e12 * matrix_share,
          gpu.memory_gb * 1024.0 * 1024 * 1024 * memory_share,
          iteration_overhead_s};
}

double decode_step_seconds(const DecodeWork& work,
                           const DecodeGpu& gpu,
                           double sequences,
                           double context) {
  const double bytes = work.weight_bytes + sequences * context * work.kv_bytes_per_token;
  return gpu.overhead_s +
         std::max(bytes / gpu.bytes_per_s, sequences * work.flops_per_token / gpu.flops_per_s);
}

int sequences_that_fit(const DecodeWork& work, const DecodeGpu& gpu, int tokens) {
  const double left = gpu.memory_bytes - work.weight_bytes;
  const double each = work.kv_bytes_per_token * tokens;
  return left < each ? 0 : static_cast<int>(std::min<double>(most_in_flight, left / each));
}

DecodePoint serve_decode(const DecodeWork& work, const DecodeGpu& gpu, const DecodeLoad& load) {
  assert(load.prompt_tokens >= 1 && load.output_tokens >= 1);
  DecodePoint point;
  point.most_sequences = sequences_that_fit(work, gpu, load.prompt_tokens + load.output_tokens);
  if (point.most_sequences == 0) {
    return point;
  }
  const double most = point.most_sequences;
  point.most_sequences_per_s = most / (load.output_tokens * period_seconds(work, gpu, load, most));
  const bool saturated = load.sequences_per_s >= point.most_sequences_per_s;
  point.sequences = saturated                  ? most
                    : load.sequences_per_s > 0 ? sequences_in_flight(work, gpu, load, most)
                                               : 1;
  // Somebody who looks finds at least the sequence that looks.
  const double seen = std::max(1.0, point.sequences);
  const double prompt_s = work.prompt_flops / gpu.flops_per_s;
  point.token_s = period_seconds(work, gpu, load, seen);
  point.first_token_s = (point.sequences < 1 ? 0 : point.token_s / 2) + prompt_s +
                        decode_step_seconds(work, gpu, seen, load.prompt_tokens);
  point.sequence_s = point.first_token_s + (load.output_tokens - 1) * point.token_s;
  point.tokens_per_s = saturated || load.sequences_per_s <= 0
                           ? point.sequences / point.token_s
                           : load.sequences_per_s * load.output_tokens;
  const double memory_s =
      (work.weight_bytes + seen * mean_context(load) * work.kv_bytes_per_token) / gpu.bytes_per_s;
  const double compute_s = seen * work.flops_per_token / gpu.flops_per_s;
  point.regime = saturated               ? DecodeRegime::saturated
                 : memory_s >= compute_s ? DecodeRegime::memory_bound
                                         : DecodeRegime::compute_bound;
  return point;
}

}  // namespace rightsize
