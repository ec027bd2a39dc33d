#include "advisor/query/words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/network.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/detection/detection.h"
#include "kernels/networks/diffusion/diffusion.h"
#include "kernels/networks/encoder_decoder/encoder_decoder.h"
#include "kernels/networks/language_models.h"
#include "kernels/onnx/onnx.h"
#include "models/laws/spelling.h"

namespace rightsize {
namespace {

// Spellings that are neither a built-in network's name nor its title.
constexpr std::array<std::pair<std::string_view, std::string_view>, 164> spellings{{
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
    {"mobilenetv3large100", "mobilenet-v3-large"},
    {"mobilenetv3small100", "mobilenet-v3-small"},
    {"efficientnet", "efficientnet-b0"},
    {"efficientnetv2", "efficientnet-v2-s"},
    {"convnext", "convnext-tiny"},
    {"densenet", "densenet121"},
    {"wideresnet50", "wide-resnet50-2"},
    {"wrn502", "wide-resnet50-2"},
    {"regnety8gf", "regnety-080"},  // "16" might be 1.6
    {"bert", "bert-base"},
    {"bertbaseuncased", "bert-base"},
    {"bertbasecased", "bert-base"},
    {"bertlargeuncased", "bert-large"},
    {"distilbert", "distilbert-base"},
    {"distilbertbaseuncased", "distilbert-base"},
    {"distilbertbasecased", "distilbert-base"},
    {"roberta", "roberta-base"},
    {"xlmroberta", "xlm-roberta-base"},
    {"xlmrbase", "xlm-roberta-base"},
    {"xlmrlarge", "xlm-roberta-large"},
    {"modernbert", "modernbert-base"},
    {"minilm", "minilm-l6"},
    {"minilml6v2", "minilm-l6"},
    {"bgesmallenv15", "bge-small"},
    {"bgebaseenv15", "bge-base"},
    {"bgelargeenv15", "bge-large"},
    {"gpt2small", "gpt2"},
    {"gpt2124m", "gpt2"},
    {"gpt2117m", "gpt2"},
    {"vit", "vit-b16"},
    {"vitb", "vit-b16"},
    {"vitbase", "vit-b16"},
    {"vitbase16", "vit-b16"},
    {"vitbasepatch16224", "vit-b16"},
    {"vits", "vit-s16"},
    {"vitsmall", "vit-s16"},
    {"vitsmall16", "vit-s16"},
    {"vitsmallpatch16224", "vit-s16"},
    {"deits", "vit-s16"},
    {"deitsmall", "vit-s16"},
    {"deitsmallpatch16224", "vit-s16"},
    {"deitb", "vit-b16"},
    {"deitbase", "vit-b16"},
    {"deitbasepatch16224", "vit-b16"},
    {"vitl", "vit-l16"},
    {"vitlarge", "vit-l16"},
    {"vitlarge16", "vit-l16"},
    {"vitlargepatch16224", "vit-l16"},
    {"vith", "vit-h14"},
    {"vithuge", "vit-h14"},
    {"vithuge14", "vit-h14"},
    {"vithugepatch14224", "vit-h14"},
    {"llama31405b", "llama-405b"},
    {"llama3370b", "llama-70b"},
    {"vicuna7b", "llama-2-7b"},
    {"vicuna13b", "llama-2-13b"},
    {"deepseekr1distillllama8b", "llama-8b"},
    {"deepseekr1distillllama70b", "llama-70b"},
    {"deepseekr1distillqwen15b", "qwen2.5-1.5b"},
    {"deepseekr1distillqwen7b", "qwen2.5-7b"},
    {"deepseekr1distillqwen14b", "qwen2.5-14b"},
    {"deepseekr1distillqwen32b", "qwen2.5-32b"},
    {"deepseekr1", "deepseek-v3"},
    {"qwq32b", "qwen2.5-32b"},
    {"qwen25coder05b", "qwen2.5-0.5b"},
    {"qwen25coder15b", "qwen2.5-1.5b"},
    {"qwen25coder3b", "qwen2.5-3b"},
    {"qwen25coder7b", "qwen2.5-7b"},
    {"qwen25coder14b", "qwen2.5-14b"},
    {"qwen25coder32b", "qwen2.5-32b"},
    {"mistralnemo", "mistral-nemo-12b"},
    {"mistralsmall", "mistral-small-24b"},
    {"mistrallarge", "mistral-large-123b"},
    {"phi3mini4k", "phi-3-mini"},
    {"phi3mini128k", "phi-3-mini"},
    {"phi35mini", "phi-3-mini"},
    {"phi3medium4k", "phi-3-medium"},
    {"phi3medium128k", "phi-3-medium"},
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
    {"sd", "sd-1.5"},
    {"sd1", "sd-1.5"},
    {"sd14", "sd-1.5"},
    {"sdv14", "sd-1.5"},
    {"sdv15", "sd-1.5"},
    {"stablediffusion", "sd-1.5"},
    {"stablediffusion14", "sd-1.5"},
    {"stablediffusionv14", "sd-1.5"},
    {"stablediffusionv15", "sd-1.5"},
    {"sd2", "sd-2.1"},
    {"sd20", "sd-2.1"},
    {"sdv21", "sd-2.1"},
    {"stablediffusion2", "sd-2.1"},
    {"stablediffusion20", "sd-2.1"},
    {"stablediffusionv21", "sd-2.1"},
    {"sdxl10", "sdxl"},
    {"sdxlbase", "sdxl"},
    {"sdxlbase10", "sdxl"},
    {"stablediffusionxlbase10", "sdxl"},
    {"sd3", "sd3-medium"},
    {"stablediffusion3", "sd3-medium"},
    {"sd35", "sd3.5-large"},
    {"flux", "flux-dev"},
    {"flux1", "flux-dev"},
    {"bge", "bge-base"},
    {"e5small", "bge-small"},  // of their shapes
    {"e5base", "bge-base"},
    {"e5large", "bge-large"},
    {"bart", "bart-large"},
    {"bartlargecnn", "bart-large"},
    {"bartlargemnli", "bart-large"},
    {"nllb", "nllb-600m"},
    {"nllb200distilled600m", "nllb-600m"},
    {"opusmt", "opus-mt-en-de"},
    {"m2m100", "m2m100-418m"},
    {"whisper", "whisper-large-v3"},
    {"whisperlarge", "whisper-large-v2"},  // the first has its shape
    {"whisperlargev1", "whisper-large-v2"},
    {"whisperturbo", "whisper-large-v3-turbo"},
    {"largev3turbo", "whisper-large-v3-turbo"},
    {"whispertinyen", "whisper-tiny"},
    {"whisperbaseen", "whisper-base"},
    {"whispersmallen", "whisper-small"},
    {"whispermediumen", "whisper-medium"},
    {"distilwhisperlargev2", "distil-large-v2"},
    {"distilwhisperlargev3", "distil-large-v3"},
    {"t5", "t5-base"},
    {"yolov11n", "yolo11n"},
    {"yolov11s", "yolo11s"},
    {"yolov11m", "yolo11m"},
    {"yolov11l", "yolo11l"},
    {"yolov11x", "yolo11x"},
    {"retinanetresnet50fpn", "retinanet-resnet50"},
    {"ssd300resnet50v11", "ssd300-resnet50"},
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

// What hubs put behind a language model's name: how it was tuned, and when.
constexpr std::array<std::string_view, 24> tunings{
    "instruct", "chat", "hf",   "it",   "pt",   "base", "thinking", "v01",
    "v02",      "v03",  "v10",  "0324", "0528", "0905", "2407",     "2409",
    "2410",     "2411", "2501", "2503", "2506", "2507", "preview",  "distill"};

std::optional<std::string_view> built_in(std::string_view wanted) {
  for (const auto& info : network_titles()) {
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

// "Meta-Llama-3.1-8B-Instruct" -> "llama-8b"; of other kinds than language models nothing is left
// out, which would be another network.
std::optional<std::string_view> language_model_meant(std::string_view wanted) {
  constexpr std::string_view owner = "meta";
  if (wanted.starts_with(owner)) {
    wanted.remove_prefix(owner.size());
  }
  for (;;) {
    const auto found = built_in(wanted);
    if (found && (language_model(*found) != nullptr || found->starts_with("llama-") ||
                  found->starts_with("mixtral-"))) {
      return found;
    }
    const auto* const tuning =
        std::find_if(tunings.begin(), tunings.end(), [&](std::string_view one) {
          return wanted.size() > one.size() && wanted.ends_with(one);
        });
    if (tuning == tunings.end()) {
      return std::nullopt;
    }
    wanted.remove_suffix(tuning->size());
  }
}

}  // namespace

std::string network_meant(std::string_view text) {
  if (is_onnx_path(text) || is_config_path(without_form(text))) {
    return std::string(text);
  }
  const auto wanted = bare(text);
  const auto found = built_in(wanted);
  const auto base = without_form(text);        // of a hub's name what is behind the owner's
  constexpr std::string_view weights = ".pt";  // as a file of Ultralytics' is called
  auto own = base.substr(base.find_last_of('/') + 1);
  own.remove_suffix(own.ends_with(weights) ? weights.size() : 0);
  const auto of_owner = bare(own);
  const auto known = built_in(of_owner);
  const auto formed = known ? known : language_model_meant(of_owner);
  const bool has_form = base.size() < text.size();
  const bool of_hub = std::count(base.begin(), base.end(), '/') == 1 && !base.starts_with('.');
  const bool has_forms =
      formed && (is_diffusion(*formed) || is_encoder_decoder(*formed) || is_detection(*formed));
  if (formed && ((of_hub && !has_form) || has_forms)) {
    return std::string(*formed) + std::string(text.substr(base.size()));
  }
  const auto named = without_remark(text);
  const auto versioned = found ? found : built_in(without_version(named));
  const auto plain = versioned ? versioned : language_model_meant(named);
  return std::string(plain.value_or(text));
}

bool means_no_gpu(std::string_view text) {
  const auto word = bare(text);
  return word.empty() || word == "none" || word == "cpu" || word == "nonecpu" ||
         word == "cpuonly" || word == "no" || word == "0" || word == "na";
}

}  // namespace rightsize
