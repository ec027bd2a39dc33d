#include "models/laws/decode_software.h"

#include <array>

#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// Root mean square of ln(predicted / published) by a law fitted without the source; of a program
// with one publisher or two at least least_log_sd, as the next one's differs. 0: known by name
// alone.
struct Software {
  std::string_view name;
  double log_sd;
};

constexpr double least_log_sd = 0.15;
constexpr std::array<Software, 14> known{{{"TensorRT-LLM", 0.25},
                                          {"vLLM", 0},
                                          {"SGLang", 0},
                                          {"TGI", 0},
                                          {"LMDeploy", least_log_sd},
                                          {"Hugging Face", least_log_sd},
                                          {"gpt-fast", 0.31},
                                          {"llama.cpp", 0.21},
                                          {"MLC LLM", 0.23},
                                          {"AutoAWQ", least_log_sd},
                                          {"Exllama V2", least_log_sd},
                                          {"Exllama", least_log_sd},
                                          {"TinyChat", least_log_sd},
                                          {"DeepSpeed", 0}}};
// Of the four that were known first, each counting the same; a program without figures is no
// nearer.
constexpr double any_log_sd = 0.27;

// Also by the short names they go by. Whole names only: TensorRT is another program.
bool is_called(std::string_view name, std::string_view text) {
  const auto word = bare(text);
  return word == bare(name) || (name == "TensorRT-LLM" && word == "trtllm") ||
         (name == "MLC LLM" && word == "mlc") || (name == "Exllama V2" && word == "exl2") ||
         (name == "Hugging Face" && (word == "transformers" || word == "hf"));
}

}  // namespace

std::optional<std::string> decode_software(std::string_view text) {
  for (const auto& one : known) {
    if (is_called(one.name, text)) {
      return std::string(one.name);
    }
  }
  return std::nullopt;
}

std::string known_decode_software() {
  std::string names;
  for (const auto& one : known) {
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  }
  return names;
}

double decode_log_sd(std::string_view software) {
  for (const auto& one : known) {
    if (one.name == software && one.log_sd > 0) {
      return one.log_sd;
    }
  }
  return any_log_sd;
}

}  // namespace rightsize
