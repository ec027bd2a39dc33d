#include "models/laws/decode_software.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "models/laws/spelling.h"
#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// Root mean square of ln(predicted / published) by a law fitted without the source; of a program
// with one publisher or two at least least_log_sd, as the next one's differs. 0: known by name
// alone.
struct Software {
  std::string_view name;
  double log_sd;
  bool under_load = false;    // also of many sequences at once, by more than one publisher
  bool by_sequences = false;  // attention of GPUs that share a mixture (its documentation)
  bool cuda_alone = false;
  bool static_batches = false;  // its generate() takes a batch and returns it whole
};

constexpr double least_log_sd = 0.15;
// vLLM's are of calibration/decode_servers.csv, Hugging Face's of decode_one.csv, as its hosts
// differ.
constexpr std::array<Software, 15> known{{{"TensorRT-LLM", 0.25, true, true, true},
                                          {"vLLM", 0.27, true, true},
                                          {"vLLM V0", 0.30, true},
                                          {"SGLang", 0, false, true},
                                          {"TGI", 0},
                                          {"LMDeploy", least_log_sd, false, true, true},
                                          {"Hugging Face", 0.33, false, false, false, true},
                                          {"gpt-fast", 0.31, false, false, false, true},
                                          {"llama.cpp", 0.21},
                                          {"MLC LLM", 0.23},
                                          {"AutoAWQ", least_log_sd, false, false, false, true},
                                          {"Exllama V2", least_log_sd},
                                          {"Exllama", least_log_sd, false, false, false, true},
                                          {"TinyChat", least_log_sd, false, false, true, true},
                                          {"DeepSpeed", 0}}};
// Set by hand, no less than the root mean square of the four that several have published (0.25). Of
// 103 rates that were asked blind nine tenths lay within 1.645 times 0.21; with 31 of vLLM and
// others by premAI in 2023, whose law is not fitted, 0.43 (calibration/blind_errors.py).
constexpr double any_log_sd = 0.27;
// On AMD's GPUs beside it. The rates of vLLM of 2025 and later lie within 0.65 of the law, and its
// first engine's on ROCm 6.2 and later nearer (calibration/decode_instinct.csv). Of mixtures:
// assumed; DeepSeek's in its first weeks there ran 0.6 to 1.9 below (decode_instinct_early.csv).
constexpr double instinct_log_sd = 0.25;
constexpr double instinct_experts_log_sd = 0.5;
// Of mixtures with experts in FP4: DeepSeek's are within 0.5 of the law, gpt-oss' largest loads 0.8
// below (calibration/decode_fp4.csv).
constexpr double fp4_experts_log_sd = 0.3;

bool has_figures(const Software& one) {
  return one.log_sd > 0;
}

// By how their titles begin, the families for which SGLang documents --enable-dp-attention
// (python/sglang/srt/server_args.py: "DeepSeek-V2 and Qwen 2/3 MoE models"; docs.sglang.io, "DP,
// DPA and SGLang DP Router": also Kimi-K2, which has DeepSeek-V3's blocks). Of Mixtral, gpt-oss and
// GLM it says nothing.
constexpr std::array<std::string_view, 3> of_sglang{"DeepSeek-V", "Kimi K2", "Qwen"};

// Also by the short names they go by. Whole names only: TensorRT is another program.
bool is_called(std::string_view name, std::string_view text) {
  const auto word = bare(text);
  return word == bare(name) || (name == "TensorRT-LLM" && word == "trtllm") ||
         (name == "MLC LLM" && word == "mlc") || (name == "Exllama V2" && word == "exl2") ||
         (name == "Hugging Face" && (word == "transformers" || word == "hf"));
}

// "vLLM 0.6.3", "vLLM v0.6.3" and the like, by its engine: V1 is the usual one from 0.8 on (2025).
std::optional<std::string> vllm_version(std::string_view text) {
  const auto word = bare(text);
  if (!(word.starts_with("vllm0") || word.starts_with("vllmv0")) ||
      text.find("0.") == std::string_view::npos) {
    return std::nullopt;
  }
  int minor = 0;
  const auto version = text.substr(text.find("0.") + 2);
  const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), minor);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  return minor < 8 ? "vLLM V0" : "vLLM";
}

template <typename Wanted>
std::string names_where(const Wanted& wanted) {
  std::string names;
  for (const auto& one : known) {
    if (wanted(one)) {
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
  }
  return names;
}

// Of a canonical name; nullptr of any other.
const Software* named(std::string_view name) {
  const auto* const found = std::find_if(
      known.begin(), known.end(), [&](const Software& one) { return one.name == name; });
  return found == known.end() ? nullptr : found;
}

// That; nullptr without figures.
const Software* compared(std::string_view name) {
  const auto* one = named(name);
  return one != nullptr && has_figures(*one) ? one : nullptr;
}

}  // namespace

