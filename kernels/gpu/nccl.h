// Collectives by NCCL, opened at run time: a machine with one GPU needs no libnccl.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include <nccl.h>

#include "kernels/gpu/collectives.h"
#include "kernels/gpu/plugin_abi.h"

namespace rightsize::gpu {

// The functions we call, out of libnccl.so.2.
struct NcclFunctions {
  decltype(&ncclCommInitAll) init_all;
  decltype(&ncclCommDestroy) destroy;
  decltype(&ncclCommAbort) abort;
  decltype(&ncclGetErrorString) error_string;
  decltype(&ncclGroupStart) group_start;
  decltype(&ncclGroupEnd) group_end;
  decltype(&ncclAllReduce) all_reduce;
  decltype(&ncclReduce) reduce;
  decltype(&ncclBroadcast) broadcast;
  decltype(&ncclAllGather) all_gather;
};

}  // namespace rightsize::gpu

// One rank's end of a communicator; the name is the border's.
struct RightsizeGpuCommunicator final : rightsize::gpu::Collectives {
 public:
  RightsizeGpuCommunicator(const rightsize::gpu::NcclFunctions& nccl,
                           ncclComm_t communicator,
                           int rank,
                           int ranks)
      : nccl_(nccl), communicator_(communicator), rank_(rank), ranks_(ranks) {}
  ~RightsizeGpuCommunicator() override;

  // Lets ranks that wait for this one go, with an error; from any thread.
  void abandon();

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }
  void begin() override;
  void end() override;
  void all_reduce_mean(void* values,
                       std::int64_t count,
                       rightsize::gpu::ElementType type,
                       cudaStream_t stream) override;
  void reduce_mean(void* values,
                   std::int64_t count,
                   rightsize::gpu::ElementType type,
                   int root,
                   cudaStream_t stream) override;
  void broadcast(void* values,
                 std::int64_t count,
                 rightsize::gpu::ElementType type,
                 int root,
                 cudaStream_t stream) override;
  void all_gather(void* all, std::size_t bytes, cudaStream_t stream) override;

 private:
  void check(ncclResult_t status, const char* doing) const;
  // Throws when a rank has failed and this communicator was given up for it.
  [[nodiscard]] ncclComm_t usable() const;

  rightsize::gpu::NcclFunctions nccl_;
  ncclComm_t communicator_;
  int rank_;
  int ranks_;
  std::atomic<bool> abandoned_ = false;
};

namespace rightsize::gpu {

// Rank i on device first + i. Throws GpuError: no library, or what NCCL says.
[[nodiscard]] std::vector<std::unique_ptr<RightsizeGpuCommunicator>> connect_ranks(int first,
                                                                                   int ranks);

}  // namespace rightsize::gpu
