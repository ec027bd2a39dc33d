// The element types of activations in our own kernels, float and Bf16, out of a Tensor.
#pragma once

#include "kernels/cpu/bf16.h"
#include "kernels/cpu/lowering.h"

namespace rightsize::cpu {

template <typename Element>
[[nodiscard]] Element* elements(const Tensor& tensor) {
  return static_cast<Element*>(tensor.memory.get_data_handle());
}

// Calls visit with a value of the type's element.
template <typename Visit>
void with_element(dnnl::memory::data_type type, Visit visit) {
  type == dnnl::memory::data_type::bf16 ? visit(Bf16()) : visit(float());
}

}  // namespace rightsize::cpu
