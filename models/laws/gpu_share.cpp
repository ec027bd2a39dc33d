#include "models/laws/gpu_share.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "models/laws/toolchain.h"

namespace rightsize {
namespace {

// Of g6f and g4 (2, 4, 8), NVadsA10 v5 (2, 3, 6), and NVIDIA's other profiles.
constexpr std::array parts_sold{2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32};

}  // namespace

std::optional<GpuShare> gpu_share(std::string_view name) {
  const auto slash = name.rfind('/');
  if (slash == std::string_view::npos || slash == 0) {
    return std::nullopt;
  }
  const auto digits = name.substr(slash + 1);
  int parts = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parts);
  const bool sold = std::find(parts_sold.begin(), parts_sold.end(), parts) != parts_sold.end();
  return error == std::errc() && end == digits.data() + digits.size() && sold
             ? std::optional(GpuShare{name.substr(0, slash), parts})
             : std::nullopt;
}

GpuSpec share_of(const GpuSpec& whole, int parts) {
  GpuSpec share = whole;
  share.name = fmt::format("{}/{}", whole.name, parts);
  for (auto* each : {&share.fp32_tflops,
                     &share.tf32_tflops,
                     &share.fp16_tflops,
                     &share.memory_gb,
                     &share.bandwidth_gbs,
                     &share.tdp_w}) {
    *each /= parts;
  }
  share.link_gbs = 0;
  return share;
}

double times_as_long(const GpuShare& share, double launch_share) {
  return std::max(1.0, share.parts * (1 - launch_share));
}

std::vector<GpuSpec> shares_of(const std::vector<GpuSpec>& gpus) {
  std::vector<GpuSpec> shares;
  for (const auto& gpu : gpus) {
    if (toolchain_of(gpu) != Toolchain::cuda) {
      continue;
    }
    for (const int parts : parts_sold) {
      shares.push_back(share_of(gpu, parts));
    }
  }
  return shares;
}

}  // namespace rightsize
