// Classifier-free guidance (Ho and Salimans, 2022): what is made with a prompt and without becomes
// one, as far from the latter as diffusers' pipelines go.
#pragma once

#include "kernels/cpu/lowering.h"

namespace rightsize::cpu {

inline constexpr float guidance_scale = 7.5F;

// Of 2 n items, those without the prompt first, n.
[[nodiscard]] Tensor emit_guidance(Lowering& lowering, std::string name, const Tensor& both);

}  // namespace rightsize::cpu
