// The disk of a machine as somebody supposes it: another disk, or the same behind another number of
// vCPUs, which lets more or less of it through.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advisor/candidate/candidate.h"
#include "advisor/search.h"
#include "advisor/suppose/supposition.h"
#include "pricing/volume.h"

namespace rightsize {

// As this job reads it; what it has now where nothing supposed concerns it. What changes with the
// vCPUs, and what is not known of it, goes into `notes`. Its volume is priced as the machine is, by
// what `held` comes to hold and it borrows. Throws UsageError as disk_named(), and where no rate
// does that.
[[nodiscard]] DiskChoice supposed_disk(const Supposition& supposition,
                                       const Query& query,
                                       const Evidence& evidence,
                                       const Candidate& now,
                                       std::optional<VolumeClass>& held,
                                       std::vector<std::string>& notes);

}  // namespace rightsize
