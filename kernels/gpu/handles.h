// Owners of cuDNN's and cuBLAS's handles and descriptors.
#pragma once

#include <limits>
#include <memory>
#include <type_traits>

#include <cublas_v2.h>
#include <cudnn.h>

#include "kernels/gpu/check.h"
#include "kernels/gpu/element.h"

namespace rightsize::gpu {

template <typename Handle, auto create, auto destroy>
class Owned {
 public:
  Owned() {
    Handle handle = nullptr;
    check(create(&handle));
    handle_.reset(handle);
  }
  [[nodiscard]] Handle get() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(Handle handle) const { static_cast<void>(destroy(handle)); }
  };
  std::unique_ptr<std::remove_pointer_t<Handle>, Destroy> handle_;
};

using CudnnHandle = Owned<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using CublasHandle = Owned<cublasHandle_t, cublasCreate_v2, cublasDestroy_v2>;
using TensorDescriptor =
    Owned<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor>;
using FilterDescriptor =
    Owned<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor>;
using ConvolutionDescriptor = Owned<cudnnConvolutionDescriptor_t,
                                    cudnnCreateConvolutionDescriptor,
                                    cudnnDestroyConvolutionDescriptor>;
using ActivationDescriptor = Owned<cudnnActivationDescriptor_t,
                                   cudnnCreateActivationDescriptor,
                                   cudnnDestroyActivationDescriptor>;

[[nodiscard]] inline cudnnDataType_t cudnn_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return CUDNN_DATA_HALF;
    case ElementType::bf16:
      return CUDNN_DATA_BFLOAT16;
    case ElementType::f32:
      break;
  }
  return CUDNN_DATA_FLOAT;
}

inline void describe(const TensorDescriptor& descriptor,
                     const TensorShape& shape,
                     ElementType type) {
  if (shape.elements() > std::numeric_limits<int>::max()) {
    throw GpuError(abi::Status::unsupported,
                   "a tensor has more than 2^31 - 1 elements, more than cuDNN's convolutions take; "
                   "use a smaller batch");
  }
  check(cudnnSetTensor4dDescriptor(descriptor.get(),
                                   CUDNN_TENSOR_NHWC,
                                   cudnn_type(type),
                                   static_cast<int>(shape.n),
                                   static_cast<int>(shape.c),
                                   static_cast<int>(shape.h),
                                   static_cast<int>(shape.w)));
}

}  // namespace rightsize::gpu
