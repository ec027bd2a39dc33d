#include "kernels/gpu/green_context.h"

#include <fmt/format.h>

#include "kernels/gpu/check.h"
#include "kernels/gpu/multiprocessors.h"

namespace rightsize::gpu {
namespace {

constexpr unsigned first_driver = 12050;  // CUDA 12.5 completed green contexts

// Asked for by name: the plugin is not linked to libcuda.so, which only a machine with a driver
// has.
template <typename Function>
Function* driver_function(const char* name) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  const auto status =
      cudaGetDriverEntryPointByVersion(name, &found, first_driver, cudaEnableDefault, &result);
  if (status != cudaSuccess || result != cudaDriverEntryPointSuccess || found == nullptr) {
    static_cast<void>(cudaGetLastError());
    throw GpuError(abi::Status::unsupported,
                   fmt::format("this driver has no {}, which a share of the GPU needs: update it "
                               "to one of CUDA 12.5 or newer, or run on the whole GPU",
                               name));
  }
  return reinterpret_cast<Function*>(found);
}

void check_driver(CUresult status, const char* what, double share) {
  if (status != CUDA_SUCCESS) {
    throw GpuError(abi::Status::unsupported,
                   fmt::format("the driver cannot give a run {:g} of this GPU ({}: error {}); run "
                               "on the whole GPU, or use another share",
                               share,
                               what,
                               static_cast<int>(status)));
  }
}

}  // namespace

void GreenContext::Destroy::operator()(CUgreenCtx context) const {
  if (destroy != nullptr) {
    static_cast<void>(destroy(context));
  }
}

GreenContext::GreenContext(int device, double share, int multiprocessors)
    : share_(share), given_(multiprocessors) {
  if (share <= 0) {
    return;
  }
  const auto wanted = static_cast<unsigned>(multiprocessors_for(share, multiprocessors));
  CUdevResource all{};
  check_driver(driver_function<decltype(cuDeviceGetDevResource)>("cuDeviceGetDevResource")(
                   device, &all, CU_DEV_RESOURCE_TYPE_SM),
               "cuDeviceGetDevResource",
               share);
  CUdevResource part{};
  unsigned groups = 1;
  check_driver(driver_function<decltype(cuDevSmResourceSplitByCount)>(
                   "cuDevSmResourceSplitByCount")(&part, &groups, &all, nullptr, 0, wanted),
               "cuDevSmResourceSplitByCount",
               share);
  CUdevResourceDesc description = nullptr;
  check_driver(driver_function<decltype(cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc")(
                   &description, &part, 1),
               "cuDevResourceGenerateDesc",
               share);
  context_.get_deleter().destroy =
      driver_function<decltype(cuGreenCtxDestroy)>("cuGreenCtxDestroy");
  CUgreenCtx context = nullptr;
  check_driver(driver_function<decltype(cuGreenCtxCreate)>("cuGreenCtxCreate")(
                   &context, description, device, CU_GREEN_CTX_DEFAULT_STREAM),
               "cuGreenCtxCreate",
               share);
  context_.reset(context);
  given_ = static_cast<int>(part.sm.smCount);
}

cudaStream_t GreenContext::make_stream() const {
  cudaStream_t stream = nullptr;
  if (!context_) {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return stream;
  }
  check_driver(driver_function<decltype(cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate")(
                   &stream, context_.get(), CU_STREAM_NON_BLOCKING, 0),
               "cuGreenCtxStreamCreate",
               share_);
  return stream;
}

}  // namespace rightsize::gpu
