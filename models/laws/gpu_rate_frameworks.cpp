// Whose figures answer: for a framework that the query names, or for none.
#include <map>
#include <set>
#include <utility>

#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate_target.h"

namespace rightsize {

namespace {

// How well a framework answers for the one asked for: by its very name; as the same one of some
// publisher ("PyTorch (timm)" for "PyTorch"); or of the same family, another version perhaps.
int likeness(std::string_view framework, std::string_view asked) {
  if (framework == asked) {
    return 3;
  }
  if (framework.starts_with(asked) && framework.substr(asked.size()).starts_with(" (")) {
    return 2;
  }
  return framework_family(framework) == framework_family(asked) ? 1 : 0;
}

using Shares = std::map<std::string_view, double>;

// The frameworks most like `asked`, none where none is like it at all; shares sum to 1.
Shares most_like(const Shares& all, std::string_view asked) {
  int most = 1;
  Shares like;
  double sum = 0;
  for (const auto& [framework, share] : all) {
    const int alike = likeness(framework, asked);
    if (alike > most) {
      like.clear();
      sum = 0;
      most = alike;
    }
    if (alike == most) {
      like[framework] = share;
      sum += share;
    }
  }
  for (auto& [framework, share] : like) {
    share /= sum;
  }
  return like;
}

}  // namespace

// Those that published the same kind of step, of whatever network, by the GPUs each published it
// on: many networks on one card say little of others.
GpuRates::FrameworkShares GpuRates::frameworks_elsewhere(const Target& target) const {
  std::set<std::pair<std::string_view, std::string_view>> published;
  for (const auto& figure : rates_) {
    if (figure.stack == target.stack && !figure.measured &&
        is_engine(figure.framework) == is_engine(target.query.framework) &&
        same_kind_of_step(figure.phase, target.query.phase)) {
      published.emplace(figure.framework, figure.gpu);
    }
  }
  FrameworkShares shares;
  for (const auto& [framework, gpu] : published) {
    shares[framework] += 1.0 / static_cast<double>(published.size());
  }
  return shares;
}

// Those that published this very pair, or else the same kind of step.
GpuRates::FrameworkShares GpuRates::frameworks_published(const Target& target) const {
  FrameworkShares shares;
  for (const auto* figure : target.own) {
    if (figure->stack == target.stack) {
      shares[figure->framework] = 1;
    }
  }
  for (auto& [framework, share] : shares) {
    share = 1.0 / static_cast<double>(shares.size());
  }
  return shares.empty() ? frameworks_elsewhere(target) : shares;
}

// Without a framework asked for: those that published this pair, so that a published figure comes
// back. Else of all publishers those most like it, in the same shares on every GPU, so that one GPU
// is not set against another by two publishers' habits; where none is like it, that one itself.
GpuRates::FrameworkShares GpuRates::frameworks_of(const Target& target) const {
  const std::string_view asked = target.query.framework;
  const auto shares =
      asked.empty() ? frameworks_published(target) : most_like(frameworks_elsewhere(target), asked);
  return shares.empty() ? FrameworkShares{{asked, 1}} : shares;
}

}  // namespace rightsize
