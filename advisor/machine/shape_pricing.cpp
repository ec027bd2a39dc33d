#include "advisor/machine/shape_pricing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <utility>

#include "advisor/candidate/network_facts.h"

namespace rightsize {
namespace {

// What disk_choice.h has to know of the job.
Query data_of(const Configuration& asked) {
  Query query;
  query.phase = asked.phase;
  query.format = asked.data;
  query.writes = asked.writes;
  query.loader = asked.loader;
  query.items = asked.items;
  query.dataset_bytes = asked.bytes;
  query.shuffle = asked.shuffle;
  query.service = asked.service;
  query.tokens = asked.tokens;
  return query;
}

double model_bytes_of(const Configuration& asked) {
  return model_files(NetworkFacts(asked.network, asked.sequence, asked.tuning, asked.phase), asked)
      .bytes();
}

// Of two that are sold: the one that is busy enough, then the cheaper; of those that are not, the
// busier.
bool preferable(const PricedShape& a, const PricedShape& b, const SizingPrice& asked) {
  const bool enough = asked.keeps_busy(a);
  if (enough != asked.keeps_busy(b)) {
    return enough;
  }
  return !enough ? a.busy > b.busy : paid(a).currency() == paid(b).currency() && paid(a) < paid(b);
}

}  // namespace

const Money& paid(const PricedShape& shape) {
  return shape.job ? shape.job->total : shape.hour.total;
}

ShapePricing::ShapePricing(const Configuration& asked,
                           const Sizing& sizing,
                           const SizingPrice& price,
                           const Catalog& catalog,
                           const OnMachine& on_machine)
    : asked_(asked),
      each_items_per_s_(sizing.answer.throughput.value /
                        static_cast<double>(asked.machine.gpus_per_node)),
      price_(price),
      catalog_(catalog),
      on_machine_(on_machine),
      query_(data_of(asked)),
      disks_(query_, catalog, model_bytes_of(asked)) {}

std::optional<PricedShape> ShapePricing::priced(const Offer& offer) const {
  std::optional<PricedShape> best;
  for (const auto& disk : disks_.of(offer)) {
    keep_better(best, with_disk(offer, disk));
  }
  return best;
}

double ShapePricing::most_items_per_s(const Offer& offer) const {
  const double as_asked = each_items_per_s_ * offer.gpus;
  if (offer.gpu_memory_gib == asked_.machine.gpu_memory_gib) {
    return as_asked;
  }
  constexpr double no_limit = 1e12;
  const auto there = on_machine_(offer, {nullptr, 0, {no_limit, 0, 0, 0}, 0, "", Source::assumed});
  return there.verdict == Verdict::ok
             ? std::max(as_asked, there.prediction.bounds[Bound::accelerator])
             : as_asked;
}

Money ShapePricing::least_paid(const Offer& offer) const {
  const double seconds =
      asked_.epochs ? static_cast<double>(asked_.items) * *asked_.epochs / most_items_per_s(offer)
                    : 3600;
  return bill_total(offer,
                    1,
                    std::nullopt,
                    std::chrono::seconds(static_cast<std::int64_t>(seconds)),
                    catalog_.billing(offer.provider, offer.book));
}

void ShapePricing::keep_better(std::optional<PricedShape>& best,
                               std::optional<PricedShape> shape) const {
  if (shape && (!best || preferable(*shape, *best, price_))) {
    best = std::move(shape);
  }
}

// Of a job that goes through its data once at most, in the epoch that there is.
double ShapePricing::busy_in(const Prediction& prediction) const {
  const bool once = asked_.epochs && *asked_.epochs <= 1;
  const double most = prediction.bounds[Bound::accelerator];
  return once && std::isfinite(most) && most > 0
             ? std::min(1.0, prediction.cold_items_per_s / most)
             : prediction.busy[static_cast<std::size_t>(Bound::accelerator)];
}

std::optional<PricedShape> ShapePricing::with_disk(const Offer& offer,
                                                   const DiskChoice& disk) const {
  using std::chrono::seconds;
  const auto answer = on_machine_(offer, disk);
  if (answer.verdict != Verdict::ok) {
    return std::nullopt;
  }
  const auto& rule = catalog_.billing(offer.provider, offer.book);
  PricedShape shape{
      offer,
      disk.rented() || disk_pricing(disk.label, "") == DiskPricing::not_billed ? disk.label : "",
      busy_in(answer.prediction),
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

}  // namespace rightsize
