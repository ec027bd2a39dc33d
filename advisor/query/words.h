// The words of people and papers for what our own files call by one name each: "ResNet-50 v1.5",
// "AMP", "training", "ImageNet (TFRecord)". Many spellings are read here and nowhere else, each
// word of them as itself (exact_words.h): a phrase with a word that is not known means nothing.
#pragma once

#include <string>
#include <string_view>

#include "advisor/query/software_words.h"
#include "advisor/query/workload_words.h"

namespace rightsize {

// The built-in network meant by `text`, or a path of a network file as it is. Without a match the
// text comes back unchanged, for make_network() to refuse with the nearest name.
[[nodiscard]] std::string network_meant(std::string_view text);

// True for "", "none", "CPU", "none (CPU)" and their like: a machine without an accelerator.
[[nodiscard]] bool means_no_gpu(std::string_view text);

}  // namespace rightsize
