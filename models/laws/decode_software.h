// Whose rates the law of decoding was held against, and how far it was from each when it had not
// seen them (tests/bench/tokens.cpp): the interval of an answer is that of the software that
// serves, or, where none is named, that of all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/network.h"
#include "models/laws/decode_form.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

// The canonical name of a spelling: "TensorRT-LLM" of "tensorrt_llm", "MLC LLM" of "MLC"; "vLLM
// V0", its first engine, of "vLLM 0.6.3" (versions up to 0.7), "vLLM" of later ones and where no
// version is said; nullopt: not known.
[[nodiscard]] std::optional<std::string> decode_software(std::string_view text);

// "TensorRT-LLM, vLLM, ...": the names that are understood.
[[nodiscard]] std::string known_decode_software();

// "TensorRT-LLM, LMDeploy, ...": of these, whose rates the law was held against.
[[nodiscard]] std::string compared_decode_software();

// Whether it lets GPUs that share a mixture of experts have sequences of their own; of any: yes.
[[nodiscard]] bool shares_by_sequences(std::string_view software);
// The same of this network: some do it for the families alone that their documentation names.
[[nodiscard]] bool shares_by_sequences(std::string_view software, const Network& network);

// Whether weights in such a format are read by it, on some GPU; of any: yes.
[[nodiscard]] bool reads_weights(std::string_view software, WeightFormat weights);

// Why weights in such a format are not read by it on such a GPU, "TensorRT-LLM does not run on
// AMD's GPUs"; empty where they are. `software` empty: by any.
[[nodiscard]] std::string why_unread(std::string_view software,
                                     WeightFormat weights,
                                     const GpuSpec& gpu);

// Whether a batch ends with its longest text, and no other joins it before (static batching).
[[nodiscard]] bool batches_statically(std::string_view software);

// Whether it runs by CUDA alone, and so not on AMD's GPUs.
[[nodiscard]] bool serves_by_cuda_alone(std::string_view software);

// Standard deviation of ln(time) of a canonical name; of all, where that is more, of
// `many_sequences` at once where several have published those of a single one alone; of all where
// it is empty or has no figures.
[[nodiscard]] double decode_log_sd(std::string_view software, bool many_sequences);
// What is served, as far as figures of some of it are farther from the law.
struct ServedForm {
  const GpuSpec& gpu;
  bool has_experts = false;
  WeightFormat weights = WeightFormat::own;
};

// The same of it: more on AMD's GPUs, whose programs are younger, most of mixtures there
// (calibration/decode_instinct.csv), and of mixtures whose experts are in FP4 (decode_fp4.csv).
[[nodiscard]] double decode_log_sd(std::string_view software,
                                   bool many_sequences,
                                   const ServedForm& served);

// Whose that is: "interval of gpt-fast", "interval of all programs together", "of SGLang too
// few figures are here ...: interval of all programs together".
[[nodiscard]] std::string decode_interval_words(std::string_view software, bool many_sequences);
// What the GPU adds to that: "; wider on AMD's GPUs, ..."; empty of NVIDIA's.
[[nodiscard]] std::string_view decode_interval_words(const GpuSpec& gpu);

}  // namespace rightsize
