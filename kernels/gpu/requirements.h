// What has to be so before anything of a graph is allocated.
#pragma once

#include "kernels/gpu/plugin_abi.h"
#include "kernels/network.h"

namespace rightsize::gpu {

// Throws GpuError where this plugin cannot do yet what the options ask of the network.
void require_supported(const Network& network, const abi::Options& options);

// Throws GpuError "out of memory" before cuDNN is asked about tensors it cannot even describe.
void require_room(const Network& network, const abi::Options& options);

}  // namespace rightsize::gpu
