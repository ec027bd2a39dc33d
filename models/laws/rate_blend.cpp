#include "models/laws/rate_blend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "models/laws/blend_agreement.h"

namespace rightsize {
namespace {

// A residual beyond this says more about that figure than about others: each counts as noise.
constexpr double plausible_residual = 0.25;

constexpr std::size_t most_neighbours = 96;

}  // namespace

std::span<const NamedEffect> named_blend_effects() {
  static constexpr std::array effects{
      NamedEffect{"die direction", &BlendEffects::die_direction},
      NamedEffect{"arch", &BlendEffects::arch},
      NamedEffect{"arch precision", &BlendEffects::arch_precision},
      NamedEffect{"chip", &BlendEffects::chip},
      NamedEffect{"network precision", &BlendEffects::network_precision},
      NamedEffect{"network die", &BlendEffects::network_die},
      NamedEffect{"family direction", &BlendEffects::family_direction},
      NamedEffect{"framework precision", &BlendEffects::framework_precision},
      NamedEffect{"framework network", &BlendEffects::framework_network},
      NamedEffect{"framework network family", &BlendEffects::framework_network_family},
      NamedEffect{"framework die", &BlendEffects::framework_die},
      NamedEffect{"framework family", &BlendEffects::framework_family},
      NamedEffect{"framework family precision", &BlendEffects::framework_family_precision},
      NamedEffect{"batch stack", &BlendEffects::batch_stack},
      NamedEffect{"batch die", &BlendEffects::batch_die},
      NamedEffect{"batch arch", &BlendEffects::batch_arch},
      NamedEffect{"batch network", &BlendEffects::batch_network},
      NamedEffect{"launch stack", &BlendEffects::launch_stack},
      NamedEffect{"launch framework", &BlendEffects::launch_framework},
      NamedEffect{"curve", &BlendEffects::curve},
      NamedEffect{"noise", &BlendEffects::noise},
  };
  return effects;
}

RateBlend::RateBlend(const BlendEffects& effects) : effects_(effects) {
  for (unsigned agreement = 0; agreement < agreements; ++agreement) {
    shared_.push_back(shared_by(agreement));
  }
}

RateBlend::Shared RateBlend::shared_by(unsigned agreement) const {
  const auto& of = effects_;
  Shared sum;
  const auto where = [&](unsigned all_of, double Shared::*part, double variance) {
    sum.*part += (agreement & all_of) == all_of ? variance : 0;
  };
  where(same_die | same_direction, &Shared::always, of.die_direction);
  where(same_die | same_network, &Shared::always, of.network_die);
  where(same_arch, &Shared::always, of.arch);
  where(same_arch | same_precision, &Shared::always, of.arch_precision);
  where(same_chip, &Shared::always, of.chip);
  where(same_network | same_precision, &Shared::always, of.network_precision);
  where(same_network_family | same_direction, &Shared::always, of.family_direction);
  where(same_framework_family, &Shared::always, of.framework_family);
  where(same_framework_family | same_precision, &Shared::always, of.framework_family_precision);
  where(same_framework | same_precision, &Shared::always, of.framework_precision);
  where(same_framework | same_network, &Shared::always, of.framework_network);
  where(same_framework | same_network_family, &Shared::always, of.framework_network_family);
  where(same_framework | same_die, &Shared::always, of.framework_die);
  // Curves over the batch have the same shape in the same direction only.
  where(same_direction | same_die, &Shared::near, of.batch_die);
  where(same_direction | same_arch, &Shared::near, of.batch_arch);
  where(same_direction | same_stack, &Shared::near, of.batch_stack);
  where(same_direction | same_network, &Shared::near, of.batch_network);
  where(same_direction | same_framework | same_die | same_network | same_precision,
        &Shared::near,
        of.curve);
  where(same_stack, &Shared::launch, of.launch_stack);
  where(same_framework, &Shared::launch, of.launch_framework);
  return sum;
}

namespace {

// `near`: how much their batches agree.
template <typename Shared>
double covariance_of(const BlendPoint& a, const BlendPoint& b, double near, const Shared& shared) {
  return shared.always + shared.near * near + shared.launch * a.launch_share * b.launch_share;
}

}  // namespace

double RateBlend::covariance(const BlendPoint& a, const BlendPoint& b) const {
  return covariance_of(a, b, nearness(a, b), shared_[agreement_of(a, b)]);
}

namespace {

// How many of some points run on a framework, or a family of them, and the launch shares of those.
struct Runs {
  double points = 0;
  double launches = 0;
};

class RunsBy {
 public:
  void add(int number, double launch_share) {
    if (number >= 0) {
      const auto at = static_cast<std::size_t>(number);
      runs_.resize(std::max(runs_.size(), at + 1));
      runs_[at].points += 1;
      runs_[at].launches += launch_share;
    }
  }
  [[nodiscard]] Runs of(int number) const {
    const auto at = static_cast<std::size_t>(number);
    return number >= 0 && at < runs_.size() ? runs_[at] : Runs{};
  }

