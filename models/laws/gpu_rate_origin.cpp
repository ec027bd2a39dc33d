// How far a rate is from what was published, and by whom.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "models/laws/gpu_rate_target.h"

namespace rightsize {
namespace {

constexpr std::array<std::string_view, rate_regimes> regime_names{"measured",
                                                                  "carried",
                                                                  "published",
                                                                  "interpolated",
                                                                  "extrapolated",
                                                                  "same pair",
                                                                  "other GPU",
                                                                  "other network",
                                                                  "neither"};

}  // namespace

std::string_view to_string(RateRegime regime) {
  return regime_names.at(static_cast<std::size_t>(regime));
}

RateRegime GpuRates::regime_of(const Target& target) const {
  int least = 0;
  int most = 0;
  bool exact = false;
  for (const auto* figure : target.own) {
    exact = exact || (figure->batch == target.query.batch && figure->phase == target.query.phase);
    least = least == 0 ? figure->batch : std::min(least, figure->batch);
    most = std::max(most, figure->batch);
  }
  if (most > 0) {
    const bool inside = target.query.batch >= least && target.query.batch <= most;
    return exact    ? RateRegime::published
           : inside ? RateRegime::interpolated
                    : RateRegime::extrapolated;
  }
  bool network = false;
  bool gpu = false;
  for (const auto& figure : rates_) {
    if (!excluded(target.query, figure) && !figure.measured) {
      const bool same_network = figure.network == target.query.network;
      const bool same_gpu = figure.gpu == target.gpu->name;
      if (same_network && same_gpu) {
        return RateRegime::same_pair;
      }
      network = network || same_network;
      gpu = gpu || same_gpu;
    }
  }
  return network ? RateRegime::other_gpu : gpu ? RateRegime::other_network : RateRegime::neither;
}

std::string GpuRates::provenance_of(const Target& target, bool own) const {
  if (own) {
    std::set<std::string> publishers;
    for (const auto* figure : target.own) {
      publishers.insert(figure->framework + " (" + figure->source + ")");
    }
    return fmt::format("{} published figures, {}", target.own.size(), fmt::join(publishers, " "));
  }
  std::set<std::string_view> sources;
  std::string_view last;  // many figures of one GPU stand together
  for (const auto& figure : rates_) {
    if (!figure.measured && figure.gpu != last && figure.network == target.query.network &&
        !excluded(target.query, figure)) {
      last = figure.gpu;
      sources.insert(last);
    }
  }
  constexpr std::size_t most_named = 6;  // more than a line of a table has room for
  return fmt::format("scaled by a roofline per layer, {} stack, from {}",
                     to_string(target.stack),
                     sources.empty() ? std::string("no figure of this network")
                     : sources.size() > most_named
                         ? fmt::format("its figures on {} GPUs", sources.size())
                         : fmt::format("its figures on {}", fmt::join(sources, " ")));
}

}  // namespace rightsize
