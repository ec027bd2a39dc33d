// The words of people and papers for what our own files call by one name each: "ResNet-50 v1.5",
// "AMP", "training", "ImageNet (TFRecord)". Reading is generous here and nowhere else; what was
// understood is shown with the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/software_words.h"
#include "kernels/workload.h"

namespace rightsize {

// The built-in network meant by `text`, or a path of a network file as it is. Without a match the
// text comes back unchanged, for make_network() to refuse with the nearest name.
[[nodiscard]] std::string network_meant(std::string_view text);

// nullopt for words that mean nothing here; "" is such a word.
[[nodiscard]] std::optional<Phase> phase_meant(std::string_view text);
[[nodiscard]] std::optional<Precision> precision_meant(std::string_view text);
// "real" is a data set read the usual way, RecordIO's.
[[nodiscard]] std::optional<DataFormat> data_meant(std::string_view text);
// True for "", "none", "CPU", "none (CPU)" and their like: a machine without an accelerator.
[[nodiscard]] bool means_no_gpu(std::string_view text);

}  // namespace rightsize
