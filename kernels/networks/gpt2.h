// GPT-2's shape as numbers, so that small ones can be made of the same code.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/network.h"

namespace rightsize {

struct GptConfig {
  std::string name = "gpt2";
  std::string title = "GPT-2";
  int layers = 12;
  std::int64_t width = 768;
  std::int64_t heads = 12;
  std::int64_t vocabulary = 50257;
  std::int64_t context = 1024;  // positions it has learned
};

// Throws NetworkError for a sequence longer than the context.
[[nodiscard]] Network make_gpt(const GptConfig& config, int sequence);

}  // namespace rightsize
