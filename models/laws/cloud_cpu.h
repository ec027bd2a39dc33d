// Which CPU is in the machines of clouds whose price tables name none: the generation that the
// provider's own pages state for the series (Compute Engine, "CPU platforms"; Azure, "Sizes for
// virtual machines"). EC2's are in calibration/cpu_speed.csv.
#pragma once

#include <string_view>

namespace rightsize {

// "Sapphire Rapids" of gcp's c3-standard-8; of a series of two generations the older; "" where no
// series is known.
[[nodiscard]] std::string_view cloud_cpu(std::string_view provider, std::string_view instance);

// The EC2 family whose vCPUs are that generation's, for its CoreMark. `whole_cores`: EC2 sells a
// core for each vCPU there, and other clouds half of one.
struct SameGeneration {
  std::string_view family;
  bool whole_cores = false;
};

// Of words such as "Sapphire Rapids", in any case; an empty family for others.
[[nodiscard]] SameGeneration same_generation(std::string_view words);

}  // namespace rightsize
