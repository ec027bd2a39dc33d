#include "advisor/query/software_words.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/toml_fields.h"
#include "models/laws/decode_software.h"
#include "models/laws/spelling.h"

namespace rightsize {

std::optional<Stack> stack_meant(std::string_view text) {
  constexpr int last_year_of_the_era = 2019;
  const auto word = bare(text);
  if (word.size() == 4 &&
      std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return std::atoi(word.c_str()) <= last_year_of_the_era ? Stack::era : Stack::current;
  }
  static constexpr std::array<Meaning<Stack>, 6> words{{{"era", Stack::era},
                                                        {"old", Stack::era},
                                                        {"current", Stack::current},
                                                        {"modern", Stack::current},
                                                        {"recent", Stack::current},
                                                        {"today", Stack::current}}};
  return first_contained(word, words);
}

std::string known_frameworks(std::string_view written) {
  std::vector<std::string> names{"PyTorch",
                                 "TensorFlow",
                                 "XLA",
                                 "MXNet",
                                 "PaddlePaddle",
                                 "TensorRT",
                                 "ONNX Runtime",
                                 "FasterTransformer",
                                 "AITemplate",
                                 "Torch7"};
  std::vector<std::string> words;
  for (const auto& name : names) {
    words.push_back(bare(name));
  }
  const auto near = nearest_word(bare(written), words);
  const auto first = std::find(words.begin(), words.end(), near);
  if (first != words.end()) {
    const auto at = names.begin() + (first - words.begin());
    std::rotate(names.begin(), at, at + 1);
  }
  const auto last = names.back();
  names.pop_back();
  const auto writer = decode_software(written);
  return fmt::format(
      "{} or {}{}",
      fmt::join(names, ", "),
      last,
      writer ? fmt::format(" ({} writes tokens, which is phase \"decode\")", *writer) : "");
}

namespace {

// Programs whose names hold a framework's, and that are another: TensorRT-LLM writes tokens, the
// others have no published figures.
bool is_another_program(std::string_view word) {
  static constexpr std::array others{
      "tensorrtllm", "tensorflowlite", "tflite", "tensorflowjs", "tfjs", "executorch", "jax"};
  return std::any_of(others.begin(), others.end(), [&](std::string_view other) {
    return word.find(other) != std::string_view::npos;
  });
}

}  // namespace

std::optional<Software> software_meant(std::string_view text) {
  static constexpr std::array<Meaning<std::string_view>, 12> frameworks{
      {{"tensorrt", "TensorRT"},
       {"onnx", "ONNX Runtime"},
       {"fastertransformer", "FasterTransformer"},
       {"aitemplate", "AITemplate"},
       {"torch7", "Torch7 cuDNN 5105"},
       {"pytorch", "PyTorch"},
       {"torch", "PyTorch"},
       {"xla", "TensorFlow XLA"},
       {"tensorflow", "TensorFlow"},
       {"tf", "TensorFlow"},
       {"mxnet", "MXNet"},
       {"paddle", "PaddlePaddle"}}};
  auto word = bare(text);
  if (is_another_program(word)) {
    return std::nullopt;
  }
  if (const auto keras = word.find("keras"); keras != std::string::npos) {
    word.replace(keras, 5, "tf");  // it ends as "eras" does, and means no era
  }
  Software software;
  software.framework = first_contained(word, frameworks).value_or("");
  software.stack = stack_meant(word);
  const auto year = word.find("20");
  if (!software.stack && year != std::string::npos) {
    software.stack = stack_meant(std::string_view(word).substr(year, 4));
  }
  if (!software.stack && software.framework.starts_with("Torch7")) {
    software.stack = Stack::era;  // nobody has published it since
  }
  return software.stack || !software.framework.empty() ? std::optional(software) : std::nullopt;
}

}  // namespace rightsize
