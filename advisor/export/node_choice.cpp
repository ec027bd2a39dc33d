#include "advisor/export/node_choice.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "advisor/export/exporter.h"
#include "advisor/export/rocm.h"
#include "advisor/export/tpu_slice.h"
#include "models/laws/gpu_name.h"

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

// kubernetes.io/docs/concepts/overview/working-with-objects/labels, "Syntax and character set".
// Names of a user's own tables may hold anything.
bool is_label_value(std::string_view text) {
  constexpr std::size_t longest = 63;
  const auto alphanumeric = [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; };
  return !text.empty() && text.size() <= longest && alphanumeric(text.front()) &&
         alphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
           return alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

std::string label_line(std::string_view key, const std::string& value) {
  return is_label_value(value)
             ? fmt::format("    {}: {}\n", key, in_quotes(value))
             : fmt::format(
                   "    # {}: REPLACE, for {} is no value of a label\n", key, in_quotes(value));
}

// A machine of the user's own has no type and no region that a cluster knows it by.
std::string own_nodes_comment(const Option& option) {
  return option.gpu.empty()
             ? "  # nodeSelector: REPLACE by a label of your machine, where the cluster has "
               "others\n"
             : fmt::format(
                   "  # nodeSelector: {{{0}: REPLACE}}, where the cluster has other GPUs than\n"
                   "  # your {1}; kubectl get nodes -L {0} shows what {2} says\n",
                   gpu_product_label(option.gpu),
                   one_line(option.gpu),
                   runs_rocm(option.gpu) ? "AMD's labeller" : "GPU feature discovery");
}

}  // namespace

std::string node_selector(const Option& option) {
  if (option.own) {
    return own_nodes_comment(option);
  }
  std::string out = "  nodeSelector:\n" +
                    label_line("node.kubernetes.io/instance-type", machine_type(option)) +
                    tpu_node_labels(option);
  if (!option.region.empty()) {
    out += label_line("topology.kubernetes.io/region", option.region);
  }
  if (option.market == Market::spot) {
    const auto label = std::find_if(spot_labels.begin(), spot_labels.end(), [&](const auto& row) {
      return row.provider.empty() || row.provider == option.provider;
    });
    out += fmt::format("    {}: {}\n", label->key, in_quotes(label->value));
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
    out += fmt::format("    - {{key: {}, operator: Exists, effect: NoSchedule}}\n",
                       gpu_resource(option.gpu));
  }
  if (spot_taint) {
    out +=
        "    - {key: kubernetes.azure.com/scalesetpriority, operator: Equal, value: spot, effect: "
        "NoSchedule}\n";
  }
  return out;
}

}  // namespace rightsize
