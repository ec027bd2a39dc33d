// The disks that an offer can be rented with, each big enough for the data set.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "advisor/query/query.h"
#include "models/estimate.h"
#include "models/laws/disk.h"
#include "pricing/catalog.h"

namespace rightsize {

// Where the data lies: a priced volume, the machine's own disk, or nothing we were told about.
struct DiskChoice {
  const VolumeClass* volume = nullptr;
  std::int64_t gib = 0;
  DiskSpeed speed;
  double log_sd = 0;
  std::string label;
  Source source = Source::published;
  BoughtSpeed bought = {};

  // As it stands on the bill; nullopt where nothing is rented for it.
  [[nodiscard]] std::optional<VolumeChoice> rented() const {
    return volume == nullptr ? std::nullopt : std::optional(VolumeChoice{volume, gib, bought});
  }
};

// The disk of one's own machine, of which nothing is said: it is taken to hold the data and not to
// limit.
inline constexpr std::string_view unsaid_own_disk = "its own (not said, does not limit)";

// How a disk comes to be on the bill: at a price of the tables; at one that is assumed where they
// list no disks; or, as what is assumed is in dollars, not at all beside machines in other money.
enum class DiskPricing { listed, assumed, not_billed };

// Of a disk as an option names it, by its `disk` and `disk_class`.
[[nodiscard]] DiskPricing disk_pricing(std::string_view disk, std::string_view disk_class);

// What a volume delivers, as the laws of models take it.
[[nodiscard]] DiskSpeed disk_speed(const VolumePerformance& delivered);

// Items read one after the other are merged up to the size that requests are counted by (AWS st1
// and sc1: 1 MiB), 256 KiB where none is stated (Amazon EBS user guide, "I/O characteristics"), so
// that a request brings several; requests are then told in items. Of a disk that turns and states
// none, requests are seeks, of which there are none.
[[nodiscard]] DiskSpeed read_in_sequence(DiskSpeed speed, double item_bytes);

// "gp3 160 GiB 4000 IOPS 500 MB/s": the speed where it is bought apart, all of it.
[[nodiscard]] std::string volume_label(const VolumeClass& volume,
                                       std::int64_t gib,
                                       const BoughtSpeed& bought);

// What stands for the disks of providers whose tables have none, by the name that options show:
// "unlisted 21 GiB (price assumed)".
[[nodiscard]] DiskChoice unlisted_disk(std::int64_t gib);

class DiskChoices {
 public:
  // Both borrowed. `model_bytes`: of weights and checkpoints that lie beside the data.
  DiskChoices(const Query& query, const Catalog& catalog, double model_bytes = 0);

  // Of one's own machine its disk, whatever that holds. Else the machine's own disk where it has
  // one; of every class that is sold there, the smallest that
  // holds the data and the smallest that is as fast as the class gets; of a class that sells speed
  // apart, speeds between as well, each with the IOPS that carry it and with those that carry it in
  // reads of the job's items; where no table lists disks in the offer's currency, nor the
  // query a rate for those of another, one that is assumed. One choice without a disk for synthetic
  // data.
  [[nodiscard]] std::vector<DiskChoice> of(const Offer& offer) const;

 private:
  void exchange_prices();
  // A machine and its disk make one bill, of one currency; nullptr where no rate brings it there.
  [[nodiscard]] const VolumeClass* priced_in(const std::string& currency,
                                             const VolumeClass& volume) const;
  [[nodiscard]] DiskChoice volume_choice(const Offer& offer,
                                         const VolumeClass& volume,
                                         std::int64_t gib,
                                         const BoughtSpeed& bought) const;
  [[nodiscard]] DiskChoice unlisted(const Offer& offer, double wanted_bytes) const;
  void add_volumes(const Offer& offer,
                   const VolumeClass& volume,
                   double wanted_bytes,
                   std::vector<DiskChoice>& choices) const;
  // What reads of one item at a time need to bring so much.
  [[nodiscard]] double iops_of_items(double bytes_per_s) const;
  void add_speeds(const Offer& offer,
                  const VolumeClass& volume,
                  double wanted_bytes,
                  std::vector<DiskChoice>& choices) const;

  const Query& query_;
  const Catalog& catalog_;
  double model_bytes_;
  VolumeClass unlisted_volume_;  // stands for the disks of providers whose tables have none
  // Of the catalogue, at prices in another currency that the query has rates for.
  std::map<std::pair<const VolumeClass*, std::string>, VolumeClass> exchanged_;
};

}  // namespace rightsize
