#include "kernels/gpu/check.h"

#include <string_view>

#include <fmt/format.h>

namespace rightsize::gpu {
namespace {

std::string place(const std::source_location& where) {
  const std::string_view path = where.file_name();
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), where.line());
}

std::string sentence(std::string_view library,
                     std::string_view text,
                     int code,
                     const std::source_location& where) {
  return fmt::format("{} says \"{}\" ({}) at {}", library, text, code, place(where));
}

abi::Status kind_of(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return abi::Status::out_of_memory;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
      return abi::Status::no_device;
    case cudaErrorInvalidDevice:
      return abi::Status::invalid;
    case cudaErrorNoKernelImageForDevice:
      return abi::Status::unsupported;
    default:
      return abi::Status::failed;
  }
}

std::string remedy(abi::Status status) {
  switch (status) {
    case abi::Status::out_of_memory:
      return "; use a smaller batch";
    case abi::Status::unsupported:
      return "; build the plugin for this GPU with RIGHTSIZE_CUDA_ARCHITECTURES";
    default:
      return "";
  }
}

}  // namespace

void check(cudaError_t status, std::source_location where) {
  if (status != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // an error once told must not be told again
    const auto kind = kind_of(status);
    throw GpuError(kind,
                   sentence("CUDA", cudaGetErrorString(status), status, where) + remedy(kind));
  }
}

void check(cudnnStatus_t status, std::source_location where) {
  if (status == CUDNN_STATUS_SUCCESS) {
    return;
  }
  char details[512] = "";
  cudnnGetLastErrorString(details, sizeof(details));
  const auto kind = is_unsupported(status) ? abi::Status::unsupported
                    : status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED
                        ? abi::Status::out_of_memory
                        : abi::Status::failed;
  throw GpuError(kind,
                 fmt::format("{}{}{}",
                             sentence("cuDNN", cudnnGetErrorString(status), status, where),
                             details[0] == '\0' ? "" : ": ",
                             details));
}

void check(cublasStatus_t status, std::source_location where) {
  if (status == CUBLAS_STATUS_SUCCESS) {
    return;
  }
  const auto kind = status == CUBLAS_STATUS_ALLOC_FAILED    ? abi::Status::out_of_memory
                    : status == CUBLAS_STATUS_NOT_SUPPORTED ? abi::Status::unsupported
                                                            : abi::Status::failed;
  throw GpuError(kind, sentence("cuBLAS", cublasGetStatusString(status), status, where));
}

}  // namespace rightsize::gpu
