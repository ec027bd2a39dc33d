#include "models/laws/decode_software.h"

#include <array>

#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// Root mean square of ln(predicted / published) by a law fitted without the source.
struct Software {
  std::string_view name;
  double log_sd;
};

constexpr std::array<Software, 4> known{
    {{"TensorRT-LLM", 0.15}, {"gpt-fast", 0.34}, {"MLC LLM", 0.27}, {"llama.cpp", 0.27}}};
// Of the four, each counting the same; a program without figures is no nearer.
constexpr double any_log_sd = 0.27;

// Also by the short names they go by. Whole names only: TensorRT is another program.
bool is_called(std::string_view name, std::string_view text) {
  const auto word = bare(text);
  return word == bare(name) || (name == "TensorRT-LLM" && word == "trtllm") ||
         (name == "MLC LLM" && word == "mlc");
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
    if (one.name == software) {
      return one.log_sd;
    }
  }
  return any_log_sd;
}

}  // namespace rightsize
