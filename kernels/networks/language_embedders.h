// Language models that make a vector of a text, without the head that writes.
#pragma once

#include <span>

#include "kernels/network.h"

namespace rightsize {

// Which the table of built-in networks has too.
[[nodiscard]] std::span<const NetworkInfo> language_embedders();

}  // namespace rightsize
