#include "advisor/cli/table_gpu.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/calibration.h"
#include "advisor/query/toml_fields.h"
#include "models/laws/gpu_name.h"
#include "models/laws/gpu_share.h"
#include "models/laws/tpu.h"

namespace rightsize::cli {

GpuDoubt gpu_doubt() {
  std::vector<std::string> names;
  for (const auto& spec : shipped_rate_tables().gpus) {
    names.push_back(spec.name);
  }
  return [names = std::move(names)](std::string_view gpu) {
    const auto share = gpu_share(gpu);
    const auto name = canonical_gpu_name(share ? share->whole : gpu);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      return std::string();
    }
    if (const auto chips = chips_of_slice(gpu); !chips.empty()) {
      return fmt::format("\"{}\" is a slice of TPUs: its chips are {}", gpu, chips);
    }
    const auto near = nearest_word(name, names);
    return fmt::format("no figures for the GPU \"{}\"{}; rightsize gpus lists those there are",
                       gpu,
                       near.empty() ? "" : fmt::format(", did you mean {}?", near));
  };
}

}  // namespace rightsize::cli
