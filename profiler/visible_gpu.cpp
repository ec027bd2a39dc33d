#include "profiler/visible_gpu.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace rightsize {
namespace {

std::string_view first_entry(std::string_view list) {
  auto entry = list.substr(0, list.find(','));
  entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
  return entry.substr(0, entry.find_last_not_of(' ') + 1);  // npos + 1 is 0
}

std::optional<unsigned> number_of(std::string_view entry) {
  unsigned number = 0;
  const auto* end = entry.data() + entry.size();
  const auto read = std::from_chars(entry.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

// A few digits do, where they are those of one GPU alone.
std::optional<unsigned> index_by_uuid(std::string_view beginning,
                                      std::span<const GpuIdentity> gpus) {
  const auto begins_so = [&](const GpuIdentity& gpu) { return gpu.uuid.starts_with(beginning); };
  const auto found = std::find_if(gpus.begin(), gpus.end(), begins_so);
  return std::count_if(gpus.begin(), gpus.end(), begins_so) == 1 ? std::optional(found->index)
                                                                 : std::nullopt;
}

bool are_alike(std::span<const GpuIdentity> gpus) {
  return std::all_of(gpus.begin(), gpus.end(), [&](const GpuIdentity& gpu) {
    return gpu.name == gpus.front().name;
  });
}

}  // namespace

CudaEnvironment cuda_environment_here() {
  CudaEnvironment environment;
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES"); visible != nullptr) {
    environment.visible_devices = visible;
  }
  if (const char* order = std::getenv("CUDA_DEVICE_ORDER"); order != nullptr) {
    environment.device_order = order;
  }
  return environment;
}

std::optional<unsigned> first_visible_gpu(const CudaEnvironment& environment,
                                          std::span<const GpuIdentity> gpus) {
  const auto visible = environment.visible_devices.value_or("0");
  const auto entry = first_entry(visible);
  if (entry.starts_with("GPU-")) {
    return index_by_uuid(entry, gpus);
  }
  const auto number = number_of(entry);
  const bool numbered_alike = environment.device_order == "PCI_BUS_ID" || are_alike(gpus);
  return number && *number < gpus.size() && numbered_alike ? std::optional(gpus[*number].index)
                                                           : std::nullopt;
}

}  // namespace rightsize
