// Whose figures answer for a framework that the query does not name.
#include <set>
#include <utility>

#include "models/laws/gpu_rate_target.h"

namespace rightsize {

// Those that published the same kind of step on any GPU, of whatever network, by the networks each
// published: what is used more is published more.
GpuRates::FrameworkShares GpuRates::frameworks_elsewhere(const Target& target) const {
  std::set<std::pair<std::string_view, std::string_view>> published;
  for (const auto& figure : rates_) {
    if (figure.stack == target.stack && !figure.measured &&
        same_kind_of_step(figure.phase, target.query.phase)) {
      published.emplace(figure.framework, figure.network);
    }
  }
  FrameworkShares shares;
  for (const auto& [framework, network] : published) {
    shares[framework] += 1.0 / static_cast<double>(published.size());
  }
  return shares;
}

// Where none is asked for: those that published this very pair, or else the same kind of step.
GpuRates::FrameworkShares GpuRates::frameworks_of(const Target& target) const {
  if (!target.query.framework.empty()) {
    return {{target.query.framework, 1}};
  }
  FrameworkShares shares;
  for (const auto* figure : target.own) {
    if (figure->stack == target.stack) {
      shares[figure->framework] = 1;
    }
  }
  for (auto& [framework, share] : shares) {
    share = 1.0 / static_cast<double>(shares.size());
  }
  if (shares.empty()) {
    shares = frameworks_elsewhere(target);
  }
  if (shares.empty()) {
    shares[std::string_view()] = 1;
  }
  return shares;
}

}  // namespace rightsize
