// The machines next in size to an option: what a little more or less of the same would do.
#include <set>

#include "advisor/candidate/constraint.h"
#include "advisor/explain/explanation.h"
#include "advisor/judge/standing_order.h"
#include "advisor/query/usage_error.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// By what neighbours differ: vCPUs, or GPUs where nothing of a CPU's enters.
double size_of(const Query& query, double vcpus, double gpus) {
  return query.tokens ? gpus : vcpus;
}

// Shapes of the same provider, market and GPU, of another size but for that alike: nearest first.
std::vector<std::string> other_shapes(const Query& query,
                                      const Evidence& evidence,
                                      const Option& option,
                                      bool larger) {
  const OfferConstraints constraints(query);
  const double now = size_of(query, option.vcpus, option.gpus);
  std::set<std::pair<double, std::string>> found;
  for (const auto& offer : evidence.catalog.offers()) {
    const bool same = offer.provider == option.provider && offer.market == option.market &&
                      is_monthly(offer) == option.price_per_month.has_value() &&
                      offer.gpu == option.gpu && (query.tokens || offer.gpus == option.gpus);
    if (!same || !offer.vcpus || !constraints.in_scope(offer)) {
      continue;
    }
    const double size = size_of(query, *offer.vcpus, offer.gpus);
    if (larger ? size > now : size < now) {
      found.insert({larger ? size : -size, offer.provider + "/" + offer.instance});
    }
  }
  std::vector<std::string> names;
  for (const auto& [size, name] : found) {
    names.push_back(name);
  }
  return names;
}

std::optional<Neighbour> neighbour(const Query& query,
                                   const Evidence& evidence,
                                   const Option& option,
                                   bool larger) {
  Appraiser appraiser(query, evidence);
  std::optional<Neighbour> best;
  for (const auto& name : other_shapes(query, evidence, option, larger)) {
    try {
      auto other =
          appraiser.appraise({name, "", option.market, option.price_per_month.has_value()}).option;
      const auto size = [&](const Option& o) { return size_of(query, o.vcpus, o.gpus); };
      if (best && size(other) != size(best->option)) {
        break;  // the nearest size only
      }
      if (best && !better(other, best->option)) {
        continue;
      }
      best = Neighbour{other,
                       other.price_per_hour.approximate() - option.price_per_hour.approximate(),
                       other.hours.value - option.hours.value,
                       other.p99.value - option.p99.value,
                       other.cost.value - option.cost.value};
    } catch (const UsageError&) {
      // A shape that cannot do the job is nobody's neighbour.
    }
  }
  return best;
}

}  // namespace

std::vector<Neighbour> neighbours(const Query& query,
                                  const Evidence& evidence,
                                  const Option& option) {
  std::vector<Neighbour> found;
  for (const bool larger : {true, false}) {
    if (auto next = neighbour(query, evidence, option, larger)) {
      found.push_back(std::move(*next));
    }
  }
  return found;
}

}  // namespace rightsize
