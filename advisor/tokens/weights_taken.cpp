#include "advisor/tokens/weights_taken.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "advisor/tokens/token_service.h"
#include "kernels/networks/published_weights.h"
#include "models/laws/decode_software.h"

namespace rightsize {
namespace {

std::string capital(std::string_view word) {
  std::string letters(word);
  std::transform(letters.begin(), letters.end(), letters.begin(), [](unsigned char letter) {
    return static_cast<char>(std::toupper(letter));
  });
  return letters;
}

std::string words_of(std::string_view network,
                     std::optional<WeightFormat> said,
                     const std::string& software) {
  const auto published = said ? WeightFormat::own : published_format(network);
  if (published == WeightFormat::own) {
    return "";
  }
  const auto format = fmt::format("{}{}",
                                  capital(to_string(published)),
                                  is_fp4(published) ? " (of a mixture, its experts)" : "");
  if (weights_taken(said, published, software) == WeightFormat::own) {
    return fmt::format(
        "{} is published in {}, which {} is not known to read: its weights are taken in 16 bits",
        network,
        format,
        software);
  }
  return fmt::format(
      "{} is taken as it is published, on GPUs its weights in {}; weights = \"16 bits\" under "
      "[job], "
      "or --weights, takes others",
      network,
      format);
}

}  // namespace

WeightFormat published_format(std::string_view network) {
  return parse_weight_format(published_weights(network)).value_or(WeightFormat::own);
}

WeightFormat weights_taken(std::optional<WeightFormat> said,
                           WeightFormat published,
                           std::string_view software) {
  return said.value_or(reads_weights(software, published) ? published : WeightFormat::own);
}

WeightFormat weights_taken(const NetworkStep& step) {
  return weights_taken(step.writing.weights,
                       published_format(step.network),
                       decode_software(step.framework).value_or(""));
}

WeightFormat weights_taken(const TokenService& service, std::string_view network) {
  return weights_taken(service.weights, published_format(network), service.software);
}

DecodeForm decode_form(const Writing& writing,
                       WeightFormat published,
                       Precision precision,
                       std::string_view software) {
  return {precision,
          weights_taken(writing.weights, published, software),
          writing.fp8_caches,
          software == "llama.cpp"};  // server_lines.cpp
}

DecodeForm decode_form(const TokenService& service, WeightFormat published, Precision precision) {
  return decode_form(
      Writing{service.prompt_tokens, service.output_tokens, service.weights, service.fp8_caches},
      published,
      precision,
      service.software);
}

std::string published_words(const NetworkStep& step) {
  return step.phase == Phase::decode
             ? words_of(
                   step.network, step.writing.weights, decode_software(step.framework).value_or(""))
             : "";
}

std::string published_words(const TokenService& service, std::string_view network) {
  return words_of(network, service.weights, service.software);
}

std::string narrowed_words(const NetworkStep& step) {
  const auto weights = weights_taken(step);
  return fmt::format(
      "{}{}",
      weights == WeightFormat::own ? "" : fmt::format(", weights in {}", to_string(weights)),
      step.writing.fp8_caches ? ", caches in fp8" : "");
}

}  // namespace rightsize
