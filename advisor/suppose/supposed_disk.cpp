#include "advisor/suppose/supposed_disk.h"

#include <cmath>

#include <fmt/format.h>

#include "advisor/candidate/disk_for_job.h"
#include "advisor/candidate/exchanged_volume.h"
#include "advisor/candidate/preprocessing.h"
#include "advisor/machine/named_disk.h"
#include "advisor/query/exchanged_money.h"
#include "advisor/query/query.h"
#include "advisor/suppose/sizes.h"

namespace rightsize {
namespace {

// A class of another provider, where today's is the machine's own provider's.
void refuse_of_another(const std::string& disk, const Catalog& catalog, const Candidate& now) {
  const auto& provider = now.offer->provider;
  const bool own = now.disk.volume != nullptr && now.disk.volume->provider == provider;
  if (const auto why = own ? sold_elsewhere(disk, catalog, provider, now.offer->instance) : "";
      !why.empty()) {
    throw UsageError(fmt::format("disk = {}: {}", disk, why));
  }
}

// Of a volume alone, before a machine lets less through.
DiskChoice by_itself(const Supposition& supposition,
                     const Query& query,
                     const Evidence& evidence,
                     const Candidate& now) {
  if (!supposition.disk.empty()) {
    refuse_of_another(supposition.disk, evidence.catalog, now);
    return disk_named(supposition.disk,
                      evidence.catalog,
                      {bytes_held(query), now.model_files.bytes()},
                      "disk",
                      now.offer->book);
  }
  auto disk = now.disk;
  disk.speed = disk_speed(performance(*disk.volume, static_cast<double>(disk.gib), disk.bought));
  return disk;
}

// What a machine of so many vCPUs lets through; where no table says, what it does today.
DiskChoice through_size(DiskChoice disk,
                        const Catalog& catalog,
                        const Offer& now,
                        double vcpus,
                        std::vector<std::string>& notes) {
  const auto today = let_through(disk, catalog, now.instance);
  if (disk.volume == nullptr || disk.volume->provider != now.provider) {
    return today;
  }
  const auto sizes = sizes_around(catalog, now, &Offer::vcpus, vcpus);
  const auto cap = cap_around(catalog, sizes, *disk.volume);
  if (!cap) {
    if (catalog.disk_cap(now.provider, now.instance, disk.volume->name) != nullptr) {
      notes.push_back(fmt::format(
          "what a machine of {:g} vCPUs lets through to its disk is not known: {}'s limit is kept "
          "[assumed]",
          vcpus,
          now.instance));
    }
    return today;
  }
  disk = let_through(std::move(disk), *cap);
  const auto differs = [](double a, double b) { return std::abs(a - b) > 0.005 * b; };
  if (differs(disk.speed.bytes_per_s, today.speed.bytes_per_s) ||
      differs(disk.speed.iops, today.speed.iops)) {
    notes.push_back(fmt::format(
        "such a machine lets {:.0f} MB/s of its disk through, {} {:.0f} [{}]",
        disk.speed.bytes_per_s / 1e6,
        now.instance,
        today.speed.bytes_per_s / 1e6,
        sizes.exact
            ? "published"
            : fmt::format(
                  "scaled: between {} and {}", sizes.below->instance, sizes.above->instance)));
  }
  return disk;
}

// What this machine lets through of a disk that is supposed.
DiskChoice through_this(DiskChoice disk,
                        const Catalog& catalog,
                        const Offer& now,
                        std::vector<std::string>& notes) {
  const double alone = disk.speed.bytes_per_s;
  disk = let_through(std::move(disk), catalog, now.instance);
  if (disk.speed.bytes_per_s < alone) {
    notes.push_back(fmt::format("{} lets {:.0f} MB/s of its disk's {:.0f} through [published]",
                                now.instance,
                                disk.speed.bytes_per_s / 1e6,
                                alone / 1e6));
  }
  return disk;
}

// A machine and its disk make one bill, of one currency.
[[noreturn]] void throw_unexchanged(const Supposition& supposition,
                                    const DiskChoice& disk,
                                    const Offer& offer,
                                    const Query& query) {
  const auto& of_disk = disk.volume->price_per_gib_month->currency();
  const auto& of_machine = offer.price_per_hour.currency();
  const auto& unknown = rate_nanos(of_disk, query) ? of_machine : of_disk;
  throw UsageError(
      fmt::format("disk={}: its price is in {}, that of {} in {}: --fx {}=RATE says "
                  "what 1 {} is in {}",
                  supposition.disk,
                  of_disk,
                  offer.instance,
                  of_machine,
                  unknown,
                  unknown,
                  query.currency));
}

}  // namespace

DiskChoice supposed_disk(const Supposition& supposition,
                         const Query& query,
                         const Evidence& evidence,
                         const Candidate& now,
                         std::optional<VolumeClass>& held,
                         std::vector<std::string>& notes) {
  const bool rented = now.disk.volume != nullptr && now.disk.source != Source::assumed;
  if (supposition.disk.empty() && (!supposition.vcpus || !rented)) {
    return now.disk;
  }
  const auto& catalog = evidence.catalog;
  auto disk = by_itself(supposition, query, evidence, now);
  disk = supposition.vcpus ? through_size(std::move(disk),
                                          catalog,
                                          *now.offer,
                                          supposition.vcpus->of(*now.offer->vcpus),
                                          notes)
                           : through_this(std::move(disk), catalog, *now.offer, notes);
  disk.speed = disk_for_job(disk.speed, reading_of(query));
  const auto& currency = now.offer->price_per_hour.currency();
  const auto* volume = disk.volume;
  if (volume == nullptr || !volume->price_per_gib_month ||
      volume->price_per_gib_month->currency() == currency) {
    return disk;
  }
  held = exchanged_volume(*volume, currency, query);
  if (!held) {
    throw_unexchanged(supposition, disk, *now.offer, query);
  }
  disk.volume = &*held;
  return disk;
}

}  // namespace rightsize
