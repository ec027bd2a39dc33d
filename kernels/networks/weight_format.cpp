#include "kernels/networks/weight_format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace rightsize {
namespace {

constexpr std::array<std::pair<std::string_view, int>, 3> formats{
    {{"fp8", 8}, {"int8", 8}, {"nf4", 4}}};

}  // namespace

int bits_of_weight_format(std::string_view text) {
  const auto* const found = std::find_if(
      formats.begin(), formats.end(), [&](const auto& one) { return one.first == text; });
  return found == formats.end() ? 0 : found->second;
}

}  // namespace rightsize
