#include "advisor/machine/sold_disk.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "advisor/candidate/own_loader.h"
#include "advisor/machine/named_disk.h"
#include "advisor/query/query.h"
#include "pricing/billing.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// The cheapest place by the book whose disks belong to the software that is asked about, where the
// instance is in it.
std::tuple<bool, bool, double> order(const Offer& offer, std::string_view book) {
  return {
      offer.book != book, offer.market != Market::on_demand, offer.price_per_hour.approximate()};
}

const Offer* offer_of(const MachineSpec& machine, const Catalog& catalog, std::string_view book) {
  const Offer* found = nullptr;
  for (const auto& offer : catalog.offers()) {
    if (offer.instance == machine.instance && offer.provider == machine.provider) {
      const bool better = found == nullptr || order(offer, book) < order(*found, book);
      found = better ? &offer : found;
    }
  }
  return found;
}

// As much of a job as its disks go by; not how it reads them, so that they are told as they are
// sold: in no order, by a loader that seeks (disk_for_job.h).
Query query_of(const Configuration& asked, const Offer& offer) {
  Query query;
  query.phase = asked.phase;
  query.format = asked.data;
  query.loader = measured_loader;
  query.writes = asked.writes;
  query.items = asked.items;
  query.dataset_bytes = asked.bytes;
  query.currency = offer.price_per_hour.currency();
  return query;
}

// What it costs a month; of the machine's own and of one without a price nothing.
double month_of(const DiskChoice& disk) {
  const auto times = [](const std::optional<Money>& price, std::int64_t amount) {
    return price ? price->approximate() * static_cast<double>(amount) : 0;
  };
  return disk.volume == nullptr ? 0
                                : times(disk.volume->price_per_gib_month, disk.gib) +
                                      times(disk.volume->price_per_iops_month, disk.bought.iops) +
                                      times(disk.volume->price_per_mbps_month, disk.bought.mbps);
}

}  // namespace

std::vector<SoldDisk> disks_sold(const Configuration& asked,
                                 const Catalog& catalog,
                                 double model_bytes) {
  const auto& machine = asked.machine;
  const bool holds = asked.data != DataFormat::synthetic || model_bytes > 0;
  if (machine.instance.empty() || machine.looked_for || asked.items == 0 || !holds) {
    return {};
  }
  const auto* offer = offer_of(machine, catalog, book_of(asked.stack));
  if (offer == nullptr || is_own(*offer)) {
    return {};
  }
  const auto query = query_of(asked, *offer);
  const DiskChoices choices(query, catalog, model_bytes);
  const double rent = offer->market == Market::on_demand ? offer->price_per_hour.approximate() : 0;
  std::vector<SoldDisk> disks;
  for (auto& disk : choices.of(*offer)) {
    const double of_disk = month_of(disk) / hours_per_month;
    disk.volume = nullptr;  // which may end with the choices
    disks.push_back({std::move(disk), rent + of_disk});
  }
  std::stable_sort(disks.begin(), disks.end(), [](const SoldDisk& one, const SoldDisk& other) {
    return one.per_hour < other.per_hour;
  });
  return disks;
}

}  // namespace rightsize
