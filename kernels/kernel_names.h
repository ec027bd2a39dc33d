// What the operations of a graph call the kernels that a record should name.
#pragma once

#include <string>
#include <string_view>

namespace rightsize {

// Each name once, in the order of the operations; "" where none has one. `operations` holds
// pointers, some null, to operations whose kernel() is "" where there is nothing to tell.
template <typename Operations>
[[nodiscard]] std::string kernel_names(const Operations& operations) {
  std::string names;
  for (const auto& operation : operations) {
    const std::string_view name = operation ? operation->kernel() : "";
    if (names.find(name) == std::string::npos) {
      names += (names.empty() ? "" : ", ") + std::string(name);
    }
  }
  return names;
}

}  // namespace rightsize
