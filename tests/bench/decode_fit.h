// The law of decoding fitted to published rates, with or without a source: what bench_tokens asks
// whether a constant is borne out by those that did not set it.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "figures/decode_figures.h"
#include "kernels/network.h"
#include "models/laws/decode.h"
#include "models/laws/gpu_spec.h"

namespace rightsize::bench {

// What a program answers by a law that was fitted without it.
struct Asked {
  const DecodeFigure* figure = nullptr;
  const Network* network = nullptr;
  const GpuSpec* gpu = nullptr;

  // ln(predicted / published); nullopt: held not to fit.
  [[nodiscard]] std::optional<double> error(const DecodeLaw& law) const {
    const auto predicted = predicted_tokens_per_s(*figure, *network, *gpu, law);
    return predicted ? std::optional(std::log(*predicted / figure->tokens_per_s)) : std::nullopt;
  }

  [[nodiscard]] std::string source() const {
    return figure->source.substr(0, figure->source.find(' '));
  }

  // vLLM's first engine and Transformers waited for launches and the host, and llama.cpp's prompts
  // are that program's own: none says anything about the law's constants.
  [[nodiscard]] bool of_fit() const {
    return figure->software != "vLLM V0" && figure->software != "Hugging Face" &&
           figure->kind != DecodeRate::prompt;
  }
};

// Of all but the source `left_out`, from what the constants were before any of these figures; "":
// of all.
[[nodiscard]] DecodeLaw fitted_law(const std::vector<Asked>& all, const std::string& left_out);

}  // namespace rightsize::bench
