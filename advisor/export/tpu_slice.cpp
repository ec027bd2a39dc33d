#include "advisor/export/tpu_slice.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "models/laws/gpu_name.h"

namespace rightsize {
namespace {

struct Generation {
  std::string_view gpu;
  std::string_view slice;  // of the TPU API, before its number
  int of_a_chip = 1;       // what that number counts
  std::string_view label;  // of GKE's nodes
  bool of_three_sides = false;
};
constexpr std::array<Generation, 4> generations{
    {{"TPU-v4", "tpu-v4", 2, "tpu-v4-podslice", true},
     {"TPU-v5e", "tpu-v5litepod", 1, "tpu-v5-lite-podslice", false},
     {"TPU-v5p", "tpu-v5p", 2, "tpu-v5p-slice", true},
     {"TPU-v6e", "tpu-v6e", 1, "tpu-v6e-slice", false}}};

const Generation* generation_of(const Option& option) {
  const auto name = canonical_gpu_name(option.gpu);
  const auto* const found = std::find_if(generations.begin(),
                                         generations.end(),
                                         [&](const Generation& one) { return one.gpu == name; });
  return found == generations.end() ? nullptr : found;
}

// Of one machine, which has 1, 4 or 8 chips.
std::string_view topology_of(int chips, bool of_three_sides) {
  const std::string_view flat = chips == 8 ? "2x4" : chips == 4 ? "2x2" : "1x1";
  return !of_three_sides ? flat : chips == 4 ? "2x2x1" : "";
}

}  // namespace

bool has_tpus(const Option& option) {
  return generation_of(option) != nullptr;
}

std::string tpu_slice(const Option& option) {
  const auto* generation = generation_of(option);
  return generation == nullptr
             ? ""
             : fmt::format("{}-{:g}", generation->slice, option.gpus * generation->of_a_chip);
}

std::string tpu_node_labels(const Option& option) {
  const auto* generation = generation_of(option);
  if (generation == nullptr) {
    return "";
  }
  const auto topology = topology_of(static_cast<int>(option.gpus), generation->of_three_sides);
  return fmt::format(
      "    cloud.google.com/gke-tpu-accelerator: {}\n{}",
      generation->label,
      topology.empty() ? "" : fmt::format("    cloud.google.com/gke-tpu-topology: {}\n", topology));
}

}  // namespace rightsize
