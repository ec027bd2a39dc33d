// What the machine that size finds would cost: cut to measure where a table prices its GPU by the
// unit, and as the cheapest machine that is sold and holds it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "advisor/candidate/disk_choice.h"
#include "advisor/machine/sizing.h"
#include "advisor/query/query.h"
#include "pricing/catalog.h"
#include "pricing/custom_shape.h"

namespace rightsize {

// A machine that is sold, with a disk of its place, and what it does to the work.
struct PricedShape {
  Offer offer;
  std::string disk;     // "pd-ssd 151 GiB"; "" where none is rented
  double busy = 0;      // share of its time that the accelerator works
  Estimate throughput;  // of all GPUs together
  Bill hour;
  std::optional<Estimate> hours;    // of the job; nullopt where its epochs are not told
  std::optional<Bill> job;          // for the expected of them
  std::optional<Estimate> cost;     // of the job: the total for them, and for both of their ends
  std::string why_more_vcpus = "";  // than asked for, of one cut to measure; "": as many
};

struct SizingPrice {
  std::string shape;  // "2 vCPU / 6 GiB / 1 x T4": the needs, in whole vCPUs
  double target = 0;  // how busy the accelerator is to be; below it is what comes nearest
  std::optional<PricedShape> by_the_unit;
  std::vector<std::string> sold_by_the_unit;  // the GPUs that are, where this one is not
  std::string left_out = "";  // who sells this one so, where the question leaves him out
  std::optional<PricedShape> standard;
  bool retired = false;           // machines with that GPU are in the tables, and no longer rented
  std::string refusal = "";       // why the job takes none of those that hold it
  std::string by_the_month = "";  // one that holds it, where it is rented so alone

  struct Fleet {
    int machines = 0;
    int low = 0;
    int high = 0;  // 0: at the slow end no number is enough
  };
  std::optional<Fleet> fleet;  // of a service: how many of it, a month long

  // Whether the accelerator is as busy as asked: but for the rounding of vCPUs to quarters and of
  // the disk's bisection.
  [[nodiscard]] bool keeps_busy(const PricedShape& machine) const {
    return machine.busy >= target - 1e-3;
  }
};

// What the work does on an offer with a disk: what the needs promise one by one, the whole machine
// has to keep.
using OnMachine = std::function<Answer(const Offer&, const DiskChoice&)>;

// Of the tables' offers and of `families`, those in the markets, books and places of `scope`, and
// of the offers those that its limits of shape and name let pass; nullopt where the sizing found no
// machine.
// Of what is sold with the fewest GPUs the cheapest that keeps the accelerator as busy as asked, by
// the whole job's bill (by the hour where its epochs are not told), or where none does, the one
// that keeps it busiest.
[[nodiscard]] std::optional<SizingPrice> price_sizing(const Sizing& sizing,
                                                      const Configuration& asked,
                                                      const Catalog& catalog,
                                                      std::span<const CustomFamily> families,
                                                      const Query& scope,
                                                      const OnMachine& on_machine);

}  // namespace rightsize
