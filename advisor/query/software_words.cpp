#include "advisor/query/software_words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "advisor/query/exact_words.h"
#include "advisor/query/toml_fields.h"
#include "models/laws/decode_software.h"
#include "models/laws/framework_habits.h"
#include "models/laws/spelling.h"

namespace rightsize {

namespace {

// Versions and years stand apart from the names they touch: "tf1.7" has "tf", "1" and "7".
std::vector<std::string> names_and_numbers(std::string_view text) {
  std::string apart;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool edge = i > 0 && digit(text[i]) != digit(text[i - 1]);
    apart += edge ? " " : "";
    apart += text[i];
  }
  return words_in(apart);
}

std::optional<Stack> stack_of(std::span<const std::string> words) {
  static constexpr std::array stacks{Spelling<Stack>{"era", Telling::most, Stack::era},
                                     Spelling<Stack>{"old", Telling::most, Stack::era},
                                     Spelling<Stack>{"current", Telling::most, Stack::current},
                                     Spelling<Stack>{"modern", Telling::most, Stack::current},
                                     Spelling<Stack>{"recent", Telling::most, Stack::current},
                                     Spelling<Stack>{"today", Telling::most, Stack::current}};
  constexpr std::string_view first_year = "2012";  // AlexNet's
  constexpr int last_year_of_the_era = 2018;
  std::optional<Stack> year;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const auto [found, count] = longest_spelling<Stack>(words, i, stacks); found != nullptr) {
      return found->value;
    }
    const auto& word = words[i];
    if (!year && word.size() == 4 && word >= first_year && word < "2100" &&
        word.find_first_not_of("0123456789") == std::string::npos) {
      year = std::atoi(word.c_str()) <= last_year_of_the_era ? Stack::era : Stack::current;
    }
  }
  return year;
}

}  // namespace

// Each word has to be known here, as nothing but the years is asked for.
std::optional<Stack> stack_meant(std::string_view text) {
  const auto words = names_and_numbers(text);
  const auto known = [](const std::string& word) {
    const std::array one{word};
    return word == "stack" || word == "software" || stack_of(one);
  };
  return std::all_of(words.begin(), words.end(), known) ? stack_of(words) : std::nullopt;
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
                                 std::string(ctranslate2),
                                 "JAX",
                                 "NeMo",
                                 "Megatron",
                                 "MaxText",
                                 "OneFlow",
                                 "DeepSpeed",
                                 "Caffe",
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
bool is_another_program(std::string_view text, const std::vector<std::string>& words) {
  static constexpr std::array others{
      "tensorrtllm", "tensorflowlite", "tflite", "tensorflowjs", "tfjs", "executorch"};
  static constexpr std::array<std::string_view, 2> caffe2{"caffe", "2"};  // not Caffe of a year
  const auto word = bare(text);
  return std::search(words.begin(), words.end(), caffe2.begin(), caffe2.end()) != words.end() ||
         std::any_of(others.begin(), others.end(), [&](std::string_view other) {
           return word.find(other) != std::string_view::npos;
         });
}

// "PyTorch compile", "torch.compile", "PyTorch 2 (inductor)": generated code, not layer by layer. A
// "not" denies what follows it, perhaps behind the framework: "without torch.compile".
bool is_compiled(std::span<const std::string> words) {
  static constexpr std::array ways{"compile", "compiled", "inductor", "dynamo", "torchdynamo"};
  static constexpr std::array denials{"not", "no", "non", "without"};
  const auto is_one_of = [](const auto& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  };
  bool compiled = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "eager") {
      return false;
    }
    if (is_one_of(ways, words[i])) {
      const bool behind = i > 0 && (words[i - 1] == "torch" || words[i - 1] == "pytorch");
      const std::size_t before = behind ? 2 : 1;
      compiled = i < before || !is_one_of(denials, words[i - before]);
    }
  }
  return compiled;
}

