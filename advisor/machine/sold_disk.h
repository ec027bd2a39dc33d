// The disk of a machine that price tables sell, where nobody says which.
#pragma once

#include <vector>

#include "advisor/candidate/disk_choice.h"
#include "advisor/machine/configuration.h"
#include "pricing/catalog.h"

namespace rightsize {

// A disk of it, and what the machine with it costs an hour; of a machine without a price on demand
// what the disk alone costs.
struct SoldDisk {
  DiskChoice disk;
  double per_hour = 0;
};

// The disks that advise would try with that instance and job, the cheapest first: without a word of
// the user's a machine is not faster than it can be bought. None of machines that are described by
// their parts, of one's own, and of what reads nothing from a disk or whose items nobody counted.
// `model_bytes`: of weights and checkpoints beside the data. No volume is named in them.
[[nodiscard]] std::vector<SoldDisk> disks_sold(const Configuration& asked,
                                               const Catalog& catalog,
                                               double model_bytes);

}  // namespace rightsize
