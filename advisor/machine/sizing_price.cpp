#include "advisor/machine/sizing_price.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/disk_for_job.h"
#include "advisor/query/query.h"

namespace rightsize {
namespace {

// The least of each that keeps the GPUs busy, the others being plentiful; the disk is chosen with
// the machine.
struct Shape {
  std::int64_t vcpus = 1;
  std::int64_t memory_mib = 1024;
  std::int64_t gpus = 1;
};

std::optional<Shape> shape_of(const Sizing& sizing, const Configuration& asked) {
  if (sizing.needs.size() != 3 || !sizing.shortfall.empty()) {
    return std::nullopt;
  }
  constexpr double mib_per_gib = 1024;
  const auto whole = [](double amount) { return static_cast<std::int64_t>(std::ceil(amount)); };
  return Shape{std::max<std::int64_t>(1, whole(sizing.needs[0].amount)),
               std::max<std::int64_t>(1024, whole(sizing.needs[2].amount * mib_per_gib)),
               asked.machine.gpus_per_node};
}

// What disk_choice.h has to know of the job.
Query data_of(const Configuration& asked) {
  Query query;
  query.format = asked.data;
  query.items = asked.items;
  query.dataset_bytes = asked.bytes;
  query.shuffle = asked.shuffle;
  return query;
}

// Of two that are sold: the one that is busy enough, then the cheaper; of those that are not, the
// busier.
bool preferable(const PricedShape& a, const PricedShape& b, const SizingPrice& asked) {
  const bool enough = asked.keeps_busy(a);
  if (enough != asked.keeps_busy(b)) {
    return enough;
  }
  return !enough
             ? a.busy > b.busy
             : a.hour.total.currency() == b.hour.total.currency() && a.hour.total < b.hour.total;
}

class Pricing {
 public:
  Pricing(const Configuration& asked,
          const SizingPrice& price,
          const Catalog& catalog,
          const OnMachine& on_machine)
      : price_(price),
        catalog_(catalog),
        on_machine_(on_machine),
        query_(data_of(asked)),
        disks_(query_, catalog) {}

  // With the cheapest of the disks there that does; nullopt where the machine cannot do the work.
  [[nodiscard]] std::optional<PricedShape> priced(const Offer& offer) const {
    std::optional<PricedShape> best;
    for (const auto& disk : disks_.of(offer)) {
      keep_better(best, with_disk(offer, let_through(disk, catalog_, offer.instance)));
    }
    return best;
  }

  [[nodiscard]] bool is_busy(const PricedShape& shape) const { return price_.keeps_busy(shape); }

  void keep_better(std::optional<PricedShape>& best, std::optional<PricedShape> shape) const {
    if (shape && (!best || preferable(*shape, *best, price_))) {
      best = std::move(shape);
    }
  }

 private:
  [[nodiscard]] std::optional<PricedShape> with_disk(const Offer& offer,
                                                     const DiskChoice& disk) const {
    using std::chrono::seconds;
    const auto answer = on_machine_(offer, disk);
    if (answer.verdict != Verdict::ok) {
      return std::nullopt;
    }
    const auto& rule = catalog_.billing(offer.provider, offer.book);
    PricedShape shape{offer,
                      disk.rented() ? disk.label : "",
                      answer.prediction.busy[static_cast<std::size_t>(Bound::accelerator)],
                      answer.throughput,
                      bill(offer, 1, disk.rented(), std::chrono::hours(1), rule),
                      std::nullopt,
                      std::nullopt,
                      std::nullopt};
    if (answer.job) {
      const auto billed = [&](double hours) {
        const auto used = static_cast<std::int64_t>(std::ceil(hours * 3600));
        return bill(offer, 1, disk.rented(), seconds(used), rule);
      };
      const auto& hours = answer.job->hours;
      shape.hours = hours;
      shape.job = billed(hours.value);
      shape.cost = {shape.job->total.approximate(),
                    billed(hours.low).total.approximate(),
                    billed(hours.high).total.approximate(),
                    hours.confidence,
                    shape.job->total.currency(),
                    hours.source};
    }
    return shape;
  }

