#include "advisor/machine/sizing_price.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "advisor/candidate/constraint.h"
#include "advisor/machine/shape_pricing.h"
#include "pricing/mebibyte.h"
#include "pricing/monthly.h"

namespace rightsize {
namespace {

// The machine that keeps the GPUs busy; the disk is chosen with it.
struct Shape {
  std::int64_t vcpus = 1;
  std::int64_t memory_mib = mib_per_gib;
  std::int64_t gpus = 1;
};

std::optional<Shape> shape_of(const Sizing& sizing, const Configuration& asked) {
  if (sizing.needs.size() != 3 || !sizing.shortfall.empty()) {
    return std::nullopt;
  }
  const auto whole = [](double amount) { return static_cast<std::int64_t>(std::ceil(amount)); };
  return Shape{std::max<std::int64_t>(1, whole(sizing.cpus())),
               std::max(mib_per_gib, whole(sizing.needs[2].amount * mib_per_gib)),
               asked.machine.gpus_per_node};
}

// A family and the smallest machine of it that holds the shape.
struct Cut {
  const CustomFamily* family = nullptr;
  Offer smallest;
  Money least;
};

std::optional<Offer> cut_of(const CustomFamily& family, const Shape& shape, std::int64_t vcpus) {
  return smallest_holding(family, vcpus, shape.memory_mib, shape.gpus);
}

// Why nothing with as few vCPUs as the shape has is sold.
std::string rule_of_vcpus(const Shape& shape, const CustomFamily& family, double sold) {
  const bool odd = shape.vcpus > 1 && shape.vcpus % 2 == 1;
  return sold > static_cast<double>(shape.vcpus + (odd ? 1 : 0))
             ? fmt::format("{} sells at most {:g} GiB for each vCPU",
                           family.provider,
                           family.max_gib_per_vcpu)
             : fmt::format("{} sells 1 or an even number of them", family.provider);
}

// `first` is what the needs ask for, `best` what is taken.
std::string why_more(const Shape& shape,
                     const CustomFamily& family,
                     const PricedShape& first,
                     const PricedShape& best) {
  const double vcpus = *best.offer.vcpus;
  if (vcpus > *first.offer.vcpus) {
    return fmt::format(
        "{:g} vCPU and not {:g}, with which the whole machine keeps the {} {:.0f} % busy: each "
        "need is the least where there is plenty of the others",
        vcpus,
        *first.offer.vcpus,
        family.gpu,
        100 * first.busy);
  }
  return vcpus > static_cast<double>(shape.vcpus) ? fmt::format("{:g} vCPU and not {}, as {}",
                                                                vcpus,
                                                                shape.vcpus,
                                                                rule_of_vcpus(shape, family, vcpus))
                                                  : "";
}

// Those that are in scope, of one currency, and cheap before dear: in dollars where any is, or as
// the first of them is priced, for no rate is known here.
std::vector<Cut> cuts(const Shape& shape,
                      const std::string& gpu,
                      std::span<const CustomFamily> families,
                      const OfferConstraints& constraints,
                      const ShapePricing& pricing) {
  std::vector<Cut> found;
  for (const auto& family : families) {
    auto offer = family.gpu == gpu ? cut_of(family, shape, shape.vcpus) : std::nullopt;
    if (offer && constraints.in_scope(*offer)) {
      const auto least = pricing.least_paid(*offer);
      found.push_back({&family, std::move(*offer), least});
    }
  }
  const auto in_dollars = [](const Cut& cut) { return cut.least.currency() == "USD"; };
  const auto dollars = std::find_if(found.begin(), found.end(), in_dollars);
  if (!found.empty()) {
    const auto currency = (dollars == found.end() ? found.front() : *dollars).least.currency();
    std::erase_if(found, [&](const Cut& cut) { return cut.least.currency() != currency; });
  }
  std::stable_sort(
      found.begin(), found.end(), [](const Cut& a, const Cut& b) { return a.least < b.least; });
  return found;
}

// With vCPUs more where the whole machine is not as busy with what each need asks for alone.
void price_cut(const Cut& cut,
               const Shape& shape,
               const ShapePricing& pricing,
               std::optional<PricedShape>& best) {
  constexpr std::int64_t most = 4;  // times as many: beyond it they are not what is short
  std::optional<PricedShape> of_family;
  std::optional<PricedShape> first;  // with what the needs ask for
  for (auto vcpus = shape.vcpus; vcpus <= most * shape.vcpus; ++vcpus) {
    const auto offer = cut_of(*cut.family, shape, vcpus);
    if (!offer || (of_family && pricing.is_busy(*of_family))) {
      break;
    }
    if (!of_family || of_family->offer.vcpus != offer->vcpus) {
      pricing.keep_better(of_family, pricing.priced(*offer));
      first = first ? first : of_family;
    }
  }
  if (of_family) {
    of_family->why_more_vcpus = why_more(shape, *cut.family, *first, *of_family);
  }
  pricing.keep_better(best, std::move(of_family));
}

// Of every family, for the cheapest machine before its vCPUs and its disk may not be it with them.
std::optional<PricedShape> cut_to_measure(const Shape& shape,
                                          const std::vector<Cut>& cuts,
                                          const ShapePricing& pricing) {
  std::optional<PricedShape> best;
  for (const auto& cut : cuts) {
    if (best && pricing.is_busy(*best) && !(cut.least < paid(*best))) {
      break;
    }
    price_cut(cut, shape, pricing, best);
  }
  return best;
}

// In the books, markets and places that were asked for.
std::vector<std::string> gpus_by_the_unit(std::span<const CustomFamily> families,
                                          const OfferConstraints& constraints) {
  std::set<std::string> gpus;
  for (const auto& family : families) {
    if (!family.gpu.empty() && constraints.in_scope(family)) {
      gpus.insert(family.gpu);
    }
  }
  return {gpus.begin(), gpus.end()};
}

// By the places of the question alone.
std::string seller_left_out(const std::string& gpu,
                            std::span<const CustomFamily> families,
                            const Query& scope) {
  Query open = scope;
  open.infra.clear();
  const OfferConstraints anywhere(open);
  const OfferConstraints asked(scope);
  const auto found = std::find_if(families.begin(), families.end(), [&](const auto& family) {
    return family.gpu == gpu && anywhere.in_scope(family) && !asked.in_scope(family);
  });
  return found == families.end() ? "" : found->provider;
}

// In dollars and by the hour, whatever it has beside its GPUs.
bool is_sold_with(const Offer& offer,
                  const Shape& shape,
                  const std::string& gpu,
                  const OfferConstraints& constraints) {
  return offer.gpu == gpu && offer.gpus >= static_cast<double>(shape.gpus) && !is_monthly(offer) &&
         offer.price_per_hour.currency() == "USD" && constraints.in_scope(offer);
}

bool holds(const Offer& offer, const Shape& shape) {
  return offer.vcpus.value_or(0) >= static_cast<double>(shape.vcpus) &&
         offer.memory_gib.value_or(0) * mib_per_gib >= static_cast<double>(shape.memory_mib);
}

// Of the fewest GPUs first, for a size is asked for, and of as many in the order of what they cost
// at the least, until no other can be cheaper.
std::optional<PricedShape> cheapest_holding(const Shape& shape,
                                            const std::string& gpu,
                                            const Catalog& catalog,
                                            const OfferConstraints& constraints,
                                            const ShapePricing& pricing) {
  std::vector<std::pair<Money, const Offer*>> holding;
  for (const auto& offer : catalog.offers()) {
    if (is_sold_with(offer, shape, gpu, constraints) && !constraints.refusal_of(offer) &&
        holds(offer, shape)) {
      holding.emplace_back(pricing.least_paid(offer), &offer);
    }
  }
  std::stable_sort(holding.begin(), holding.end(), [](const auto& a, const auto& b) {
    return a.second->gpus != b.second->gpus ? a.second->gpus < b.second->gpus : a.first < b.first;
  });
  std::optional<PricedShape> best;
  std::set<std::tuple<std::string, std::string, std::string>> seen;  // in its cheapest region
  for (const auto& [least, offer] : holding) {
    if (best && pricing.is_busy(*best) &&
        (offer->gpus > best->offer.gpus || !(least < paid(*best)))) {
      break;
    }
    if (seen.emplace(offer->provider, offer->instance, offer->cpu).second) {
      pricing.keep_better(best, pricing.priced(*offer));
    }
  }
  return best;
}

// "aws/g5.xlarge at 450 USD"; "" where none is rented so.
std::string cheapest_by_the_month(const Shape& shape,
                                  const std::string& gpu,
                                  const Catalog& catalog,
                                  const OfferConstraints& constraints) {
  const Offer* cheapest = nullptr;
  for (const auto& offer : catalog.offers()) {
    if (is_monthly(offer) && offer.gpu == gpu && holds(offer, shape) &&
        offer.gpus >= static_cast<double>(shape.gpus) && offer.price_per_hour.currency() == "USD" &&
        constraints.in_scope(offer) && !constraints.refusal_of(offer) &&
        (cheapest == nullptr || offer.price_per_hour < cheapest->price_per_hour)) {
      cheapest = &offer;
    }
  }
  return cheapest == nullptr ? ""
                             : fmt::format("{}/{} at {} USD",
                                           cheapest->provider,
                                           cheapest->instance,
                                           month_price(*cheapest).decimal());
}

// Of the first that holds it and is for rent; "" where none is.
std::string refusal_of_all(const Shape& shape,
                           const std::string& gpu,
                           const Catalog& catalog,
                           const OfferConstraints& constraints) {
  for (const auto& offer : catalog.offers()) {
    if (is_sold_with(offer, shape, gpu, constraints) && offer.retired_on.empty() &&
        holds(offer, shape)) {
      return constraints.refusal_of(offer).value_or(Refusal{}).reason;
    }
  }
  return "";
}

}  // namespace

std::optional<SizingPrice> price_sizing(const Sizing& sizing,
                                        const Configuration& asked,
                                        const Catalog& catalog,
                                        std::span<const CustomFamily> families,
                                        const Query& scope,
                                        const OnMachine& on_machine) {
  const auto shape = shape_of(sizing, asked);
  if (!shape) {
    return std::nullopt;
  }
  const auto& gpu = asked.machine.gpu;
  SizingPrice price;
  price.shape = fmt::format("{} vCPU / {:g} GiB / {} x {}",
                            shape->vcpus,
                            static_cast<double>(shape->memory_mib) / mib_per_gib,
                            shape->gpus,
                            gpu);
  price.target = sizing.target;
  const ShapePricing pricing(asked, sizing, price, catalog, on_machine);
  const OfferConstraints constraints(scope);
  price.by_the_unit =
      cut_to_measure(*shape, cuts(*shape, gpu, families, constraints, pricing), pricing);
  if (!price.by_the_unit) {
    price.sold_by_the_unit = gpus_by_the_unit(families, constraints);
    price.left_out = seller_left_out(gpu, families, scope);
  }
  price.standard = cheapest_holding(*shape, gpu, catalog, constraints, pricing);
  const auto offers = catalog.offers();
  if (!price.standard) {
    price.by_the_month = cheapest_by_the_month(*shape, gpu, catalog, constraints);
    price.refusal = refusal_of_all(*shape, gpu, catalog, constraints);
  }
  price.retired =
      !price.standard && std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
        return is_sold_with(offer, *shape, gpu, constraints) && !offer.retired_on.empty();
      });
  return price;
}

}  // namespace rightsize
