// The words of people and papers for what our own files call by one name each: "ResNet-50 v1.5",
// "AMP", "training", "ImageNet (TFRecord)". Reading is generous here and nowhere else; what was
// understood is shown with the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/workload.h"
#include "models/laws/gpu_rate.h"

namespace rightsize {

// The built-in network meant by `text`, or a path of a network file as it is. Without a match the
// text comes back unchanged, for make_network() to refuse with the nearest name.
[[nodiscard]] std::string network_meant(std::string_view text);

// nullopt for words that mean nothing here; "" is such a word.
[[nodiscard]] std::optional<Phase> phase_meant(std::string_view text);
[[nodiscard]] std::optional<Precision> precision_meant(std::string_view text);
// "real" is a data set read the usual way, RecordIO's.
[[nodiscard]] std::optional<DataFormat> data_meant(std::string_view text);
// "era", "current", or a year: up to 2019 is the era.
[[nodiscard]] std::optional<Stack> stack_meant(std::string_view text);

// What ran the network, as the GPU law tells it apart.
struct Software {
  std::optional<Stack> stack;
  std::string framework;  // as in calibration/gpu_rates.csv; empty: not said
};

// "PyTorch", "TF 1.7", "MXNet (2018)", "era": a framework, the years, or both; nullopt for words
// that are neither, and for frameworks no figure was published with.
[[nodiscard]] std::optional<Software> software_meant(std::string_view text);

// True for "", "none", "CPU", "none (CPU)" and their like: a machine without an accelerator.
[[nodiscard]] bool means_no_gpu(std::string_view text);

// Lower case, letters and digits only: what spellings of one name have in common.
[[nodiscard]] std::string bare(std::string_view text);

}  // namespace rightsize
