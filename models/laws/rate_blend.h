// What published figures say beyond the law: ln(measured / law) is a sum of effects that figures
// share - of a GPU, its chip and architecture, a network and its family, a framework and its
// family, a precision, of a pair of those, and of a curve over the batch - each normal with a known
// variance. The estimate at a new point is their conditional mean given the nearest figures
// (kriging of the residuals), with its variance: next to a figure nearly that figure, far from all
// of them the law. Rasmussen & Williams, "Gaussian processes for machine learning", 2006, eq. 2.25
// and 2.26.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "models/laws/published_rate.h"

namespace rightsize {

// Where a rate is known or asked for. Numbers stand for names; the caller numbers them.
struct BlendPoint {
  int network = 0;
  int gpu = 0;
  int arch = 0;
  int chip = 0;
  int framework = 0;  // < 0: not known
  int network_family = 0;
  int framework_family = 0;  // < 0: not known
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

struct Blend {
  double log_correction = 0;  // to be added to ln(law)
  double log_sd = 0;
};

// Of points that differ in framework and launch share only, at least one: they share neighbours.
[[nodiscard]] std::vector<Blend> blend_at(std::span<const BlendPoint> points,
                                          std::span<const BlendFigure> figures);

// Covariance of the residuals at two points, noise apart.
[[nodiscard]] double blend_covariance(const BlendPoint& a, const BlendPoint& b);

}  // namespace rightsize
