#include "models/laws/decode_host.h"

#include <algorithm>
#include <array>

#include "kernels/gibibyte.h"
#include "models/laws/gpu_memory.h"
#include "models/laws/gpu_step_constants.h"

namespace rightsize {
namespace {

// Of vLLM's first engine: scheduling, sampling and launches that do not hide behind kernels, of a
// step, of each sequence in it, and where GPUs share the network. Set by hand to the rates of
// calibration/decode_servers.csv; those of its second engine show no such time.
constexpr double v0_step_s = 0.5e-3;
constexpr double v0_sequence_s = 65e-6;
constexpr double v0_shared_step_s = 1.5e-3;

// What schedules, samples and hands on an iteration's tokens works beside the GPU, which waits for
// it where a network is small: no faster than the fastest that was published of one engine.
// vLLM 0.15, SmolLM2-135M on an H100, 256 sequences at once: 28,391 tokens/s; twice as many bring
// Qwen3-0.6B no more (calibration/decode_small.csv).
constexpr double slower_sequence_s = 1 / 28'391.0;
// TensorRT-LLM, gpt-oss-20b on a GB200: 56,528 tokens/s (calibration/decode_fp4.csv); also of any
// program, as it is the fastest of all.
constexpr double fastest_sequence_s = 1 / 56'528.0;

// What a host does once for an iteration, however small: the GPU waits for it where one sequence of
// a small network is written. No less than the fastest that was published of one sequence where a
// program launches graphs of kernels: vLLM's second engine gpt-oss-20b on an RTX PRO 6000, 250
// tokens/s; its first Qwen2.5-0.5B on an A100, 311.55; SGLang Qwen3-0.6B in FP8 on an H20, 458.03
// (calibration/decode_fp4.csv, decode_one.csv).
// Hugging Face's Transformers launch kernel by kernel from Python: a time of each block, between
// Qwen's own of one sequence (0.88 ms on an A100, 0.61 on an H20; premAI 0.67 to 0.91), and of each
// mixture, by Transformers 5 as it is by default (Qwen1.5-MoE-A2.7B, 1.42 ms a layer). None of it
// grows with the sequences.
struct Host {
  std::string_view software;
  double step_s = 0;
  double block_s = 0;
  double mixture_s = 0;
};
constexpr std::array<Host, 4> hosts{{{"vLLM", 1 / 250.0},
                                     {"vLLM V0", 1 / 311.55},
                                     {"SGLang", 1 / 458.03},
                                     {"Hugging Face", 0, 0.70e-3, 0.70e-3}}};

bool may_be_fastest(std::string_view software) {
  return software.empty() || software == "TensorRT-LLM" || software == "LMDeploy";
}

// vLLM takes up to 16,384 tokens of prompts at once on GPUs from 70 GiB on other than A100, a
// quarter of that on others: what its logs leave for caches there (calibration/cache_room.csv).
constexpr double wide_gib = 70;
constexpr double wide_bytes = 4 * bytes_per_gib;

// Of the rate of products and of stacked memory's bandwidth that is said of all, what llama.cpp
// reaches: in the mean of its 60 rates of prompts, and of 18 of tokens on A100 and H100
// (calibration/decode_rates.csv).
constexpr double llama_products = 0.47;
constexpr double llama_stacked = 0.72;
// Of what each expert that a token takes costs, by its rates of one sequence on an RTX PRO 6000
// (calibration/decode_one.csv).
constexpr double llama_experts = 0.5;
constexpr int llama_slots = 256;  // LLAMA_MAX_SEQ of its src/llama-cparams.h

}  // namespace

bool counts_host(std::string_view software) {
  return software == "vLLM V0";
}

DecodeGpu served_by(DecodeGpu replica, const GpuSpec& gpu, std::string_view software) {
  if (counts_host(software)) {
    replica.overhead_s += v0_step_s;
    replica.overhead_s += replica.cluster.gpus_per_node > 1 ? v0_shared_step_s : 0;
    replica.sequence_s += v0_sequence_s;
  }
  replica.host_sequence_s = may_be_fastest(software) ? fastest_sequence_s : slower_sequence_s;
  const auto* const host = std::find_if(
      hosts.begin(), hosts.end(), [&](const Host& one) { return one.software == software; });
  if (host != hosts.end()) {
    replica.host_step_s = host->step_s;
    replica.host_block_s = host->block_s;
    replica.host_mixture_s = host->mixture_s;
  }
  const bool wide = visible_memory_bytes(gpu) >= wide_gib * bytes_per_gib && chip_of(gpu) != ampere;
  if (software == "vLLM" && wide) {
    const double taken = std::min(wide_bytes, replica.memory_bytes);
    replica.memory_bytes -= taken;
    replica.kept_bytes += taken;
  }
  if (software == "llama.cpp") {
    replica.flops_per_s *= llama_products;
    replica.bytes_per_s *= gpu.stacked_memory ? llama_stacked : 1;
    replica.expert_s *= llama_experts;
    replica.slots = llama_slots;
    // It answers few at a time, and is known to run where a server's kernels would find no room.
    replica.memory_bytes += DecodeLaw{}.workspace_bytes;
    replica.kept_bytes -= DecodeLaw{}.workspace_bytes;
  }
  return replica;
}

}  // namespace rightsize
