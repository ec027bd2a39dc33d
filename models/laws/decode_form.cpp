#include "models/laws/decode_form.h"

#include <algorithm>
#include <array>

#include "kernels/work.h"

namespace rightsize {
namespace {

constexpr std::array<std::string_view, 6> words{"own", "fp8", "int8", "int4", "nvfp4", "mxfp4"};
constexpr double four_bits = 4.5;
constexpr double mxfp4_bits = 4.25;

}  // namespace

double weight_bytes(const DecodeForm& form) {
  switch (form.weights) {
    case WeightFormat::own:
      return bytes_per_element(form.precision);
    case WeightFormat::fp8:
    case WeightFormat::int8:
      return 1;
    case WeightFormat::int4:
    case WeightFormat::nvfp4:
      return four_bits / 8;
    case WeightFormat::mxfp4:
      return mxfp4_bits / 8;
  }
  return bytes_per_element(form.precision);
}

double cache_bytes(const DecodeForm& form) {
  constexpr double q8_bytes = (32 + 2) / 32.0;
  return form.fp8_caches ? (form.q8_caches ? q8_bytes : 1) : bytes_per_element(form.precision);
}

bool multiplies_fp8(const DecodeForm& form, const GpuSpec& gpu) {
  return form.weights == WeightFormat::fp8 && multiplies_fp8(gpu);
}

bool multiplies_fp4(const DecodeForm& form, const GpuSpec& gpu) {
  return is_fp4(form.weights) && multiplies_fp4(gpu) &&
         (form.weights == WeightFormat::mxfp4 || !is_instinct(gpu));
}

bool widens(const DecodeForm& form, const GpuSpec& gpu) {
  return form.weights != WeightFormat::own && !multiplies_fp8(form, gpu) &&
         !multiplies_fp4(form, gpu);
}

bool can_widen_fp4(WeightFormat format, const GpuSpec& gpu) {
  return is_instinct(gpu) ? format == WeightFormat::mxfp4 && gpu.arch != "CDNA2"
                          : is_ampere_or_later(gpu);
}

bool can_widen_fp8(const GpuSpec& gpu) {
  constexpr std::array<std::string_view, 5> without{
      "Kepler", "Maxwell", "Pascal", "Volta", "CDNA2"};
  return std::ranges::find(without, gpu.arch) == without.end();
}

std::string_view to_string(WeightFormat format) {
  return words[static_cast<std::size_t>(format)];
}

std::optional<WeightFormat> parse_weight_format(std::string_view text) {
  if (text == "fp4") {
    return WeightFormat::nvfp4;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == text) {
      return static_cast<WeightFormat>(i);
    }
  }
  return std::nullopt;
}

}  // namespace rightsize
