// Rotary positions (Su et al., "RoFormer", 2021) as exporters spell them out: two tables of
// constants, from which the base of the angles is told. Pure functions.
#pragma once

#include <optional>
#include <span>

#include "kernels/onnx/model.h"

namespace rightsize::onnx {

// The base of tables of `positions` x `size` numbers whose columns i and i + size/2 are the cosines
// and sines of t base^(-2i/size), as our layer has them (kernels/cpu/rotary.h). nullopt: they are
// other angles (scaled frequencies, positions that do not start at 0), or too few to tell.
[[nodiscard]] std::optional<double> rotary_base(std::span<const float> cosines,
                                                std::span<const float> sines,
                                                std::int64_t positions,
                                                std::int64_t size);

}  // namespace rightsize::onnx