 private:
  std::vector<Runs> runs_;
};

}  // namespace

// The figures that say most about the points together; of equals those that stand first. All
// figures are asked for every GPU, so what the points share with each is added up by framework.
std::vector<const BlendFigure*> RateBlend::neighbours(std::span<const BlendPoint> points,
                                                      std::span<const BlendFigure> figures) const {
  Runs all;
  RunsBy by_framework;
  RunsBy by_family;
  for (const auto& point : points) {
    all.points += 1;
    all.launches += point.launch_share;
    by_framework.add(point.framework, point.launch_share);
    by_family.add(point.framework_family, point.launch_share);
  }
  std::vector<std::pair<double, const BlendFigure*>> ranked;
  ranked.reserve(figures.size());
  for (const auto& figure : figures) {
    if (!figure.usable) {
      continue;
    }
    const unsigned work = agreement_of_work(points.front(), figure.at);
    const double near = (work & same_direction) != 0 ? nearness(points.front(), figure.at) : 0;
    const auto shared = [&](const Runs& runs, unsigned agreement) {
      const auto& each = shared_[agreement];
      return runs.points * (each.always + near * each.near) +
             runs.launches * figure.at.launch_share * each.launch;
    };
    const auto alike = by_family.of(figure.at.framework_family);
    if (alike.points == 0) {  // nor does any run on its framework
      ranked.emplace_back(-shared(all, work), &figure);
      continue;
    }
    const auto same = by_framework.of(figure.at.framework);
    const Runs others{all.points - alike.points, all.launches - alike.launches};
    const Runs family{alike.points - same.points, alike.launches - same.launches};
    const unsigned of_family = work | same_framework_family;
    ranked.emplace_back(-(shared(others, work) + shared(family, of_family) +
                          shared(same, of_family | same_framework)),
                        &figure);
  }
  const auto count = std::min(most_neighbours, ranked.size());
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(ranked.begin(), end, ranked.end());
  std::vector<const BlendFigure*> nearest;
  nearest.reserve(count);
  std::transform(ranked.begin(), end, std::back_inserter(nearest), [](const auto& each) {
    return each.second;
  });
  return nearest;
}

namespace {

double noise_of(const BlendFigure& figure, const BlendPoint& point, double noise) {
  const bool same_pair = figure.at.network == point.network && figure.at.die == point.die;
  const double beyond = std::abs(figure.log_residual) - plausible_residual;
  return noise + (same_pair || beyond < 0 ? 0 : variance_of(beyond));
}

}  // namespace

std::vector<Blend> RateBlend::at(std::span<const BlendPoint> points,
                                 std::span<const BlendFigure> figures) const {
  const auto nearest = neighbours(points, figures);
  const auto count = nearest.size();
  const BatchesOf batches(nearest);
  Agreements with(nearest);
  Eigen::MatrixXd of_figures(count, count);  // its lower half
  // The points' covariances with them, and last what the figures say.
  Eigen::MatrixXd toward(count, points.size() + 1);
  for (std::size_t j = 0; j < count; ++j) {
    const auto& figure = *nearest[j];
    const auto& agreement = with.those_of(figure.at, j);
    for (std::size_t i = j; i < count; ++i) {
      of_figures(i, j) =
          covariance_of(nearest[i]->at, figure.at, batches.near(i, j), shared_[agreement[i]]);
    }
    of_figures(j, j) += noise_of(figure, points.front(), effects_.noise);
    toward(j, points.size()) = figure.log_residual;
  }
  std::vector<double> near(count);  // how much a point's batch agrees with theirs
  for (std::size_t k = 0; k < points.size(); ++k) {
    const bool as_before = k > 0 && points[k].log_batch == points[k - 1].log_batch;
    const auto& agreement = with.those_of(points[k], 0);
    for (std::size_t j = 0; j < count; ++j) {
      const auto& at = nearest[j]->at;
      near[j] = as_before ? near[j] : nearness(points[k], at);
      toward(j, k) = covariance_of(points[k], at, near[j], shared_[agreement[j]]);
    }
  }
  // K = L L^T, so that k^T K^-1 y is the product of L^-1 k and L^-1 y.
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factor(of_figures);
  factor.matrixL().solveInPlace(toward);
  std::vector<Blend> blends;
  for (std::size_t k = 0; k < points.size(); ++k) {
    BlendPoint same = points[k];
    same.framework = std::max(0, same.framework);  // the variance of an unknown one is in full
    same.framework_family = std::max(0, same.framework_family);
    const double variance = covariance(same, same) + effects_.noise;
    const double left = std::max(effects_.noise, variance - toward.col(k).squaredNorm());
    blends.push_back({toward.col(k).dot(toward.col(points.size())), std::sqrt(left)});
  }
  return blends;
}

}  // namespace rightsize
