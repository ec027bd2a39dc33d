#include "advisor/machine/sizing_price.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "advisor/candidate/disk_choice.h"
#include "advisor/candidate/disk_for_job.h"
#include "advisor/query/query.h"
#include "models/laws/disk.h"

namespace rightsize {
namespace {

// The least of each that keeps the GPUs busy.
struct Shape {
  std::int64_t vcpus = 1;
  std::int64_t memory_mib = 1024;
  std::int64_t gpus = 1;
  double disk_bytes_per_s = 0;
};

std::optional<Shape> shape_of(const Sizing& sizing, const Configuration& asked) {
  if (sizing.needs.size() != 3 || !sizing.shortfall.empty()) {
    return std::nullopt;
  }
  constexpr double mib_per_gib = 1024;
  const auto whole = [](double amount) { return static_cast<std::int64_t>(std::ceil(amount)); };
  return Shape{std::max<std::int64_t>(1, whole(sizing.needs[0].amount)),
               std::max<std::int64_t>(1024, whole(sizing.needs[2].amount * mib_per_gib)),
               asked.machine.gpus_per_node,
               sizing.needs[1].amount * 1e6};
}

// As busy as asked, so that a job takes longer than on the GPU alone.
std::optional<Estimate> hours_of(const Sizing& sizing, const Configuration& asked) {
  if (!asked.epochs || !(sizing.answer.throughput.value > 0)) {
    return std::nullopt;
  }
  const auto& rate = sizing.answer.throughput;
  const double items = static_cast<double>(asked.items) * *asked.epochs / sizing.target / 3600;
  return Estimate{
      items / rate.value, items / rate.high, items / rate.low, rate.confidence, "h", rate.source};
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

bool fast_enough(const DiskChoice& disk, const Configuration& asked, double bytes_per_s) {
  const double item = static_cast<double>(asked.bytes) / static_cast<double>(asked.items);
  const auto speed = sustained(disk_for_job(disk.speed, asked.shuffle, asked.bytes, asked.items));
  return disk_items_per_s(speed, {}, item, 1) * item >= bytes_per_s;
}

class Pricing {
 public:
  Pricing(const Configuration& asked,
          const Shape& shape,
          const Catalog& catalog,
          std::optional<Estimate> hours)
      : asked_(asked),
        shape_(shape),
        catalog_(catalog),
        hours_(std::move(hours)),
        query_(data_of(asked)),
        disks_(query_, catalog) {}

  // With the cheapest disk there that is as fast as the GPUs ask for.
  [[nodiscard]] PricedShape priced(const Offer& offer) const {
    using std::chrono::seconds;
    PricedShape shape{offer, "", true, hour(offer, std::nullopt), std::nullopt};
    std::optional<VolumeChoice> rented;
    shape.disk_is_enough = asked_.data == DataFormat::synthetic;
    for (const auto& disk : disks_.of(offer)) {
      if (asked_.data == DataFormat::synthetic ||
          !fast_enough(
              let_through(disk, catalog_, offer.instance), asked_, shape_.disk_bytes_per_s)) {
        continue;
      }
      const auto with_disk = hour(offer, disk.rented());
      if (!shape.disk_is_enough || with_disk.total < shape.hour.total) {
        shape.disk_is_enough = true;
        shape.disk = disk.label;
        shape.hour = with_disk;
        rented = disk.rented();
      }
    }
    if (hours_) {
      const auto used = seconds(static_cast<std::int64_t>(std::ceil(hours_->value * 3600)));
      shape.job = bill(offer, 1, rented, used, rule(offer));
    }
    return shape;
  }

 private:
  [[nodiscard]] const BillingRule& rule(const Offer& offer) const {
    return catalog_.billing(offer.provider, offer.book);
  }

  [[nodiscard]] Bill hour(const Offer& offer, const std::optional<VolumeChoice>& volume) const {
    return bill(offer, 1, volume, std::chrono::hours(1), rule(offer));
  }

  const Configuration& asked_;
  const Shape& shape_;
  const Catalog& catalog_;
  std::optional<Estimate> hours_;
  Query query_;
  DiskChoices disks_;
};

// The cheaper of the two, by the hour; in another currency than the first none is compared.
void keep_cheaper(std::optional<Offer>& best, const Offer& offer) {
  if (!best || (offer.price_per_hour.currency() == best->price_per_hour.currency() &&
                offer.price_per_hour < best->price_per_hour)) {
    best = offer;
  }
}

std::optional<Offer> cut_to_measure(const Shape& shape,
                                    const std::string& gpu,
                                    std::span<const CustomFamily> families) {
  std::optional<Offer> best;
  for (const auto& family : families) {
    const auto offer = family.gpu == gpu && family.market == Market::on_demand
                           ? smallest_holding(family, shape.vcpus, shape.memory_mib, shape.gpus)
                           : std::nullopt;
    if (offer) {
      keep_cheaper(best, *offer);
    }
  }
  return best;
}

std::optional<Offer> cheapest_holding(const Shape& shape,
                                      const std::string& gpu,
                                      const Catalog& catalog) {
  std::optional<Offer> best;
  for (const auto& offer : catalog.offers()) {
    const bool holds = offer.gpu == gpu && offer.gpus >= static_cast<double>(shape.gpus) &&
                       offer.vcpus.value_or(0) >= static_cast<double>(shape.vcpus) &&
                       offer.memory_gib.value_or(0) * 1024 >= static_cast<double>(shape.memory_mib);
    if (holds && offer.market == Market::on_demand && offer.book == "current" &&
        offer.retired_on.empty() && offer.price_per_hour.currency() == "USD") {
      keep_cheaper(best, offer);
    }
  }
  return best;
}

}  // namespace

std::optional<SizingPrice> price_sizing(const Sizing& sizing,
                                        const Configuration& asked,
                                        const Catalog& catalog,
                                        std::span<const CustomFamily> families) {
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
  price.hours = hours_of(sizing, asked);
  const Pricing pricing(asked, *shape, catalog, price.hours);
  if (const auto offer = cut_to_measure(*shape, gpu, families)) {
    price.by_the_unit = pricing.priced(*offer);
  } else {
    std::set<std::string> gpus;
    for (const auto& family : families) {
      gpus.insert(family.gpu);
    }
    gpus.erase("");
    price.sold_by_the_unit.assign(gpus.begin(), gpus.end());
  }
  if (const auto offer = cheapest_holding(*shape, gpu, catalog)) {
    price.standard = pricing.priced(*offer);
  }
  return price;
}

}  // namespace rightsize
