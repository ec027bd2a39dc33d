// The keys of a machine in words ("gpu=V100:1,vcpus=8,disk=250MB/s"), and which of them is meant by
// what the same thing is called elsewhere: by flags of a data path from its parts, or by clouds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rightsize {

[[nodiscard]] const std::vector<std::string>& machine_keys();

// With a value, as "disk=250MB/s" of "disk-read"; "" of what no key says.
[[nodiscard]] std::string_view machine_key_meant(std::string_view word);

}  // namespace rightsize
