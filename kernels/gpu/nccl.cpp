#include "kernels/gpu/nccl.h"

#include <numeric>

#include <dlfcn.h>
#include <fmt/format.h>

#include "kernels/gpu/check.h"

namespace rightsize::gpu {
namespace {

constexpr const char* file_name = "libnccl.so.2";

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    throw GpuError(abi::Status::unsupported,
                   fmt::format("{} has no {}; install NCCL 2.10 or newer", file_name, name));
  }
}

// Never closed: NCCL keeps threads of its own.
NcclFunctions open_nccl() {
  void* const library = dlopen(file_name, RTLD_NOW | RTLD_NODELETE);
  if (library == nullptr) {
    const char* const reason = dlerror();
    throw GpuError(abi::Status::unsupported,
                   fmt::format("several GPUs need NCCL, and {} cannot be opened ({}); install "
                               "libnccl2, or use ranks = 1",
                               file_name,
                               reason == nullptr ? "unknown error" : reason));
  }
  NcclFunctions nccl{};
  find(library, "ncclCommInitAll", nccl.init_all);
  find(library, "ncclCommDestroy", nccl.destroy);
  find(library, "ncclCommAbort", nccl.abort);
  find(library, "ncclGetErrorString", nccl.error_string);
  find(library, "ncclGroupStart", nccl.group_start);
  find(library, "ncclGroupEnd", nccl.group_end);
  find(library, "ncclAllReduce", nccl.all_reduce);
  find(library, "ncclReduce", nccl.reduce);
  find(library, "ncclBroadcast", nccl.broadcast);
  find(library, "ncclAllGather", nccl.all_gather);
  return nccl;
}

ncclDataType_t nccl_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return ncclFloat16;
    case ElementType::bf16:
      return ncclBfloat16;
    case ElementType::f32:
      break;
  }
  return ncclFloat32;
}

std::size_t as_size(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

}  // namespace

std::vector<std::unique_ptr<RightsizeGpuCommunicator>> connect_ranks(int first, int ranks) {
  int devices = 0;
  gpu::check(cudaGetDeviceCount(&devices));
  if (first < 0 || first >= devices) {
    throw GpuError(abi::Status::invalid,
                   fmt::format("GPU {} is to be the first of the ranks, and this machine has {}, "
                               "counted from 0",
                               first,
                               devices));
  }
  if (ranks < 1 || first + ranks > devices) {
    throw GpuError(abi::Status::invalid,
                   fmt::format("{} ranks need as many GPUs from GPU {} on, and this machine has {} "
                               "in all; use ranks of 1 to {}",
                               ranks,
                               first,
                               devices,
                               devices - first));
  }
  const auto nccl = open_nccl();
  std::vector<int> chosen(static_cast<std::size_t>(ranks));
  std::iota(chosen.begin(), chosen.end(), first);
  std::vector<ncclComm_t> handles(chosen.size());
  if (const auto status = nccl.init_all(handles.data(), ranks, chosen.data());
      status != ncclSuccess) {
    throw GpuError(abi::Status::failed,
                   fmt::format("NCCL cannot connect {} GPUs: {}; NCCL_DEBUG=WARN tells more",
                               ranks,
                               nccl.error_string(status)));
  }
  std::vector<std::unique_ptr<RightsizeGpuCommunicator>> result;
  for (int rank = 0; rank < ranks; ++rank) {
    result.push_back(std::make_unique<RightsizeGpuCommunicator>(
        nccl, handles[static_cast<std::size_t>(rank)], rank, ranks));
  }
  return result;
}

}  // namespace rightsize::gpu

RightsizeGpuCommunicator::~RightsizeGpuCommunicator() {
  if (!abandoned_.exchange(true)) {
    static_cast<void>(nccl_.destroy(communicator_));
  }
}

void RightsizeGpuCommunicator::abandon() {
  if (!abandoned_.exchange(true)) {
    static_cast<void>(nccl_.abort(communicator_));
  }
}

void RightsizeGpuCommunicator::check(ncclResult_t status, const char* doing) const {
  if (status != ncclSuccess) {
    throw rightsize::gpu::GpuError(
        rightsize::gpu::abi::Status::failed,
        fmt::format("NCCL, {} on rank {} of {}: {}; NCCL_DEBUG=WARN tells more",
                    doing,
                    rank_,
                    ranks_,
                    nccl_.error_string(status)));
  }
}

ncclComm_t RightsizeGpuCommunicator::usable() const {
  if (abandoned_) {
    throw rightsize::gpu::GpuError(
        rightsize::gpu::abi::Status::failed,
        fmt::format("rank {} of {} was given up because another failed; its error says why",
                    rank_,
                    ranks_));
  }
  return communicator_;
}

void RightsizeGpuCommunicator::begin() {
  check(nccl_.group_start(), "starting a group");
}

void RightsizeGpuCommunicator::end() {
  check(nccl_.group_end(), "ending a group");
}

void RightsizeGpuCommunicator::all_reduce_mean(void* values,
                                               std::int64_t count,
                                               rightsize::gpu::ElementType type,
                                               cudaStream_t stream) {
  using namespace rightsize::gpu;
  check(
      nccl_.all_reduce(values, values, as_size(count), nccl_type(type), ncclAvg, usable(), stream),
      "all-reduce");
}

void RightsizeGpuCommunicator::reduce_mean(void* values,
                                           std::int64_t count,
                                           rightsize::gpu::ElementType type,
                                           int root,
                                           cudaStream_t stream) {
  using namespace rightsize::gpu;
  check(nccl_.reduce(
            values, values, as_size(count), nccl_type(type), ncclAvg, root, usable(), stream),
        "reduce");
}

void RightsizeGpuCommunicator::broadcast(void* values,
                                         std::int64_t count,
                                         rightsize::gpu::ElementType type,
                                         int root,
                                         cudaStream_t stream) {
  using namespace rightsize::gpu;
  check(nccl_.broadcast(values, values, as_size(count), nccl_type(type), root, usable(), stream),
        "broadcast");
}

void RightsizeGpuCommunicator::all_gather(void* all, std::size_t bytes, cudaStream_t stream) {
  const auto* const own =
      static_cast<const std::byte*>(all) + static_cast<std::size_t>(rank_) * bytes;
  check(nccl_.all_gather(own, all, bytes, ncclUint8, usable(), stream), "all-gather");
}
