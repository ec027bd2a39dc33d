// A disk as one job reads it. Every command that names a disk for a job goes through here, so that
// one disk has one answer; profile --disk imposes the bytes instead.
#pragma once

#include <cstdint>
#include <string_view>

#include "advisor/candidate/disk_choice.h"
#include "models/laws/disk.h"
#include "pricing/catalog.h"

namespace rightsize {

// `bytes` are those of all `items`, which are read in sequence (disk_choice.h) where the job does
// not shuffle.
[[nodiscard]] DiskSpeed disk_for_job(const DiskSpeed& speed,
                                     bool shuffle,
                                     std::uint64_t bytes,
                                     std::uint64_t items);

// What an instance of this name lets through of a priced volume, where a table says so; the disk as
// it is where none does, or no volume is named.
[[nodiscard]] DiskChoice let_through(DiskChoice disk,
                                     const Catalog& catalog,
                                     std::string_view instance);
// The same of a machine that lets so much through.
[[nodiscard]] DiskChoice let_through(DiskChoice disk, const DiskCap& cap);

}  // namespace rightsize
