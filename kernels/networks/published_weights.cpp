#include "kernels/networks/published_weights.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "kernels/network.h"
#include "kernels/networks/config_file.h"
#include "kernels/networks/language_models.h"

namespace rightsize {
namespace {

struct Method {
  std::string_view called;
  std::string_view weights;
};

template <std::size_t size>
std::string weights_of(const std::array<Method, size>& methods, std::string_view called) {
  const auto* const found = std::find_if(
      methods.begin(), methods.end(), [&](const Method& one) { return one.called == called; });
  return found == methods.end() ? "" : std::string(found->weights);
}

std::string integers_of(std::int64_t bits) {
  return bits == 4 ? "int4" : bits == 8 ? "int8" : "";
}

// Of compressed-tensors: of the first of its groups of layers, which mostly is the only one.
std::string of_groups(ConfigFile file) {
  static constexpr std::array<Method, 2> formats{
      {{"nvfp4-pack-quantized", "nvfp4"}, {"mxfp4-pack-quantized", "mxfp4"}}};
  if (auto four_bits = weights_of(formats, file.word_or("format", "")); !four_bits.empty()) {
    return four_bits;
  }
  if (!file.enter("config_groups") || !file.enter("group_0") || !file.enter("weights")) {
    return "";
  }
  const auto bits = file.count_or("num_bits", 0);
  return file.word_or("type", "int") != "float" ? integers_of(bits) : bits == 8 ? "fp8" : "";
}

}  // namespace

std::string checkpoint_weights(ConfigFile file) {
  static constexpr std::array<Method, 3> methods{
      {{"fp8", "fp8"}, {"fbgemm_fp8", "fp8"}, {"mxfp4", "mxfp4"}}};
  static constexpr std::array<Method, 3> of_modelopt{
      {{"FP8", "fp8"}, {"NVFP4", "nvfp4"}, {"FP4", "nvfp4"}}};
  if (!file.enter("quantization_config")) {
    return "";
  }
  const auto method = file.word_or("quant_method", "");
  if (method == "awq" || method == "gptq") {
    return integers_of(file.count_or("bits", 4));
  }
  if (method == "compressed-tensors") {
    return of_groups(std::move(file));
  }
  return method.starts_with("modelopt") ? weights_of(of_modelopt, file.word_or("quant_algo", ""))
                                        : weights_of(methods, method);
}

std::string published_weights(std::string_view network) {
  const auto name = without_form(network);
  if (is_config_path(name)) {
    const std::string path(name);
    return std::filesystem::exists(path) ? checkpoint_weights(ConfigFile(path)) : "";
  }
  const auto* const model = language_model(name);
  return model == nullptr ? "" : model->weights;
}

}  // namespace rightsize
