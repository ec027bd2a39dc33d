// What accelerators draw from the wall: P = idle + (full - idle) x busy. From the data sheet alone,
// full is TDP, a limit that dense work comes near, and idle an assumed share of it: linear in
// utilisation as for servers in Fan, Weber & Barroso, "Power provisioning for a warehouse-sized
// computer", ISCA 2007, eq. 1. Power that was measured takes the place of either. Of the GPUs
// only: the host that feeds them is not counted.
#pragma once

#include <optional>

#include "models/estimate.h"
#include "models/laws/gpu_spec.h"

namespace rightsize {

struct PowerLaw {
  double idle_w = 0;
  double full_w = 0;
  Source source = Source::assumed;
};

// Of one GPU by its data sheet; nullopt where it names no TDP. `measured_full_w`: at full load.
[[nodiscard]] std::optional<PowerLaw> power_of(const GpuSpec& gpu,
                                               std::optional<double> measured_full_w = {});

// `busy` in 0..1.
[[nodiscard]] double watts(const PowerLaw& law, double busy);

struct Energy {
  Estimate watts;            // of all GPUs together
  Estimate items_per_joule;  // unit "img/J" for a rate in "img/s"
};

// Of `gpus` GPUs that are `busy` while they do `rate` together.
[[nodiscard]] Energy energy_of(const PowerLaw& law, int gpus, double busy, const Estimate& rate);

}  // namespace rightsize
