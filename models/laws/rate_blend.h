// What published figures say beyond the law: ln(measured / law) is a sum of effects that figures
// share - of a GPU's die, chip and architecture, a network and its family, a framework and its
// family, a precision, of a pair of those, and of a curve over the batch - each normal with a known
// variance. The estimate at a new point is their conditional mean given the nearest figures
// (kriging of the residuals), with its variance: next to a figure nearly that figure, far from all
// of them the law. Rasmussen & Williams, "Gaussian processes for machine learning", 2006, eq. 2.25
// and 2.26.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "models/laws/published_rate.h"

namespace rightsize {

// Where a rate is known or asked for. Numbers stand for names; the caller numbers them.
struct BlendPoint {
  int network = 0;
  int die = 0;  // of the GPU: those of one die differ in memory and power, which the law counts
  int arch = 0;
  int chip = 0;
  int framework = 0;  // < 0: not known
  int network_family = 0;
  int framework_family = 0;  // < 0: not known; a framework is of one
  Stack stack = Stack::current;
  Precision precision = Precision::fp32;
  Phase phase = Phase::train;
  double log_batch = 0;
  double launch_share = 0;  // of the step, by the law
};

struct BlendFigure {
  BlendPoint at;
  double log_residual = 0;  // ln(published / law)
  bool usable = true;       // a figure of a GPU or network that is not known has no residual
};

constexpr double variance_of(double sd) {
  return sd * sd;
}

// Variances of ln(rate) under which figures of left-out GPUs and networks are likely, given all
// others (calibration/tune_blend.cpp searches for them). It found those of a die while each card
// had its own, and they were not searched for again; die_direction and network_die came to its
// floor and say little. The noise is set by hand, so that a figure printed with two digits is not
// taken for exact. A pair's effect needs both to agree; those of the batch fade with the distance
// in ln(batch); those of launching count as far as both steps wait for launches: a framework's host
// time, linearised.
struct BlendEffects {
  double die_direction = variance_of(0.003);
  double arch = variance_of(0.006);
  double arch_precision = variance_of(0.023);
  double chip = variance_of(0.012);
  double network_precision = variance_of(0.025);
  double network_die = variance_of(0.003);
  double family_direction = variance_of(0.089);
  double framework_precision = variance_of(0.038);
  double framework_network = variance_of(0.012);
  double framework_network_family = variance_of(0.036);
  double framework_die = variance_of(0.037);
  double framework_family = variance_of(0.018);
  double framework_family_precision = variance_of(0.025);
  double batch_stack = variance_of(0.032);
  double batch_die = variance_of(0.054);
  double batch_arch = variance_of(0.057);
  double batch_network = variance_of(0.045);
  double launch_stack = variance_of(0.373);
  double launch_framework = variance_of(0.127);
  double curve = variance_of(0.034);
  double noise = variance_of(0.015);
};

struct NamedEffect {
  std::string_view name;
  double BlendEffects::*variance;
};

// All of them, in the order above.
[[nodiscard]] std::span<const NamedEffect> named_blend_effects();

struct Blend {
  double log_correction = 0;  // to be added to ln(law)
  double log_sd = 0;
};

// The conditional mean under such variances.
class RateBlend {
 public:
  explicit RateBlend(const BlendEffects& effects = {});

  // Of points that differ in framework and launch share only, at least one: they share neighbours.
  [[nodiscard]] std::vector<Blend> at(std::span<const BlendPoint> points,
                                      std::span<const BlendFigure> figures) const;

  // Of the residuals at two points, noise apart.
  [[nodiscard]] double covariance(const BlendPoint& a, const BlendPoint& b) const;

 private:
  // What two points share that agree in the same respects: so much whatever they are, so much as
  // far as their batches agree, and so much as far as both wait for launches.
  struct Shared {
    double always = 0;
    double near = 0;
    double launch = 0;
  };
  [[nodiscard]] Shared shared_by(unsigned agreement) const;
  [[nodiscard]] std::vector<const BlendFigure*> neighbours(
      std::span<const BlendPoint> points, std::span<const BlendFigure> figures) const;

  BlendEffects effects_;
  std::vector<Shared> shared_;  // by agreement: all there are, as every blend asks for thousands
};

}  // namespace rightsize
