#include "advisor/export/server_command.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/export/exporter.h"
#include "advisor/export/rocm.h"

namespace rightsize {
namespace {

using Line = std::vector<std::string>;

// What a replica was sized for.
struct Sized {
  int gpus = 1;
  bool by_sequences = false;
  int prompt_tokens = 0;
  int tokens = 0;     // of a sequence, all of them
  int sequences = 0;  // that the replica may hold at once
  Precision precision = Precision::bf16;
  WeightFormat weights = WeightFormat::own;
  bool fp8_caches = false;
  bool beside_others = false;  // of the same machine

  // Sequences lie on one of the GPUs each, as many on every one.
  [[nodiscard]] int sequences_of_rank() const {
    return by_sequences ? std::max(1, sequences / gpus) : sequences;
  }
};

Sized sized(const TokenService& service, const TokenFleet& fleet) {
  const auto& server = fleet.server;
  return {.gpus = server.gpus_each(),
          .by_sequences = server.attention == AttentionSharing::by_sequences,
          .prompt_tokens = service.prompt_tokens,
          .tokens = service.prompt_tokens + service.output_tokens,
          .sequences = fleet.expected.point.most_sequences,
          .precision = server.precision,
          .weights = server.weights,
          .fp8_caches = server.fp8_caches,
          .beside_others = server.replicas > 1};
}

// As PyTorch calls it.
std::string_view type_name(Precision precision) {
  return precision == Precision::bf16   ? "bfloat16"
         : precision == Precision::fp16 ? "float16"
                                        : "float32";
}

std::string form_flags(const Sized& replica, std::string_view cache_type) {
  return fmt::format("--dtype {}{}{}{}",
                     type_name(replica.precision),
                     replica.weights == WeightFormat::fp8 ? " --quantization fp8" : "",
                     replica.fp8_caches ? " --kv-cache-dtype " : "",
                     replica.fp8_caches ? cache_type : "");
}

Line vllm(const Sized& replica) {
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

Line sglang(const Sized& replica) {
  return {R"(python3 -m sglang.launch_server --model-path "$MODEL" --host 0.0.0.0 --port "$PORT")",
          replica.by_sequences
              ? fmt::format("--tp {0} --dp {0} --enable-dp-attention", replica.gpus)
              : fmt::format("--tp {}", replica.gpus),
          fmt::format(
              "--context-length {} --max-running-requests {}", replica.tokens, replica.sequences),
          form_flags(replica, "fp8_e5m2")};
}

constexpr std::string_view trtllm_options = "/tmp/trtllm.yaml";

bool has_trtllm_options(const Sized& replica) {
  return replica.by_sequences || replica.fp8_caches;
}

Line trtllm(const Sized& replica) {
  Line line{
      R"(trtllm-serve "$MODEL" --host 0.0.0.0 --port "$PORT")",
      fmt::format("--tp_size {}", replica.gpus),
      fmt::format(
          "--max_seq_len {} --max_batch_size {}", replica.tokens, replica.sequences_of_rank())};
  if (has_trtllm_options(replica)) {
    line.push_back(fmt::format("--extra_llm_api_options {}", trtllm_options));
  }
  return line;
}

std::string before_trtllm(const Sized& replica) {
  if (!has_trtllm_options(replica)) {
    return "";
  }
  return fmt::format("printf '%s\\n'{}{} > {}",
                     replica.by_sequences ? " 'enable_attention_dp: true'" : "",
                     replica.fp8_caches ? " 'kv_cache_config: {dtype: fp8}'" : "",
                     trtllm_options);
}

// Its image has it in no folder of PATH. It has no FP8; q8_0 is as narrow but for its scales.
Line llama_cpp(const Sized& replica) {
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
Line tgi(const Sized& replica) {
  constexpr int waiting_for_each = 3;
  Line line{R"(/tgi-entrypoint.sh --model-id "$MODEL" --port "$PORT")",
            fmt::format("--num-shard {}", replica.gpus),
            fmt::format("--max-input-tokens {} --max-total-tokens {} --max-concurrent-requests {}",
                        replica.prompt_tokens,
                        replica.tokens,
                        (1 + waiting_for_each) * replica.sequences)};
  if (replica.weights == WeightFormat::fp8) {
    line.emplace_back("--quantize fp8");  // with which it takes no --dtype
  } else if (replica.precision == Precision::bf16 || replica.precision == Precision::fp16) {
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

struct Known {
  std::string_view software;  // canonical (laws/decode_software.h)
  std::string_view image;
  std::string_view folder;
  int port;
  std::string_view longest;    // "--context-length is": what says how long a request may be
  std::string_view quantizes;  // the flag by which it holds 16-bit weights in FP8
  Line (*line)(const Sized& replica);
  std::string_view rocm_image;  // as image_for() has it
  std::string (*before)(const Sized& replica) = nullptr;
};

constexpr std::array known{
    Known{"vLLM",
          "vllm/vllm-openai:latest",
          "HF_HOME",
          8000,
          "--max-model-len is",
          "--quantization fp8",
          vllm,
          "vllm/vllm-openai-rocm:latest"},
    Known{"vLLM V0",
          "vllm/vllm-openai:v0.7.3",
          "HF_HOME",
          8000,
          "--max-model-len is",
          "--quantization fp8",
          vllm,
          ""},
    Known{"SGLang",
          "lmsysorg/sglang:latest",
          "HF_HOME",
          30000,
          "--context-length is",
          "--quantization fp8",
          sglang,
          "lmsysorg/sglang:v0.5.9-rocm700-{}"},
    Known{"TensorRT-LLM",
          "nvcr.io/nvidia/tensorrt-llm/release:1.0.0",
          "HF_HOME",
          8000,
          "--max_seq_len is",
          "",
          trtllm,
          "",
          before_trtllm},
    Known{"llama.cpp",
          "ghcr.io/ggml-org/llama.cpp:server-cuda",
          "LLAMA_CACHE",
          8080,
          "-c is, for each of -np,",
          "",
          llama_cpp,
          "ghcr.io/ggml-org/llama.cpp:server-rocm"},
    Known{"TGI",
          "ghcr.io/huggingface/text-generation-inference:3.3.5",
          "HF_HOME",
          80,
          "--max-input-tokens and --max-total-tokens are",
          "--quantize fp8",
          tgi,
          "ghcr.io/huggingface/text-generation-inference:3.3.5-rocm"},
};

const Known* known_server(std::string_view software) {
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const Known& one) { return one.software == software; });
  return found == known.end() ? nullptr : found;
}

std::string_view gguf_type(const Sized& replica) {
  switch (replica.weights) {
    case WeightFormat::int4:
      return "Q4_K_M";
    case WeightFormat::fp8:
    case WeightFormat::int8:
      return "Q8_0";
    case WeightFormat::own:
      break;
  }
  return replica.precision == Precision::bf16   ? "BF16"
         : replica.precision == Precision::fp16 ? "F16"
                                                : "F32";
}

// What no flag says has to be so in the checkpoint.
std::string checkpoint_words(const Known& server,
                             const Sized& replica,
                             const std::string& network) {
  if (server.software == "llama.cpp") {
    return fmt::format("the GGUF file of {}, as user/repository:{}", network, gguf_type(replica));
  }
  const auto words =
      fmt::format("the checkpoint of {}, by its name on huggingface.co or its folder", network);
  if (replica.weights == WeightFormat::own) {
    return words;
  }
  return replica.weights == WeightFormat::fp8 && !server.quantizes.empty()
             ? fmt::format("{}; for one that is FP8 itself leave out {}", words, server.quantizes)
             : fmt::format("{}; one in {}", words, to_string(replica.weights));
}

}  // namespace

std::optional<ServerCommand> server_command(const Recommendation& answer, const Option& option) {
  if (!option.tokens || !answer.query.tokens) {
    return std::nullopt;
  }
  const auto* server = known_server(answer.query.tokens->software);
  const auto image =
      server == nullptr ? std::string() : image_for(option.gpu, server->image, server->rocm_image);
  if (image.empty()) {
    return std::nullopt;
  }
  const auto replica = sized(*answer.query.tokens, *option.tokens);
  return ServerCommand{image,
                       server->folder,
                       server->port,
                       replica.sequences,
                       checkpoint_words(*server, replica, one_line(answer.query.network)),
                       longest_request(*answer.query.tokens, server->longest),
                       server->before == nullptr ? "" : server->before(replica),
                       server->line(replica)};
}

std::string longest_request(const TokenService& service, std::string_view said_by) {
  return fmt::format(
      "# {} the longest request: prompt_tokens = {} and output_tokens = {} of [service].\n"
      "# Longer ones are refused. The memory was counted for it: say more there, and export "
      "again.\n",
      said_by,
      service.prompt_tokens,
      service.output_tokens);
}

std::string server_command_hint(const Query& query) {
  const auto& software = query.tokens->software;
  std::vector<std::string> others;
  for (const auto& one : known) {
    others.push_back(fmt::format("\"{}\"", one.software));
  }
  const auto first = others.front();
  others.erase(others.begin());
  return fmt::format("{}software = {} under [service] (or {}) has its command written here",
                     software.empty() ? "" : fmt::format("No command of {} is known; ", software),
                     first,
                     fmt::join(others, ", "));
}

std::string skeleton_comment(const Query& query) {
  return "# " + server_command_hint(query) + "\n" + longest_request(*query.tokens, "MAX_TOKENS is");
}

}  // namespace rightsize
