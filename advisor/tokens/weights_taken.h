// In which format a language model's weights are taken that writes: what is said of them, else as
// its checkpoint is published, which is how programs load it. One rule for every command.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "advisor/query/network_step.h"
#include "models/laws/decode_form.h"

namespace rightsize {

struct TokenService;

// Of a network by its name or by the path of its config.json (kernels/networks/
// published_weights.h); own: in 16 bits, or nobody says. Throws as that.
[[nodiscard]] WeightFormat published_format(std::string_view network);

// A program that reads no such format (models/laws/decode_software.h) is given 16 bits. `software`
// empty: any.
[[nodiscard]] WeightFormat weights_taken(std::optional<WeightFormat> said,
                                         WeightFormat published,
                                         std::string_view software);
// The same by names, which reads the file: where it is asked once.
[[nodiscard]] WeightFormat weights_taken(const NetworkStep& step);
[[nodiscard]] WeightFormat weights_taken(const TokenService& service, std::string_view network);

// How all numbers lie, in a program by its canonical name.
[[nodiscard]] DecodeForm decode_form(const Writing& writing,
                                     WeightFormat published,
                                     Precision precision,
                                     std::string_view software);
[[nodiscard]] DecodeForm decode_form(const TokenService& service,
                                     WeightFormat published,
                                     Precision precision);

// ", weights in fp8, caches in fp8"; "" where they are as wide as the precision. Of a step that
// writes.
[[nodiscard]] std::string narrowed_words(const NetworkStep& step);

// What a reader should know where nothing was said of the weights of a network that is published in
// fewer than 16 bits: in what, and how to ask for others. "" where it was, or is not.
[[nodiscard]] std::string published_words(const NetworkStep& step);
[[nodiscard]] std::string published_words(const TokenService& service, std::string_view network);

}  // namespace rightsize
