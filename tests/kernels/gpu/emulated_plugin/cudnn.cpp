// cuDNN's handles and tensor descriptors on the host. Convolutions are not emulated: a network that
// has one is refused, as cuDNN refuses what it has no kernel for.
#include <cudnn.h>

#include "kernels/gpu/emulated_plugin/tensor_descriptor.h"

struct cudnnContext {};
struct cudnnFilterStruct {};
struct cudnnConvolutionStruct {};
struct cudnnActivationStruct {};

namespace {

constexpr auto refused = CUDNN_STATUS_NOT_SUPPORTED;

template <typename Descriptor>
cudnnStatus_t create(Descriptor** made) {
  *made = new Descriptor{};
  return CUDNN_STATUS_SUCCESS;
}

template <typename Descriptor>
cudnnStatus_t destroy(Descriptor* made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* made) {
  return create(made);
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t made) {
  return destroy(made);
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t) {
  return CUDNN_STATUS_SUCCESS;
}
std::size_t cudnnGetVersion() {
  return CUDNN_VERSION;
}
const char* cudnnGetErrorString(cudnnStatus_t) {
  return "not emulated";
}
void cudnnGetLastErrorString(char* text, std::size_t bytes) {
  if (bytes > 0) {
    *text = '\0';
  }
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* made) {
  return create(made);
}
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t made) {
  return destroy(made);
}
cudnnStatus_t cudnnSetTensorNdDescriptor(
    cudnnTensorDescriptor_t, cudnnDataType_t, int, const int*, const int*) {
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetTensorNdDescriptor(
    const cudnnTensorDescriptor_t made, int, cudnnDataType_t*, int* dimensions, int* sizes, int*) {
  *dimensions = 3;
  for (int i = 0; i < 3; ++i) {
    sizes[i] = made->sizes[static_cast<std::size_t>(i)];
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* made) {
  return create(made);
}
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t made) {
  return destroy(made);
}
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* made) {
  return create(made);
}
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t made) {
  return destroy(made);
}
cudnnStatus_t cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* made) {
  return create(made);
}
cudnnStatus_t cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t made) {
  return destroy(made);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(
    cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnDataType_t, int, int, int, int) {
  return refused;
}
cudnnStatus_t cudnnSetFilter4dDescriptor(
    cudnnFilterDescriptor_t, cudnnDataType_t, cudnnTensorFormat_t, int, int, int, int) {
  return refused;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t) {
  return refused;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t, int) {
  return refused;
}
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t,
                                              int,
                                              int,
                                              int,
                                              int,
                                              int,
                                              int,
                                              cudnnConvolutionMode_t,
                                              cudnnDataType_t) {
  return refused;
}
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t,
                                           cudnnActivationMode_t,
                                           cudnnNanPropagation_t,
                                           double) {
  return refused;
}
}
