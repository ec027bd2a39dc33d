// The descriptors of cuDNN's LSTM on the host, and where its weights lie.
#include <array>
#include <cstddef>

#include "kernels/gpu/emulated_plugin/recurrent.h"
#include "kernels/gpu/emulated_plugin/tensor_descriptor.h"

using rightsize::emulation::bytes_of;
using rightsize::emulation::reserve_bytes;
using rightsize::emulation::width_of;

struct cudnnDropoutStruct {};

extern "C" {

cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t* made) {
  *made = new cudnnRNNStruct{};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t* made) {
  *made = new cudnnRNNDataStruct{};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t* made) {
  *made = new cudnnDropoutStruct;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t made) {
  delete made;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetDropoutDescriptor(
    cudnnDropoutDescriptor_t, cudnnHandle_t, float, void*, std::size_t, unsigned long long) {
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t net,
                                       cudnnRNNAlgo_t,
                                       cudnnRNNMode_t cell,
                                       cudnnRNNBiasMode_t bias,
                                       cudnnDirectionMode_t direction,
                                       cudnnRNNInputMode_t input,
                                       cudnnDataType_t type,
                                       cudnnDataType_t,
                                       cudnnMathType_t,
                                       std::int32_t in,
                                       std::int32_t hidden,
                                       std::int32_t projected,
                                       std::int32_t layers,
                                       cudnnDropoutDescriptor_t,
                                       std::uint32_t flags) {
  const bool known = cell == CUDNN_LSTM && bias == CUDNN_RNN_SINGLE_INP_BIAS &&
                     input == CUDNN_LINEAR_INPUT && projected == hidden && layers == 1 &&
                     flags == CUDNN_RNN_PADDED_IO_ENABLED;
  *net = {width_of(type), in, hidden, direction == CUDNN_BIDIRECTIONAL ? 2 : 1};
  return known ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t made,
                                        cudnnDataType_t,
                                        cudnnRNNDataLayout_t layout,
                                        int positions,
                                        int items,
                                        int features,
                                        const int*,
                                        void*) {
  *made = {positions, items, features};
  return layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED ? CUDNN_STATUS_SUCCESS
                                                              : CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t,
                                         cudnnRNNDescriptor_t net,
                                         std::size_t* bytes) {
  *bytes = static_cast<std::size_t>(net->directions * net->direction_size()) * bytes_of(net->type);
  return CUDNN_STATUS_SUCCESS;
}

// Inference keeps its cells in the workspace.
cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t,
                                        cudnnRNNDescriptor_t net,
                                        cudnnForwardMode_t mode,
                                        cudnnRNNDataDescriptor_t x,
                                        std::size_t* workspace,
                                        std::size_t* reserve) {
  *workspace = reserve_bytes(*net, *x);
  *reserve = mode == CUDNN_FWD_MODE_TRAINING ? reserve_bytes(*net, *x) : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t,
                                      cudnnRNNDescriptor_t net,
                                      std::int32_t direction,
                                      std::size_t,
                                      const void* weights,
                                      std::int32_t which,
                                      cudnnTensorDescriptor_t matrix,
                                      void** matrix_at,
                                      cudnnTensorDescriptor_t bias,
                                      void** bias_at) {
  const int gate = which % 4;
  const auto address = [&](std::int64_t value) {
    auto* const bytes = static_cast<std::byte*>(const_cast<void*>(weights));
    return bytes + static_cast<std::size_t>(value) * bytes_of(net->type);
  };
  const auto hidden = static_cast<int>(net->hidden);
  *matrix_at = address(which < 4 ? net->input(direction, gate) : net->recurrent(direction, gate));
  matrix->sizes = {1, hidden, which < 4 ? static_cast<int>(net->in) : hidden};
  *bias_at = which < 4 ? address(net->bias(direction, gate)) : nullptr;
  bias->sizes = which < 4 ? std::array{1, hidden, 1} : std::array{0, 0, 0};
  return CUDNN_STATUS_SUCCESS;
}
}
