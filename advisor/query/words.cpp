#include "advisor/query/words.h"

#include <array>
#include <span>
#include <utility>

#include "kernels/network.h"
#include "kernels/onnx/onnx.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// Spellings that are neither a built-in network's name nor its title.
constexpr std::array<std::pair<std::string_view, std::string_view>, 44> spellings{{
    {"rn18", "resnet18"},
    {"rn34", "resnet34"},
    {"rn50", "resnet50"},
    {"rn101", "resnet101"},
    {"rn152", "resnet152"},
    {"resnet", "resnet50"},
    {"vgg", "vgg16"},
    {"vggd", "vgg16"},
    {"vgg16d", "vgg16"},
    {"inceptionv1", "googlenet"},
    {"inception1", "googlenet"},
    {"inceptionv2", "inception-bn"},
    {"inception2", "inception-bn"},
    {"inception3", "inception-v3"},
    {"inception", "inception-v3"},
    {"mobilenet", "mobilenet-v2"},
    {"mobilenet2", "mobilenet-v2"},
    {"bert", "bert-base"},
    {"bertbaseuncased", "bert-base"},
    {"bertbasecased", "bert-base"},
    {"bertlargeuncased", "bert-large"},
    {"gpt2small", "gpt2"},
    {"gpt2124m", "gpt2"},
    {"gpt2117m", "gpt2"},
    {"vit", "vit-b16"},
    {"vitb", "vit-b16"},
    {"vitbase", "vit-b16"},
    {"vitbase16", "vit-b16"},
    {"vitbasepatch16224", "vit-b16"},
    {"llama318b", "llama-8b"},
    {"llama38b", "llama-8b"},
    {"llama3170b", "llama-70b"},
    {"llama370b", "llama-70b"},
    {"llama321b", "llama-1b"},
    {"ptb", "ptb-medium"},
    {"caffenet", "alexnet"},
    {"imdbbidirectionallstm", "imdb-lstm"},
    {"bidirectionallstm", "imdb-lstm"},
    {"fasttext", "imdb-fasttext"},
    {"lstmtextgeneration", "text-lstm"},
    {"textgeneratorkeras", "text-lstm"},
    {"cifar10", "cifar10-cnn"},
    {"inceptionbnsmall", "inception-bn-28-small"},
    {"ptblstm", "ptb-medium"},
}};

// ResNet's versions move a stride or a normalisation ("ResNet-50 v1.5"): the work stays the same
// within the estimate's interval. Those of other networks are other networks ("MobileNet v1").
std::string_view without_version(std::string_view name) {
  if (!name.starts_with("resnet") && !name.starts_with("rn")) {
    return name;
  }
  for (const std::string_view version : {"v15", "v1b", "v1", "v2"}) {
    if (name.ends_with(version)) {
      return name.substr(0, name.size() - version.size());
    }
  }
  return name;
}

// "CaffeNet (AlexNet variant)": what stands in brackets is a remark, unless it is a version.
std::string without_remark(std::string_view text) {
  const auto bracket = text.find('(');
  const auto remark = bracket == std::string_view::npos ? "" : bare(text.substr(bracket));
  const bool version =
      remark.size() > 1 && remark[0] == 'v' && remark[1] >= '0' && remark[1] <= '9';
  return bare(version ? text : text.substr(0, bracket));
}

std::optional<std::string_view> built_in(std::string_view wanted) {
  for (const auto& info : builtin_networks()) {
    if (bare(info.name) == wanted || bare(info.title) == wanted) {
      return info.name;
    }
  }
  for (const auto& [spelling, name] : spellings) {
    if (spelling == wanted) {
      return name;
    }
  }
  return std::nullopt;
}

constexpr std::array<Meaning<Precision>, 12> precisions{{
    {"bf16", Precision::bf16},
    {"bfloat16", Precision::bf16},
    {"tf32", Precision::tf32},
    {"amp", Precision::fp16},
    {"mixed", Precision::fp16},
    {"fp16", Precision::fp16},
    {"float16", Precision::fp16},
    {"half", Precision::fp16},
    {"fp32", Precision::fp32},
    {"float32", Precision::fp32},
    {"single", Precision::fp32},
    {"float", Precision::fp32},
}};

// Widths that no law here knows, though "float64" has a "float" in it.
constexpr std::array<std::string_view, 7> unknown_widths{
    "64", "double", "fp8", "float8", "int8", "fp4", "int4"};

constexpr std::array<Meaning<Phase>, 14> phases{{
    {"preproc", Phase::preprocess},
    {"decod", Phase::decode},
    {"generat", Phase::decode},
    {"infer", Phase::infer},
    {"serv", Phase::infer},
    {"predict", Phase::infer},
    {"scor", Phase::infer},
    {"eval", Phase::infer},
    {"valid", Phase::infer},
    {"prefill", Phase::infer},
    {"train", Phase::train},
    {"tuning", Phase::train},
    {"finetune", Phase::train},
    {"learn", Phase::train},
}};

constexpr std::array<Meaning<DataFormat>, 19> data_words{{
    {"synth", DataFormat::synthetic},   {"fake", DataFormat::synthetic},
    {"dummy", DataFormat::synthetic},   {"random", DataFormat::synthetic},
    {"none", DataFormat::synthetic},    {"inmemory", DataFormat::synthetic},
    {"tfrecord", DataFormat::tfrecord}, {"recordio", DataFormat::recordio},
    {"recfile", DataFormat::recordio},  {"lmdb", DataFormat::lmdb},
    {"jpeg", DataFormat::jpeg},         {"jpg", DataFormat::jpeg},
    {"imagefolder", DataFormat::jpeg},  {"mnist", DataFormat::mnist},
    {"cifar", DataFormat::cifar},       {"token", DataFormat::tokens},
    {"text", DataFormat::tokens},       {"imagenet", DataFormat::recordio},
    {"real", DataFormat::recordio},
}};

}  // namespace

std::string network_meant(std::string_view text) {
  if (is_onnx_path(text) || text.ends_with(".json")) {
    return std::string(text);
  }
  const auto wanted = bare(text);
  const auto found = built_in(wanted);
  const auto named = without_remark(text);
  const auto plain = found ? found : built_in(without_version(named));
  return std::string(plain.value_or(text));
}

std::optional<Phase> phase_meant(std::string_view text) {
  const auto exact = parse_phase(text);
  return exact ? exact : first_contained(bare(text), phases);
}

std::optional<Precision> precision_meant(std::string_view text) {
  const auto word = bare(text);
  if (word == "16" || word == "32") {
    return word == "16" ? Precision::fp16 : Precision::fp32;
  }
  for (const auto width : unknown_widths) {
    if (word.find(width) != std::string::npos) {
      return std::nullopt;
    }
  }
  return first_contained(word, precisions);
}

std::optional<DataFormat> data_meant(std::string_view text) {
  const auto exact = parse_data_format(text);
  return exact ? exact : first_contained(bare(text), data_words);
}

bool means_no_gpu(std::string_view text) {
  const auto word = bare(text);
  return word.empty() || word == "none" || word == "cpu" || word == "nonecpu" ||
         word == "cpuonly" || word == "no" || word == "0" || word == "na";
}

}  // namespace rightsize
