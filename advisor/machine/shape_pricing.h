// What a machine and its disk cost a job, and which of two is the better.
#pragma once

#include <optional>

#include "advisor/candidate/disk_choice.h"
#include "advisor/machine/sizing_price.h"
#include "advisor/query/query.h"

namespace rightsize {

// What is to be paid: for the whole job, as who is dearer by the hour may be done with it sooner;
// of one whose end is not told, by the hour.
[[nodiscard]] const Money& paid(const PricedShape& shape);

class ShapePricing {
 public:
  // All borrowed; `price` says how busy the GPUs are to be.
  ShapePricing(const Configuration& asked,
               const Sizing& sizing,
               const SizingPrice& price,
               const Catalog& catalog,
               const OnMachine& on_machine);

  // With the cheapest of the disks there that does; nullopt where the machine cannot do the work.
  [[nodiscard]] std::optional<PricedShape> priced(const Offer& offer) const;

  // What is paid at the least, whatever the disk: no machine is done sooner than its GPUs are.
  [[nodiscard]] Money least_paid(const Offer& offer) const;

  [[nodiscard]] bool is_busy(const PricedShape& shape) const { return price_.keeps_busy(shape); }

  // The one that is busy enough, then the cheaper; of those that are not, the busier.
  void keep_better(std::optional<PricedShape>& best, std::optional<PricedShape> shape) const;

 private:
  // Of GPUs that wait for nothing, with the batch that their own memory allows.
  [[nodiscard]] double most_items_per_s(const Offer& offer) const;
  [[nodiscard]] double busy_in(const Prediction& prediction) const;
  [[nodiscard]] std::optional<PricedShape> with_disk(const Offer& offer,
                                                     const DiskChoice& disk) const;

  const Configuration& asked_;
  double each_items_per_s_;  // of one GPU that waits for nothing
  const SizingPrice& price_;
  const Catalog& catalog_;
  const OnMachine& on_machine_;
  Query query_;
  DiskChoices disks_;
};

}  // namespace rightsize
