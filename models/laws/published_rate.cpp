#include "models/laws/published_rate.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernels/network.h"
#include "models/calibration_table.h"
#include "models/model.h"

namespace rightsize {

std::string per_second(double items_per_s) {
  return items_per_s < 1000 ? fmt::format("{:.4g}/s", items_per_s)
                            : fmt::format("{:.0f}/s", items_per_s);
}

int resolved_sequence(std::string_view network, int sequence) {
  if (sequence > 0) {
    return sequence;
  }
  const auto networks = builtin_networks();
  const auto found = std::find_if(
      networks.begin(), networks.end(), [&](const auto& info) { return info.name == network; });
  return found == networks.end() ? 0 : found->sequence;
}

std::string network_key(std::string_view network, int sequence) {
  const int tokens = resolved_sequence(network, sequence);
  return tokens > 0 ? fmt::format("{}:{}", network, tokens) : std::string(network);
}

std::string network_family(std::string_view network) {
  constexpr std::string_view squeezed = "se-";
  if (network.starts_with(squeezed)) {
    network.remove_prefix(squeezed.size());
  }
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto end = std::find_if_not(network.begin(), network.end(), letter);
  const std::string family(network.begin(), end);
  return family == "resnext" ? "resnet" : family == "googlenet" ? "inception" : family;
}

std::string framework_family(std::string_view framework) {
  return std::string(framework.substr(0, framework.find(' ')));
}

std::string_view to_string(Stack stack) {
  return stack == Stack::era ? "era" : "current";
}

std::vector<PublishedRate> parse_published_rates(std::string_view csv) {
  std::vector<PublishedRate> rates;
  for (const auto& row : parse_table(csv, "calibration/gpu_rates.csv")) {
    const auto phase = parse_phase(row.text("phase"));
    const auto precision = parse_precision(row.text("precision"));
    if (!phase || !precision) {
      throw ModelError(
          fmt::format("calibration/gpu_rates.csv:{}: unknown phase or precision", row.line));
    }
    rates.push_back({row.text("network"),
                     static_cast<int>(row.number("sequence")),
                     *phase,
                     *precision,
                     row.text("gpu"),
                     static_cast<int>(row.number("batch")),
                     row.number("items_per_s"),
                     row.text("stack") == "era" ? Stack::era : Stack::current,
                     row.text("framework"),
                     row.text("source")});
  }
  return rates;
}

}  // namespace rightsize
