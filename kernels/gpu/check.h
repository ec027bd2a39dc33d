// Turns the status of a CUDA, cuDNN or cuBLAS call into an exception that says what failed where.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "kernels/gpu/plugin_abi.h"

namespace rightsize::gpu {

// Inside the plugin only; crosses the border as a status and a sentence.
class GpuError : public std::runtime_error {
 public:
  GpuError(abi::Status status, const std::string& sentence)
      : std::runtime_error(sentence), status_(status) {}

  [[nodiscard]] abi::Status status() const { return status_; }

 private:
  abi::Status status_;
};

void check(cudaError_t status, std::source_location where = std::source_location::current());
void check(cudnnStatus_t status, std::source_location where = std::source_location::current());
void check(cublasStatus_t status, std::source_location where = std::source_location::current());

// After launches of our own kernels.
inline void check_launch(std::source_location where = std::source_location::current()) {
  check(cudaGetLastError(), where);
}

// cuDNN has no kernel for this case: 3000 to 3999 since version 9.
[[nodiscard]] inline bool is_unsupported(cudnnStatus_t status) {
  return status >= CUDNN_STATUS_NOT_SUPPORTED && status < CUDNN_STATUS_INTERNAL_ERROR;
}

}  // namespace rightsize::gpu
