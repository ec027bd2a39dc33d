// A disk as one job reads it. Every command that names a disk for a job goes through here, so that
// one disk has one answer; profile --disk imposes the bytes instead.
#pragma once

#include <cstdint>
#include <string_view>

#include "advisor/candidate/disk_choice.h"
#include "kernels/workload.h"
#include "models/laws/disk.h"
#include "pricing/catalog.h"

namespace rightsize {

// What of a job decides how a disk serves its data.
struct Reading {
  DataFormat format = DataFormat::synthetic;
  bool shuffle = true;
  Phase phase = Phase::train;
  std::string_view loader;  // Query::loader
  std::uint64_t bytes = 0;  // of all items
  std::uint64_t items = 0;

  // Whether items come from the disk one after the other: where a job does not shuffle, and of
  // TFRecord by any loader but rightsize's own. It has no index to seek by; what tf.data and its
  // like shuffle are the order of its files and the items of a buffer (tensorflow.org, "Better
  // performance with the tf.data API").
  [[nodiscard]] bool in_sequence() const;
};
// The query is borrowed.
[[nodiscard]] Reading reading_of(const Query& query);

// In sequence or not (disk_choice.h has what that saves).
[[nodiscard]] DiskSpeed disk_for_job(const DiskSpeed& speed, const Reading& reading);

// What an instance of this name lets through of a priced volume, where a table says so; the disk as
// it is where none does, or no volume is named.
[[nodiscard]] DiskChoice let_through(DiskChoice disk,
                                     const Catalog& catalog,
                                     std::string_view instance);
// The same of a machine that lets so much through.
[[nodiscard]] DiskChoice let_through(DiskChoice disk, const DiskCap& cap);

}  // namespace rightsize
