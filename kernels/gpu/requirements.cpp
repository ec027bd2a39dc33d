#include "kernels/gpu/requirements.h"

#include <fmt/format.h>

#include "kernels/gibibyte.h"
#include "kernels/gpu/check.h"
#include "kernels/work.h"

namespace rightsize::gpu {

void require_supported(const Network& network, const abi::Options& options) {
  if (options.preprocess != 0 && (network.reads_tokens() || network.input.h != network.input.w ||
                                  (network.input.c != 1 && network.input.c != 3))) {
    throw GpuError(abi::Status::unsupported,
                   "does not read square pictures of one or three channels, so there is nothing to "
                   "preprocess on the GPU; preprocess on the cpu");
  }
}

// The estimate leaves the libraries' room out; it may count what this engine packs tighter, hence
// the margin.
void require_room(const Network& network, const abi::Options& options) {
  constexpr double margin = 0.7;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total));
  const auto least =
      margin * static_cast<double>(device_memory_bytes(network,
                                                       static_cast<Phase>(options.phase),
                                                       static_cast<Precision>(options.precision),
                                                       options.batch));
  if (least > static_cast<double>(free)) {
    throw GpuError(abi::Status::out_of_memory,
                   fmt::format("needs more than {:.1f} GiB, the device has {:.1f} GiB free; use a "
                               "smaller batch",
                               least / bytes_per_gib,
                               static_cast<double>(free) / bytes_per_gib));
  }
}

}  // namespace rightsize::gpu
