// How the data of a configuration come from its disk.
#pragma once

#include "advisor/candidate/disk_for_job.h"
#include "advisor/machine/configuration.h"

namespace rightsize {

// The configuration is borrowed.
[[nodiscard]] inline Reading reading_of(const Configuration& asked) {
  return {asked.data, asked.shuffle, asked.phase, asked.loader, asked.bytes, asked.items};
}

}  // namespace rightsize