using Framework = Spelling<std::string_view>;
constexpr auto named = Telling::most;
// The engine stands before its home: of two that are named the first counts.
constexpr std::array frameworks{Framework{"tensorrt", named, "TensorRT"},
                                Framework{"onnxruntime", named, "ONNX Runtime"},
                                Framework{"onnx", named, "ONNX Runtime"},
                                Framework{"fastertransformer", named, "FasterTransformer"},
                                Framework{"aitemplate", named, "AITemplate"},
                                Framework{"ctranslate2", named, ctranslate2},
                                Framework{"fasterwhisper", named, ctranslate2},
                                Framework{"whisperx", named, ctranslate2},
                                Framework{"torch7", named, "Torch7 cuDNN 5105"},
                                Framework{"torchinductor", named, "PyTorch compile"},
                                Framework{"torchscript", named, "PyTorch TorchScript"},
                                Framework{"deepspeed", named, "PyTorch DeepSpeed"},
                                Framework{"llmfoundry", named, "PyTorch (Mosaic)"},
                                Framework{"mosaicml", named, "PyTorch (Mosaic)"},
                                Framework{"megatron", named, "PyTorch (NeMo)"},
                                Framework{"megatronlm", named, "PyTorch (NeMo)"},
                                Framework{"nemo", named, "PyTorch (NeMo)"},
                                Framework{"pytorch", named, "PyTorch"},
                                Framework{"torch", named, "PyTorch"},
                                Framework{"transformers", named, "PyTorch"},
                                Framework{"torchtune", named, "PyTorch"},
                                Framework{"torchtitan", named, "PyTorch"},
                                Framework{"axolotl", named, "PyTorch"},
                                Framework{"unsloth", named, "PyTorch"},
                                Framework{"litgpt", named, "PyTorch"},
                                Framework{"fsdp", named, "PyTorch"},
                                Framework{"libtorch", named, "PyTorch"},
                                Framework{"torchvision", named, "PyTorch"},
                                Framework{"maxtext", named, "JAX (MaxText)"},
                                Framework{"jax", named, "JAX"},
                                Framework{"flax", named, "JAX"},
                                Framework{"paxml", named, "JAX"},
                                Framework{"xla", named, "TensorFlow XLA"},
                                Framework{"tensorflow", named, "TensorFlow"},
                                Framework{"tf", named, "TensorFlow"},
                                Framework{"keras", named, "TensorFlow"},
                                Framework{"mxnet", named, "MXNet"},
                                Framework{"gluon", named, "MXNet"},
                                Framework{"oneflow", named, "OneFlow"},
                                Framework{"caffe", named, "Caffe"},
                                Framework{"nvcaffe", named, "Caffe"},
                                Framework{"paddlepaddle", named, "PaddlePaddle"},
                                Framework{"paddle", named, "PaddlePaddle"}};

}  // namespace

std::optional<Software> software_meant(std::string_view text) {
  const auto words = names_and_numbers(text);
  if (is_another_program(text, words)) {
    return std::nullopt;
  }
  const Framework* framework = nullptr;
  for (std::size_t i = 0; i < words.size();) {
    const auto [found, count] = longest_spelling<std::string_view>(words, i, frameworks);
    const bool earlier = found != nullptr && (framework == nullptr || found < framework);
    framework = earlier ? found : framework;
    i += std::max<std::size_t>(count, 1);
  }
  Software software;
  software.framework = framework == nullptr ? "" : framework->value;
  if (software.framework == "PyTorch" && is_compiled(words)) {
    software.framework = "PyTorch compile";
  }
  software.stack = stack_of(words);
  const bool gone = software.framework.starts_with("Torch7") || software.framework == "Caffe";
  if (!software.stack && gone) {
    software.stack = Stack::era;  // nobody has published it since
  }
  return software.stack || !software.framework.empty() ? std::optional(software) : std::nullopt;
}

// Caffe's has two towers, that of TensorFlow and PyTorch one (Krizhevsky, "One weird trick for
// parallelizing convolutional neural networks", 2014).
void take_form_of_framework(NetworkStep& step) {
  const std::string_view framework = step.framework;
  // Another framework may be named after one that has given it a form: a flag after a job file.
  step.form_of_framework =
      step.network == "alexnet" || (step.form_of_framework && step.network.starts_with("alexnet-"));
  if (step.form_of_framework) {
    step.network = framework.starts_with("TensorFlow") || framework.starts_with("PyTorch")
                       ? "alexnet-owt"
                   : framework.starts_with("MXNet") ? "alexnet-mxnet"
                                                    : "alexnet";
  }
}

}  // namespace rightsize