std::optional<std::string> decode_software(std::string_view text) {
  for (const auto& one : known) {
    if (is_called(one.name, text)) {
      return std::string(one.name);
    }
  }
  return vllm_version(text);
}

std::string known_decode_software() {
  return names_where([](const Software& /*one*/) { return true; });
}

std::string compared_decode_software() {
  return names_where(has_figures);
}

bool shares_by_sequences(std::string_view software) {
  const auto* one = named(software);
  return one == nullptr || one->by_sequences;
}

bool shares_by_sequences(std::string_view software, const Network& network) {
  const auto is_named = [&](std::string_view family) { return network.title.starts_with(family); };
  return shares_by_sequences(software) &&
         (software != "SGLang" || std::any_of(of_sglang.begin(), of_sglang.end(), is_named));
}

double decode_log_sd(std::string_view software, bool many_sequences) {
  const auto* one = compared(software);
  if (one == nullptr) {
    return any_log_sd;
  }
  return many_sequences && !one->under_load ? std::max(one->log_sd, any_log_sd) : one->log_sd;
}

bool batches_statically(std::string_view software) {
  const auto* one = named(software);
  return one != nullptr && one->static_batches;
}

bool serves_by_cuda_alone(std::string_view software) {
  const auto* one = named(software);
  return one != nullptr && one->cuda_alone;
}

// By their documentation: some read integers alone, or of 4 bits only.
bool reads_weights(std::string_view software, WeightFormat weights) {
  static constexpr std::array<std::string_view, 3> four_bits{"AutoAWQ", "TinyChat", "Exllama"};
  static constexpr std::array<std::string_view, 5> no_fp4{
      "vLLM V0", "TGI", "MLC LLM", "Exllama V2", "DeepSpeed"};
  const auto among = [&](const auto& names) {
    return std::find(names.begin(), names.end(), software) != names.end();
  };
  if (weights == WeightFormat::own || weights == WeightFormat::int4) {
    return true;
  }
  return !among(four_bits) && !(is_fp4(weights) && among(no_fp4)) &&
         (software != "gpt-fast" || weights == WeightFormat::int8);
}

std::string why_unread(std::string_view software, WeightFormat weights, const GpuSpec& gpu) {
  if (is_instinct(gpu) && serves_by_cuda_alone(software)) {
    return fmt::format("{} does not run on AMD's GPUs", software);
  }
  if (is_compiled_whole(gpu)) {
    return fmt::format("serving text on {} is not modelled", gpu.name);
  }
  if (!reads_weights(software, weights)) {
    return fmt::format("{} is not known to read {} weights", software, to_string(weights));
  }
  if (software == "llama.cpp") {  // widens all of its own types everywhere
    return "";
  }
  if (weights == WeightFormat::fp8 && !can_widen_fp8(gpu)) {
    return fmt::format(
        "no program is known that reads fp8 weights on {} GPUs; int8 and int4 are read there",
        gpu.arch);
  }
  if (is_fp4(weights) && !can_widen_fp4(weights, gpu)) {
    const bool other = can_widen_fp4(WeightFormat::mxfp4, gpu);
    return fmt::format(
        "no program but llama.cpp is known that reads {} weights on {} GPUs; {} is read there",
        to_string(weights),
        gpu.arch,
        other ? "mxfp4" : "int4");
  }
  return "";
}

double decode_log_sd(std::string_view software, bool many_sequences, const ServedForm& served) {
  const double maker = !is_instinct(served.gpu) ? 0
                       : served.has_experts     ? instinct_experts_log_sd
                                                : instinct_log_sd;
  const bool four_bits = served.has_experts && is_fp4(served.weights);
  return std::hypot(
      decode_log_sd(software, many_sequences), maker, four_bits ? fp4_experts_log_sd : 0);
}

std::string_view decode_interval_words(const GpuSpec& gpu) {
  return is_instinct(gpu) ? "; wider on AMD's GPUs, of which fewer figures are here" : "";
}

std::string decode_interval_words(std::string_view software, bool many_sequences) {
  constexpr std::string_view all = "interval of all programs together";
  const auto* one = compared(software);
  if (software.empty()) {
    return std::string(all);
  }
  if (one == nullptr) {
    return fmt::format(
        "of {} too few figures are here to say how far it is off: {}", software, all);
  }
  if (many_sequences && !one->under_load) {
    return fmt::format(
        "few figures of {0} are here of many sequences at once, which it may not serve as assumed: "
        "the "
        "wider of the interval of {0} and that of all programs together",
        software);
  }
  return fmt::format("interval of {}", software);
}

}  // namespace rightsize
