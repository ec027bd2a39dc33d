#include "advisor/candidate/disk_choice.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/disk_for_job.h"
#include "advisor/candidate/exchanged_volume.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/candidate/system_disk.h"
#include "kernels/gibibyte.h"
#include "pricing/attaches.h"
#include "pricing/on_prem.h"

namespace rightsize {
namespace {

// Assumptions, none of them measured here. Those that move the answer are named next to it
// (assumptions.cpp); the standard deviations only widen it.
constexpr double unstated_disk_bytes_per_s = 500e6;
constexpr const char* unstated_disk_price = "0.10";  // USD per GiB and month: gp2, pd-balanced
constexpr double unstated_disk_log_sd = 0.5;
constexpr double volume_log_sd = 0.05;

constexpr double unlimited_bytes_per_s = 1e12;  // as predict takes a disk that nobody described

constexpr std::string_view unlisted_class = "unlisted (price assumed)";
constexpr std::string_view unbilled_disk = "unlisted (not billed, assumed)";

// "local NVMe SSD" of the founding reports' machines: read to 2 GB/s (AlibabaCloudDocs/ecs).
// Other providers' are assumed to do as well.
DiskChoice local_disk(const Offer& offer) {
  return {nullptr,
          0,
          {2e9, 240e3, 0},
          0.2,
          "local NVMe",
          offer.provider == "alibaba" ? Source::published : Source::assumed};
}

// No disk is rented for a machine of one's own; whether its disk holds the data is asked of the
// machine (candidate.cpp).
DiskChoice own_disk(const Offer& offer) {
  return offer.local_disk_gib ? local_disk(offer)
                              : DiskChoice{nullptr,
                                           0,
                                           {unlimited_bytes_per_s, 0, 0},
                                           0,
                                           std::string(unsaid_own_disk),
                                           Source::assumed};
}

}  // namespace

DiskPricing disk_pricing(std::string_view disk, std::string_view disk_class) {
  return disk == unbilled_disk          ? DiskPricing::not_billed
         : disk_class == unlisted_class ? DiskPricing::assumed
                                        : DiskPricing::listed;
}

DiskSpeed disk_speed(const VolumePerformance& delivered) {
  DiskSpeed speed{delivered.bytes_per_s, delivered.iops, delivered.latency_s};
  speed.burst_iops = delivered.burst_iops;
  speed.io_credits = delivered.io_credits;
  speed.max_request_bytes = delivered.request_bytes;
  return speed;
}

DiskSpeed read_in_sequence(DiskSpeed speed, double item_bytes) {
  constexpr double page = 4096;
  constexpr double seek_s = 4e-3;                     // and more: of a disk that turns
  constexpr double usual_request_bytes = 256 * 1024;  // where no size is stated (laws/disk.h)
  const bool states_size = speed.max_request_bytes > 0;
  if (!states_size && speed.latency_s >= seek_s) {
    speed.iops = 0;
  }
  speed.max_request_bytes = states_size ? speed.max_request_bytes : usual_request_bytes;
  if (item_bytes > 0 && item_bytes < page) {  // pages are read ahead: nobody waits for each item
    speed.latency_s = 0;
  }
  if (speed.max_request_bytes > item_bytes && item_bytes > 0) {
    const double items = speed.max_request_bytes / item_bytes;
    speed.latency_s /= items;
    speed.iops *= items;
    speed.burst_iops *= items;
    speed.io_credits *= items;
    speed.max_request_bytes = item_bytes;
  }
  return speed;
}

std::string volume_label(const VolumeClass& volume, std::int64_t gib, const BoughtSpeed& bought) {
  auto label = fmt::format("{} {} GiB", volume.name, gib);
  if (bought.iops > 0) {
    label += fmt::format(" {:.0f} IOPS", volume.iops_base + static_cast<double>(bought.iops));
  }
  if (bought.mbps > 0) {
    label += fmt::format(" {:.0f} MB/s", volume.mbps_base + static_cast<double>(bought.mbps));
  }
  return label;
}

DiskChoices::DiskChoices(const Query& query, const Catalog& catalog, double model_bytes)
    : query_(query), catalog_(catalog), model_bytes_(model_bytes) {
  unlisted_volume_.name = unlisted_class;
  unlisted_volume_.price_per_gib_month = Money::parse(unstated_disk_price, "USD");
  unlisted_volume_.source = "assumed";
  exchange_prices();
}

// Once, before anybody asks: choices point at what is made here.
void DiskChoices::exchange_prices() {
  std::vector<std::string> currencies{query_.currency};
  for (const auto& [currency, rate] : query_.rates) {
    currencies.push_back(currency);
  }
  const auto exchange = [&](const VolumeClass& volume) {
    for (const auto& currency : currencies) {
      auto other = exchanged_volume(volume, currency, query_);
      if (other && volume.price_per_gib_month->currency() != currency) {
        exchanged_.emplace(std::pair(&volume, currency), *std::move(other));
      }
    }
  };
  for (const auto& volume : catalog_.volumes()) {
    exchange(volume);
  }
  exchange(unlisted_volume_);
}

const VolumeClass* DiskChoices::priced_in(const std::string& currency,
                                          const VolumeClass& volume) const {
  if (volume.price_per_gib_month->currency() == currency) {
    return &volume;
  }
  const auto found = exchanged_.find({&volume, currency});
  return found == exchanged_.end() ? nullptr : &found->second;
}

// What the volume delivers to this machine, which may let less through.
DiskChoice DiskChoices::volume_choice(const Offer& offer,
                                      const VolumeClass& volume,
                                      std::int64_t gib,
                                      const BoughtSpeed& bought) const {
  const auto* cap = catalog_.disk_cap(offer.provider, offer.instance, volume.name);
  auto delivered = performance(volume, static_cast<double>(gib), bought);
  if (cap != nullptr) {
    delivered = capped(delivered, *cap);
  }
  return {&volume,
          gib,
          disk_for_job(disk_speed(delivered), reading_of(query_)),
          volume_log_sd,
          volume_label(volume, gib, bought),
          Source::published,
          bought};
}

void DiskChoices::add_volumes(const Offer& offer,
                              const VolumeClass& volume,
                              double wanted_bytes,
                              std::vector<DiskChoice>& choices) const {
  if (sells_speed(volume)) {
    return add_speeds(offer, volume, wanted_bytes, choices);
  }
  std::int64_t smallest = -1;
  // As large as the data asks, and as large as makes the class as fast as it gets.
  for (const double speed : {0.0, volume.mbps_max * 1e6}) {
    const auto size = smallest_size_gib(volume, wanted_bytes, speed);
    if (!size || static_cast<std::int64_t>(*size) == smallest) {
      continue;
    }
    smallest = static_cast<std::int64_t>(*size);
    choices.push_back(volume_choice(offer, volume, smallest, {}));
  }
}

// Items apart from each other are a request each, however few bytes it brings; of those in sequence
// one brings several, and what comes with the speed is enough.
double DiskChoices::iops_of_items(double bytes_per_s) const {
  if (query_.items == 0 || query_.dataset_bytes == 0 || reading_of(query_).in_sequence()) {
    return 0;
  }
  const double bytes =
      static_cast<double>(query_.dataset_bytes) / static_cast<double>(query_.items);
  return bytes_per_s / bytes * requests_per_item({}, bytes);
}

void DiskChoices::add_speeds(const Offer& offer,
                             const VolumeClass& volume,
                             double wanted_bytes,
                             std::vector<DiskChoice>& choices) const {
  const auto size = smallest_size_gib(volume, wanted_bytes, 0);
  if (!size) {
    return;
  }
  // Where we do not know what the machine lets through, no speed is bought for it.
  const auto* cap = catalog_.disk_cap(offer.provider, offer.instance, volume.name);
  const double most = cap == nullptr ? 0 : std::min(cap->mbps.value_or(0), volume.mbps_max);
  if (volume.mbps_base == 0 && most == 0) {
    return;  // it has none of its own
  }
  const double iops = cap == nullptr ? 0 : cap->iops.value_or(0);
  const auto gib = static_cast<std::int64_t>(*size);
  double last = -1;
  for (const double mbps : {volume.mbps_base, 250.0, 500.0, 1000.0, most}) {
    if (mbps > last && (mbps <= most || mbps == volume.mbps_base) && mbps > 0) {
      const auto as_it_comes = speed_to_buy(volume, *size, mbps * 1e6);
      const auto by_items =
          speed_to_buy(volume, *size, mbps * 1e6, std::min(iops_of_items(mbps * 1e6), iops));
      choices.push_back(volume_choice(offer, volume, gib, as_it_comes));
      if (by_items.iops > as_it_comes.iops) {
        choices.push_back(volume_choice(offer, volume, gib, by_items));
      }
      last = mbps;
    }
  }
}

DiskChoice unlisted_disk(std::int64_t gib) {
  return {nullptr,
          gib,
          {unstated_disk_bytes_per_s, 0, 0},
          unstated_disk_log_sd,
          fmt::format("unlisted {} GiB (price assumed)", gib),
          Source::assumed};
}

DiskChoice DiskChoices::unlisted(const Offer& offer, double wanted_bytes) const {
  auto disk = unlisted_disk(static_cast<std::int64_t>(std::ceil(wanted_bytes / bytes_per_gib)));
  disk.volume = priced_in(offer.price_per_hour.currency(), unlisted_volume_);
  if (disk.volume == nullptr) {
    disk.gib = 0;
    disk.label = unbilled_disk;
  }
  return disk;
}

std::vector<DiskChoice> DiskChoices::of(const Offer& offer) const {
  if (query_.format == DataFormat::synthetic && (query_.serves() || model_bytes_ <= 0)) {
    return {{nullptr, 0, {}, 0, query_.serves() ? "none billed" : "none (no data is read)"}};
  }
  const double bytes = static_cast<double>(bytes_held(query_)) + model_bytes_;
  if (is_own(offer)) {
    return {own_disk(offer)};
  }
  const double wanted = bytes + system_disk_gib * bytes_per_gib;
  const auto book = catalog_.rules_book(offer.book);
  std::vector<DiskChoice> choices;
  if (offer.local_disk_gib && *offer.local_disk_gib * bytes_per_gib >= bytes) {
    choices.push_back(local_disk(offer));
  }
  bool listed = false;
  for (const auto& volume : catalog_.volumes()) {
    const bool there = volume.provider == offer.provider && volume.book == book &&
                       volume.price_per_gib_month &&
                       is_offered_with(offer.provider, offer.instance, volume.name);
    if (const auto* priced = there ? priced_in(offer.price_per_hour.currency(), volume) : nullptr) {
      listed = true;
      add_volumes(offer, *priced, wanted, choices);
    }
  }
  if (choices.empty() && !listed) {
    choices.push_back(unlisted(offer, wanted));
  }
  return choices;
}

}  // namespace rightsize
