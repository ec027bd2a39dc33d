#include "advisor/machine/sold_disk.h"

#include <algorithm>

#include "advisor/machine/named_disk.h"
#include "advisor/query/query.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// By the book whose disks belong to the software that is asked about, where the instance is in it.
const Offer* offer_of(const MachineSpec& machine, const Catalog& catalog, std::string_view book) {
  const Offer* found = nullptr;
  for (const auto& offer : catalog.offers()) {
    if (offer.instance == machine.instance && offer.provider == machine.provider) {
      if (offer.book == book) {
        return &offer;
      }
      found = found == nullptr ? &offer : found;
    }
  }
  return found;
}

// As much of a job as its disks go by; not whether it shuffles, so that they are told as they are
// sold (disk_for_job.h).
Query query_of(const Configuration& asked, const Offer& offer) {
  Query query;
  query.phase = asked.phase;
  query.format = asked.data;
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

std::vector<DiskChoice> disks_sold(const Configuration& asked,
                                   const Catalog& catalog,
                                   double model_bytes) {
  const auto& machine = asked.machine;
  if (machine.instance.empty() || machine.looked_for || asked.items == 0 ||
      asked.data == DataFormat::synthetic) {
    return {};
  }
  const auto* offer = offer_of(machine, catalog, book_of(asked.stack));
  if (offer == nullptr || is_own(*offer)) {
    return {};
  }
  const auto query = query_of(asked, *offer);
  const DiskChoices choices(query, catalog, model_bytes);
  auto disks = choices.of(*offer);
  std::stable_sort(disks.begin(), disks.end(), [](const DiskChoice& one, const DiskChoice& other) {
    return month_of(one) < month_of(other);
  });
  for (auto& disk : disks) {
    disk.volume = nullptr;  // which may end with the choices
  }
  return disks;
}

}  // namespace rightsize
