#include "advisor/export/server_command.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/export/exporter.h"
#include "advisor/export/longest_request.h"
#include "advisor/export/rocm.h"
#include "advisor/export/server_lines.h"
#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

struct Known {
  std::string_view software;  // canonical (laws/decode_software.h)
  std::string_view image;
  std::string_view folder;
  int port;
  std::string_view longest;    // "--context-length is": what says how long a request may be
  std::string_view quantizes;  // the flag by which it holds 16-bit weights in FP8
  std::vector<std::string> (*line)(const ServedReplica& replica);
  std::string_view rocm_image;  // as image_for() has it
  std::string (*before)(const ServedReplica& replica) = nullptr;
};

constexpr std::array known{
    Known{"vLLM",
          "vllm/vllm-openai:latest",
          "HF_HOME",
          8000,
          "--max-model-len is",
          "--quantization fp8",
          vllm_line,
          "vllm/vllm-openai-rocm:latest"},
    Known{"vLLM V0",
          "vllm/vllm-openai:v0.7.3",
          "HF_HOME",
          8000,
          "--max-model-len is",
          "--quantization fp8",
          vllm_line,
          ""},
    Known{"SGLang",
          "lmsysorg/sglang:latest",
          "HF_HOME",
          30000,
          "--context-length is",
          "--quantization fp8",
          sglang_line,
          "lmsysorg/sglang:v0.5.9-rocm700-{}"},
    Known{"TensorRT-LLM",
          "nvcr.io/nvidia/tensorrt-llm/release:1.0.0",
          "HF_HOME",
          8000,
          "--max_seq_len is",
          "",
          trtllm_line,
          "",
          before_trtllm},
    Known{"llama.cpp",
          "ghcr.io/ggml-org/llama.cpp:server-cuda",
          "LLAMA_CACHE",
          8080,
          "-c is, for each of -np,",
          "",
          llama_cpp_line,
          "ghcr.io/ggml-org/llama.cpp:server-rocm"},
    Known{"TGI",
          "ghcr.io/huggingface/text-generation-inference:3.3.5",
          "HF_HOME",
          80,
          "--max-input-tokens and --max-total-tokens are",
          "--quantize fp8",
          tgi_line,
          "ghcr.io/huggingface/text-generation-inference:3.3.5-rocm"},
};

const Known* known_server(std::string_view software) {
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const Known& one) { return one.software == software; });
  return found == known.end() ? nullptr : found;
}

std::string_view gguf_type(const ServedReplica& replica) {
  switch (replica.weights) {
    case WeightFormat::int4:
      return "Q4_K_M";
    case WeightFormat::nvfp4:
      return "NVFP4";
    case WeightFormat::mxfp4:
      return "MXFP4";
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

bool narrows(const Known& server, const ServedReplica& replica) {
  return replica.weights == WeightFormat::fp8 && !replica.as_published && !server.quantizes.empty();
}

// What no flag says has to be so in the checkpoint.
std::string checkpoint_words(const Known& server,
                             const ServedReplica& replica,
                             const std::string& network) {
  if (server.software == "llama.cpp") {
    return fmt::format("the GGUF file of {}, as user/repository:{}", network, gguf_type(replica));
  }
  const auto words =
      fmt::format("the checkpoint of {}, by its name on huggingface.co or its folder", network);
  if (replica.weights == WeightFormat::own || replica.as_published) {
    return words;
  }
  return narrows(server, replica)
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
  const auto replica = served_replica(*answer.query.tokens, *option.tokens, answer.query.network);
  return ServerCommand{image,
                       server->folder,
                       server->port,
                       replica.sequences,
                       narrows(*server, replica),
                       checkpoint_words(*server, replica, one_line(answer.query.network)),
                       longest_request_words(answer.query, server->longest),
                       server->before == nullptr ? "" : server->before(replica),
                       server->line(replica)};
}

std::string server_command_hint(const Query& query, const Option& option) {
  const auto& software = query.tokens->software;
  std::vector<std::string> others;
  for (const auto& one : known) {
    if (!image_for(option.gpu, one.image, one.rocm_image).empty()) {
      others.push_back(fmt::format("\"{}\"", one.software));
    }
  }
  const auto first = others.front();
  others.erase(others.begin());
  const auto where = runs_rocm(option.gpu) ? " on " + one_line(option.gpu) : "";
  return fmt::format(
      "{}software = {} under [service] (or {}) has its command written here",
      software.empty() ? "" : fmt::format("No command of {} is known{}; ", software, where),
      first,
      fmt::join(others, ", "));
}

std::string skeleton_comment(const Query& query, const Option& option) {
  return "# " + server_command_hint(query, option) + "\n" +
         longest_request_words(query, "MAX_TOKENS is");
}

}  // namespace rightsize
