#include "advisor/spot_hours.h"

#include <algorithm>
#include <utility>

#include "advisor/cause_values.h"

namespace rightsize {
namespace {

constexpr double hour_s = 3600;

Cause part(const char* name, double hours, const char* formula, std::vector<Input> inputs) {
  return {name, exact(hours, "h", Source::assumed), formula, std::move(inputs), "", false, {}};
}

}  // namespace

Cause spot_hours_cause(const Query& query, const Option& option, Cause undisturbed) {
  const auto& spot = *option.spot;
  const auto& terms = spot.terms;
  // What the file states goes by its word; one flag for all, as the answer's assumptions have it.
  const std::string stated = query.interruptions.stated ? "given" : "assumed";
  std::vector<Input> hazard{{"of each machine", query.interruptions.per_hour, "1/h", stated}};
  if (option.nodes > 1) {
    hazard.push_back({"machines", static_cast<double>(option.nodes), "", "given"});
  }
  if (terms.longest_life_h > 0) {
    const bool given = query.interruptions.longest_life_h.has_value();
    hazard.push_back({"longest life", terms.longest_life_h, "h", given ? "given" : "published"});
  }
  hazard.push_back({"interruptions", spot.interruptions, "", stated});
  const double checkpoints_h = std::max(0.0, spot.least_h - spot.useful_h);
  // A life that ends within its own start does not pay for all of it.
  const double lost_h = std::max(0.0, spot.mean_h - spot.least_h);
  const double starts_h = std::min(lost_h, spot.interruptions * terms.restart_s / hour_s);
  Cause node{"hours",
             option.hours,
             "undisturbed + checkpoints + new starts + what is done again",
             std::move(hazard),
             "models/laws/spot.h",
             false,
             {std::move(undisturbed)}};
  node.parts.push_back(part("checkpoints",
                            checkpoints_h,
                            "undisturbed / interval x time to write one",
                            {{"interval", spot.interval_s / 60, "min", stated},
                             {"to write one", terms.checkpoint_s, "s", stated}}));
  node.parts.push_back(part("new starts",
                            starts_h,
                            "interruptions x time to work again",
                            {{"to work again", terms.restart_s, "s", stated}}));
  node.parts.push_back(part("done again",
                            lost_h - starts_h,
                            "what was under way when a machine was taken",
                            {{"chance of no interruption", spot.chance_of_none, "", stated}}));
  return node;
}

}  // namespace rightsize
