// Whose figures answer: for a framework that the query names, or for none; and of which years.
#include <algorithm>
#include <map>
#include <vector>

#include "models/laws/framework_habits.h"
#include "models/laws/gpu_rate_target.h"

namespace rightsize {

namespace {

// How well a framework answers for the one asked for: as the same one, of the very publisher asked
// for or of any where none is ("PyTorch (timm)" for "PyTorch"); or of the same family, another
// version perhaps.
int likeness(std::string_view framework, std::string_view asked) {
  if (framework == asked || unpublished_name(framework) == asked) {
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

std::string_view unpublished_name(std::string_view framework) {
  return framework.substr(0, framework.find(" ("));
}

// Those that published the same kind of step, of whatever network and GPU; each counts once, since
// many cards of one publisher say little of how others run the network.
GpuRates::FrameworkShares GpuRates::frameworks_published(const Target& target) const {
  const bool engine = is_engine(target.query.framework);
  FrameworkShares shares;
  std::vector<bool> seen(numbers_.size());  // by framework: figures are many, frameworks few
  auto residual = residuals_.begin();       // of each that was published, in their order
  for (const auto& figure : rates_) {
    if (figure.measured) {
      continue;
    }
    const auto number = static_cast<std::size_t>((residual++)->at.framework);
    if (!seen[number] && figure.stack == target.stack &&
        same_kind_of_step(figure.phase, target.query.phase)) {
      seen[number] = true;
      if (is_engine(figure.framework) == engine) {
        shares[figure.framework] = 1;
      }
    }
  }
  for (auto& [framework, share] : shares) {
    share = 1.0 / static_cast<double>(shares.size());
  }
  return shares;
}

// Of all that published such steps those most like the one asked for, in the same shares on every
// GPU, so that one GPU is not set against another by two publishers' habits; where none is like it,
// that one itself. Leaving out each publisher in turn, the others' mean over all that published
// anything is nearer than that of those with figures of the very network and GPU. A program whose
// habits of training the law knows, and of which there are no figures, answers for itself too.
GpuRates::FrameworkShares GpuRates::frameworks_of(const Target& target) const {
  std::string_view asked = target.query.framework;
  const auto all = frameworks_published(target);
  if (is_program(asked) && target.stack == Stack::current && !all.contains(asked)) {
    if (has_backward(target.query.phase)) {
      return {{asked, 1}};
    }
    asked = unpublished_name(asked);
  }
  const auto shares = asked.empty() ? all : most_like(all, asked);
  return shares.empty() ? FrameworkShares{{asked, 1}} : shares;
}

// Nobody published it with the libraries of 2015 to 2018, and somebody did with today's: a
// transformer on a P100 runs on what there is now.
bool GpuRates::is_of_today(std::string_view network) const {
  const int family = number_of(network_family(network));
  bool today = false;
  for (const auto& figure : residuals_) {
    if (figure.at.network_family == family) {
      if (figure.at.stack == Stack::era) {
        return false;
      }
      today = true;
    }
  }
  return today;
}

// That of this pair's own figures, today's first; else of those on its die, so that a card is not
// set against its sister by two years' software; else the years when the GPU was sold, or when the
// network was there.
Stack GpuRates::best_stack(const Target& target,
                           const std::vector<const PublishedRate*>& of_die) const {
  if (const auto& known = target.own.empty() ? of_die : target.own; !known.empty()) {
    const bool any = std::any_of(known.begin(), known.end(), [](const auto* figure) {
      return figure->stack == Stack::current;
    });
    return any ? Stack::current : Stack::era;
  }
  const bool today = has_tensor_cores(*target.gpu) || target.work->takes_given ||
                     is_of_today(target.query.network);
  return today ? Stack::current : Stack::era;
}

}  // namespace rightsize
