#include "advisor/explain/spot_hours.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "advisor/explain/cause_values.h"

namespace rightsize {
namespace {

constexpr double hour_s = 3600;
constexpr const char* by_law = "assumed";  // machines that are taken at random

std::string given_or(bool given, const char* otherwise) {
  return given ? "given" : otherwise;
}

Cause part(const char* name, double hours, const char* formula, std::vector<Input> inputs) {
  return {name, exact(hours, "h", Source::assumed), formula, std::move(inputs), "", false, {}};
}

// What a life spends on starting, on average: it may end before.
double start_h(const SpotTerms& terms) {
  const double whole_h = terms.restart_s / hour_s;
  const double hazard = terms.interruptions_per_hour;
  return hazard > 0 ? -std::expm1(-hazard * whole_h) / hazard : whole_h;
}

// What interrupts, and how often.
std::vector<Input> hazard_inputs(const Interruptions& asked, const Option& option) {
  std::vector<Input> hazard{
      {"of each machine", asked.per_hour, "1/h", given_or(asked.hazard_stated, "assumed")}};
  if (option.nodes > 1) {
    hazard.push_back({"machines", static_cast<double>(option.nodes), "", "given"});
  }
  if (const double longest_h = option.spot->terms.longest_life_h; longest_h > 0) {
    const auto tag = given_or(asked.longest_life_h.has_value(), "published");
    hazard.push_back({"longest life", longest_h, "h", tag});
  }
  hazard.push_back({"interruptions", option.spot->interruptions, "", by_law});
  return hazard;
}

}  // namespace

Cause spot_hours_cause(const Query& query, const Option& option, Cause undisturbed) {
  const auto& spot = *option.spot;
  const auto& terms = spot.terms;
  const auto& asked = query.interruptions;
  const double checkpoints_h = std::max(0.0, spot.least_h - spot.useful_h);
  // A life that ends within its own start does not pay for all of it.
  const double lost_h = std::max(0.0, spot.mean_h - spot.least_h);
  const double starts_h = std::min(lost_h, spot.interruptions * start_h(terms));
  Cause node{"hours",
             option.hours,
             "undisturbed + checkpoints + new starts + what is done again",
             hazard_inputs(asked, option),
             "models/laws/spot.h",
             false,
             {std::move(undisturbed)}};
  node.parts.push_back(part("checkpoints",
                            checkpoints_h,
                            "undisturbed / interval x time to write one",
                            {{"interval", spot.interval_s / 60, "min", by_law},
                             {"to write one",
                              terms.checkpoint_s,
                              "s",
                              given_or(asked.checkpoint_s.has_value(), "assumed")}}));
  node.parts.push_back(
      part("new starts",
           starts_h,
           "interruptions x (1 - e^-rT) / r, of a start T that an interruption may cut short",
           {{"T, to work again", terms.restart_s, "s", given_or(asked.restart_stated, "assumed")},
            {"r", terms.interruptions_per_hour, "1/h", given_or(asked.hazard_stated, "assumed")}}));
  node.parts.push_back(part("done again",
                            lost_h - starts_h,
                            "what was under way when a machine was taken",
                            {{"chance of no interruption", spot.chance_of_none, "", by_law}}));
  return node;
}

}  // namespace rightsize
