#include "advisor/export/server_lines.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "advisor/export/longest_request.h"
#include "advisor/tokens/weights_taken.h"

namespace rightsize {
namespace {

// As PyTorch calls it.
std::string_view type_name(Precision precision) {
  return precision == Precision::bf16   ? "bfloat16"
         : precision == Precision::fp16 ? "float16"
                                        : "float32";
}

// A checkpoint that is narrow itself is loaded as it is, and computes in what it says.
std::string form_flags(const ServedReplica& replica, std::string_view cache_type) {
  const bool narrows = replica.weights == WeightFormat::fp8 && !replica.as_published;
  return fmt::format("--dtype {}{}{}{}",
                     replica.as_published ? "auto" : type_name(replica.precision),
                     narrows ? " --quantization fp8" : "",
                     replica.fp8_caches ? " --kv-cache-dtype " : "",
                     replica.fp8_caches ? cache_type : "");
}

constexpr std::string_view trtllm_options = "/tmp/trtllm.yaml";

bool has_trtllm_options(const ServedReplica& replica) {
  return replica.by_sequences || replica.fp8_caches;
}

}  // namespace

ServedReplica served_replica(const TokenService& service,
                             const TokenFleet& fleet,
                             std::string_view network) {
  const auto& server = fleet.server;
  const auto longest = longest_request(service, network);
  const bool narrow = server.weights != WeightFormat::own;
  return {.gpus = server.gpus_each(),
          .by_sequences = server.attention == AttentionSharing::by_sequences,
          .prompt_tokens = longest.prompt_tokens,
          .tokens = longest.tokens,
          .sequences = fleet.expected.point.most_sequences,
          .precision = server.precision,
          .weights = server.weights,
          .fp8_caches = server.fp8_caches,
          .beside_others = server.replicas > 1,
          .as_published = narrow && server.weights == published_format(network)};
}

ServerLine vllm_line(const ServedReplica& replica) {
  return {
      R"(vllm serve "$MODEL" --port "$PORT")",
      replica.by_sequences
          ? fmt::format("--tensor-parallel-size 1 --data-parallel-size {} --enable-expert-parallel",
                        replica.gpus)
          : fmt::format("--tensor-parallel-size {}", replica.gpus),
      fmt::format(
          "--max-model-len {} --max-num-seqs {}", replica.tokens, replica.sequences_of_rank()),
      form_flags(replica, "fp8")};
}

ServerLine sglang_line(const ServedReplica& replica) {
  return {R"(python3 -m sglang.launch_server --model-path "$MODEL" --host 0.0.0.0 --port "$PORT")",
          replica.by_sequences
              ? fmt::format("--tp {0} --dp {0} --enable-dp-attention", replica.gpus)
              : fmt::format("--tp {}", replica.gpus),
          fmt::format(
              "--context-length {} --max-running-requests {}", replica.tokens, replica.sequences),
          form_flags(replica, "fp8_e5m2")};
}

// Prompts are not cut (enable_chunked_prefill is off): one with more tokens than --max_num_tokens
// is refused, whatever --max_seq_len says (NVIDIA/TensorRT-LLM, issues 6539, 9277).
ServerLine trtllm_line(const ServedReplica& replica) {
  constexpr int usual_most_tokens = 8192;
  ServerLine line{
      R"(trtllm-serve "$MODEL" --host 0.0.0.0 --port "$PORT")",
      fmt::format("--tp_size {}", replica.gpus),
      fmt::format(
          "--max_seq_len {} --max_batch_size {}", replica.tokens, replica.sequences_of_rank())};
  if (replica.tokens > usual_most_tokens) {
    line.push_back(fmt::format("--max_num_tokens {}", replica.tokens));
  }
  if (has_trtllm_options(replica)) {
    line.push_back(fmt::format("--extra_llm_api_options {}", trtllm_options));
  }
  return line;
}

std::string own_sequences_flags(std::string_view software, int gpus) {
  const ServedReplica replica{.gpus = gpus, .by_sequences = true};
  const std::pair<std::string_view, std::string> known[] = {
      {"vLLM", vllm_line(replica)[1]},
      {"SGLang", sglang_line(replica)[1]},
      {"TensorRT-LLM", trtllm_line(replica)[1] + " with enable_attention_dp: true"}};
  std::string words;
  for (const auto& [name, flags] : known) {
    if (software.empty() || software == name) {
      words += fmt::format("{}{} {}", words.empty() ? "" : "; ", name, flags);
    }
  }
  return words;
}

std::string before_trtllm(const ServedReplica& replica) {
  if (!has_trtllm_options(replica)) {
    return "";
  }
  return fmt::format("printf '%s\\n'{}{} > {}",
                     replica.by_sequences ? " 'enable_attention_dp: true'" : "",
                     replica.fp8_caches ? " 'kv_cache_config: {dtype: fp8}'" : "",
                     trtllm_options);
}

// Its image has it in no folder of PATH. It has no FP8; q8_0 is as narrow but for its scales.
ServerLine llama_cpp_line(const ServedReplica& replica) {
  return {R"(/app/llama-server -hf "$MODEL" --host 0.0.0.0 --port "$PORT")",
          fmt::format("-ngl 999{}", replica.gpus > 1 ? " --split-mode row" : ""),
          fmt::format("-c {} -np {}{}",
                      static_cast<std::int64_t>(replica.tokens) * replica.sequences,
                      replica.sequences,
                      replica.fp8_caches ? " -ctk q8_0 -ctv q8_0" : "")};
}

// By the image's own entry, which finds text-generation-launcher its Python. How many sequences are
// in flight it finds from the memory that is left; who comes beyond --max-concurrent-requests,
// those that wait within, it turns away: there is room here for as many to wait as a burst may
// bring.
ServerLine tgi_line(const ServedReplica& replica) {
  constexpr int waiting_for_each = 3;
  ServerLine line{
      R"(/tgi-entrypoint.sh --model-id "$MODEL" --port "$PORT")",
      fmt::format("--num-shard {}", replica.gpus),
      fmt::format("--max-input-tokens {} --max-total-tokens {} --max-concurrent-requests {}",
                  replica.prompt_tokens,
                  replica.tokens,
                  (1 + waiting_for_each) * replica.sequences)};
  const bool half = bytes_per_element(replica.precision) == 2;
  if (replica.weights == WeightFormat::fp8 && !replica.as_published) {
    line.emplace_back("--quantize fp8");  // with which it takes no --dtype
  } else if (half && !replica.as_published) {
    line.push_back(fmt::format("--dtype {}", type_name(replica.precision)));
  }
  if (replica.fp8_caches) {
    line.emplace_back("--kv-cache-dtype fp8_e5m2");
  }
  if (replica.beside_others) {
    line.emplace_back(R"(--shard-uds-path "/tmp/tgi-$PORT" --master-port $((PORT + 20000)) )"
                      "--prometheus-port $((PORT + 10000))");
  }
  return line;
}

}  // namespace rightsize
