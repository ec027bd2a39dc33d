#include "advisor/export/node_choice.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "advisor/export/exporter.h"

namespace rightsize {
namespace {

struct SpotLabel {
  std::string_view provider;
  std::string_view key;
  std::string_view value;
};
constexpr std::array spot_labels{
    SpotLabel{"aws", "eks.amazonaws.com/capacityType", "SPOT"},
    SpotLabel{"azure", "kubernetes.azure.com/scalesetpriority", "spot"},
    SpotLabel{"gcp", "cloud.google.com/gke-spot", "true"},
    SpotLabel{"", "karpenter.sh/capacity-type", "spot"},  // of last resort
};

}  // namespace

std::string node_selector(const Option& option) {
  std::string out = fmt::format("  nodeSelector:\n    node.kubernetes.io/instance-type: {}\n",
                                quoted(machine_type(option)));
  if (!option.region.empty()) {
    out += fmt::format("    topology.kubernetes.io/region: {}\n", quoted(option.region));
  }
  if (option.market == Market::spot) {
    const auto label = std::find_if(spot_labels.begin(), spot_labels.end(), [&](const auto& row) {
      return row.provider.empty() || row.provider == option.provider;
    });
    out += fmt::format("    {}: {}\n", label->key, quoted(label->value));
  }
  return out;
}

std::string tolerations(const Option& option) {
  const bool spot_taint = option.market == Market::spot && option.provider == "azure";
  if (option.gpu.empty() && !spot_taint) {
    return "";
  }
  std::string out = "  tolerations:\n";
  if (!option.gpu.empty()) {
    out += "    - {key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}\n";
  }
  if (spot_taint) {
    out +=
        "    - {key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: "
        "NoSchedule}\n";
  }
  return out;
}

}  // namespace rightsize