  const SizingPrice& price_;  // how busy it is to be
  const Catalog& catalog_;
  const OnMachine& on_machine_;
  Query query_;
  DiskChoices disks_;
};

bool cheaper(const Offer& a, const Offer& b) {
  return a.price_per_hour.currency() == b.price_per_hour.currency() &&
         a.price_per_hour < b.price_per_hour;
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

// The family that sells the shape for the least, with vCPUs more where the whole machine is not as
// busy with what each need asks for alone.
std::optional<PricedShape> cut_to_measure(const Shape& shape,
                                          const std::string& gpu,
                                          std::span<const CustomFamily> families,
                                          const Pricing& pricing) {
  const auto of = [&](const CustomFamily& family, std::int64_t vcpus) {
    return family.gpu == gpu && family.market == Market::on_demand
               ? smallest_holding(family, vcpus, shape.memory_mib, shape.gpus)
               : std::nullopt;
  };
  const CustomFamily* least = nullptr;
  std::optional<Offer> cheapest;
  for (const auto& family : families) {
    const auto offer = of(family, shape.vcpus);
    if (offer && (!cheapest || cheaper(*offer, *cheapest))) {
      cheapest = offer;
      least = &family;
    }
  }
  std::optional<PricedShape> best;
  std::optional<PricedShape> first;
  constexpr std::int64_t most = 4;  // times as many: beyond it they are not what is short
  for (auto vcpus = shape.vcpus; least != nullptr && vcpus <= most * shape.vcpus; ++vcpus) {
    const auto offer = of(*least, vcpus);
    if (!offer || (best && pricing.is_busy(*best))) {
      break;
    }
    if (!best || best->offer.vcpus != offer->vcpus) {
      pricing.keep_better(best, pricing.priced(*offer));
      first = first ? first : best;
    }
  }
  if (best) {
    best->why_more_vcpus = why_more(shape, *least, *first, *best);
  }
  return best;
}

// On demand, of today and in dollars, whatever it has beside its GPUs.
bool is_sold_with(const Offer& offer, const Shape& shape, const std::string& gpu) {
  return offer.gpu == gpu && offer.gpus >= static_cast<double>(shape.gpus) &&
         offer.market == Market::on_demand && offer.book == "current" &&
         offer.price_per_hour.currency() == "USD";
}

// Offers in the order of their price, until no dearer one can be cheaper with its disk.
std::optional<PricedShape> cheapest_holding(const Shape& shape,
                                            const std::string& gpu,
                                            const Catalog& catalog,
                                            const Pricing& pricing) {
  std::vector<const Offer*> holding;
  for (const auto& offer : catalog.offers()) {
    if (is_sold_with(offer, shape, gpu) && offer.retired_on.empty() &&
        offer.vcpus.value_or(0) >= static_cast<double>(shape.vcpus) &&
        offer.memory_gib.value_or(0) * 1024 >= static_cast<double>(shape.memory_mib)) {
      holding.push_back(&offer);
    }
  }
  std::stable_sort(holding.begin(), holding.end(), [](const Offer* a, const Offer* b) {
    return cheaper(*a, *b);
  });
  std::optional<PricedShape> best;
  std::set<std::tuple<std::string, std::string, std::string>> seen;  // in its cheapest region
  for (const Offer* offer : holding) {
    if (best && pricing.is_busy(*best) && !(offer->price_per_hour < best->hour.total)) {
      break;
    }
    if (seen.emplace(offer->provider, offer->instance, offer->cpu).second) {
      pricing.keep_better(best, pricing.priced(*offer));
    }
  }
  return best;
}

}  // namespace

std::optional<SizingPrice> price_sizing(const Sizing& sizing,
                                        const Configuration& asked,
                                        const Catalog& catalog,
                                        std::span<const CustomFamily> families,
                                        const OnMachine& on_machine) {
  const auto shape = shape_of(sizing, asked);
  if (!shape) {
    return std::nullopt;
  }
  const auto& gpu = asked.machine.gpu;
  SizingPrice price;
  price.shape = fmt::format("{} vCPU / {:g} GiB / {} x {}",
                            shape->vcpus,
                            static_cast<double>(shape->memory_mib) / 1024,
                            shape->gpus,
                            gpu);
  price.target = sizing.target;
  const Pricing pricing(asked, price, catalog, on_machine);
  price.by_the_unit = cut_to_measure(*shape, gpu, families, pricing);
  if (!price.by_the_unit) {
    std::set<std::string> gpus;
    for (const auto& family : families) {
      gpus.insert(family.gpu);
    }
    gpus.erase("");
    price.sold_by_the_unit.assign(gpus.begin(), gpus.end());
  }
  price.standard = cheapest_holding(*shape, gpu, catalog, pricing);
  const auto offers = catalog.offers();
  price.retired =
      !price.standard && std::any_of(offers.begin(), offers.end(), [&](const Offer& offer) {
        return is_sold_with(offer, *shape, gpu) && !offer.retired_on.empty();
      });
  return price;
}

}  // namespace rightsize
